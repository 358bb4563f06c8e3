/** The popup's view of one site, and what the person may change there. */
import type { SiteServerView, SiteView, ToolView } from "../../bridge/control-api.ts";
import type { Gateway } from "../../core/gateway.ts";
import { canonicalDefinition } from "../../core/pins/stage.ts";
import { appliesTo } from "../../core/policy/applies.ts";
import { decide } from "../../core/policy/decide.ts";
import type { Verdict } from "../../core/policy/policy.ts";
import { type Principal, principalKey } from "../../core/principal.ts";
import type { ServerEntry, ToolClass, ToolDefinition } from "../../core/servers/server.ts";
import { toolClass } from "../../core/servers/tool-class.ts";
import type { HandlerOptions, Handlers } from "./all.ts";
import { grantViews, listed } from "./approvals.ts";
import { callsOf, countsToday } from "./call-views.ts";
import { serverNames } from "./rules.ts";

type Subject = "site.read" | "site.connect" | "site.disconnect" | "site.new-task" | "pause.set";

const SHOWN_CALLS = 20;

export function siteHandlers({ gateway, reader }: HandlerOptions): Pick<Handlers, Subject> {
  const { rules, pause, records } = gateway;
  return {
    async "site.read"({ tabId }): Promise<SiteView> {
      const { url, access, principal } = await reader.siteOf(tabId);
      const trouble = records.trouble();
      const calls = callsOf(gateway, (call) => call.place.tabId === tabId);
      return {
        ...(principal ? { principal } : {}),
        tabUrl: url,
        access,
        pause: pause.current(),
        pauses: principal
          ? pause.list().filter((one) => one.serverId !== undefined || isSite(one.site, principal))
          : [],
        grants: principal ? grantViews(gateway, (grant) => grant.principalKey === principalKey(principal)) : [],
        servers: principal ? gateway.registry.list().map((server) => serverView(gateway, principal, server)) : [],
        rules: principal ? rules.rules().filter((rule) => appliesTo(rule, principal)) : [],
        calls: calls.slice(0, SHOWN_CALLS),
        approvals: listed(gateway),
        counts: principal ? countsToday(gateway, principalKey(principal)) : { allowed: 0, asked: 0, denied: 0 },
        serverNames: serverNames(gateway),
        ...(trouble ? { trouble } : {}),
      };
    },
    async "site.connect"({ principal, serverId, tools }) {
      await gateway.setTools(principal, serverId, tools);
      return null;
    },
    async "site.disconnect"({ principal, serverId }) {
      await gateway.disconnect(principal, serverId);
      return null;
    },
    async "site.new-task"({ principal }) {
      await gateway.newTask(principal);
      return null;
    },
    async "pause.set"({ pause: next, scope }) {
      await gateway.setPause(next, scope);
      return null;
    },
  };
}

function isSite(site: string | undefined, { origin, topSite }: Principal): boolean {
  return site !== undefined && (site === origin || site === topSite);
}

function serverView(gateway: Gateway, principal: Principal, server: ServerEntry): SiteServerView {
  const { registry, connections } = gateway;
  const connection = connections.get(principalKey(principal), server.id);
  const tools = registry.catalogue(server.id)?.tools ?? [];
  const ticked = new Set(connection?.tools ?? []);
  return {
    id: server.id,
    name: server.name,
    health: registry.health(server.id),
    connected: connection !== undefined,
    tools: tools.map((tool) => toolView(gateway, { principal, server, tool, ticked: ticked.has(tool.name) })),
  };
}

function toolView(
  gateway: Gateway,
  {
    principal,
    server,
    tool,
    ticked,
  }: { principal: Principal; server: ServerEntry; tool: ToolDefinition; ticked: boolean },
): ToolView {
  const pin = pinOf(gateway, server.id, tool);
  const kind = toolClass(tool.value, { trusted: server.trust === "trusted", pinned: pin === "approved" });
  const { title, description } = tool.value;
  return {
    name: tool.name,
    title: typeof title === "string" ? title : "",
    description: typeof description === "string" ? description : "",
    class: kind,
    ticked,
    pin,
    verdict: verdictOf(gateway, { principal, server, tool, kind, pin }),
  };
}

function pinOf({ pins }: Gateway, serverId: string, tool: ToolDefinition): ToolView["pin"] {
  const pin = pins.current(serverId, tool.name);
  if (!pin) return "new";
  return pin.pending === undefined && pin.approved === canonicalDefinition(tool) ? "approved" : "changed";
}

function verdictOf(
  { rules, labels }: Gateway,
  about: {
    readonly principal: Principal;
    readonly server: ServerEntry;
    readonly tool: ToolDefinition;
    readonly kind: ToolClass;
    readonly pin: ToolView["pin"];
  },
): Verdict {
  const { principal, server, tool, kind, pin } = about;
  return decide(rules.compiled(), {
    phase: "request",
    now: Date.now(),
    utcOffsetMinutes: -new Date().getTimezoneOffset(),
    direction: "out",
    origin: principal.origin,
    topSite: principal.topSite,
    private: principal.private,
    serverId: server.id,
    method: "tools/call",
    tool: tool.name,
    class: kind,
    args: {},
    findings: [],
    labels: labels.of(principalKey(principal)),
    pin,
    bytes: 0,
  }).verdict;
}
