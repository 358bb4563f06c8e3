/** What a site may do with a server's tools now, each with the verdict before arguments are known and the reason for it. */
import type { SiteServerView, ToolView } from "../../bridge/control-api.ts";
import type { Coverage } from "../../bridge/policy-api.ts";
import type { Gateway } from "../../core/gateway.ts";
import { canonicalDefinition } from "../../core/pins/stage.ts";
import { decide } from "../../core/policy/decide.ts";
import type { Decision } from "../../core/policy/policy.ts";
import { type Principal, principalKey } from "../../core/principal.ts";
import type { ServerEntry, ToolClass, ToolDefinition } from "../../core/servers/server.ts";
import { toolClass } from "../../core/servers/tool-class.ts";

export function serverView(gateway: Gateway, principal: Principal, server: ServerEntry): SiteServerView {
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
  const { verdict, reasons } = decisionOf(gateway, { principal, server, tool, kind, pin });
  return {
    name: tool.name,
    title: typeof title === "string" ? title : "",
    description: typeof description === "string" ? description : "",
    class: kind,
    ticked,
    pin,
    verdict,
    why: reasons[0]?.sentence ?? "",
  };
}

export function pinOf({ pins }: Pick<Gateway, "pins">, serverId: string, tool: ToolDefinition): ToolView["pin"] {
  const pin = pins.current(serverId, tool.name);
  if (!pin) return "new";
  return pin.pending === undefined && pin.approved === canonicalDefinition(tool) ? "approved" : "changed";
}

/** A tool that a rule hides cannot be asked for; of every other, what a call of it would meet. */
function decisionOf(
  { rules, labels }: Gateway,
  about: {
    readonly principal: Principal;
    readonly server: ServerEntry;
    readonly tool: ToolDefinition;
    readonly kind: ToolClass;
    readonly pin: ToolView["pin"];
  },
): Decision {
  const { principal, server, tool, kind, pin } = about;
  const policy = rules.compiled();
  const facts = {
    now: Date.now(),
    utcOffsetMinutes: -new Date().getTimezoneOffset(),
    direction: "out",
    origin: principal.origin,
    topSite: principal.topSite,
    private: principal.private,
    serverId: server.id,
    tool: tool.name,
    class: kind,
    pin,
    bytes: 0,
  } as const;
  const listed = decide(policy, { ...facts, phase: "list", method: "tools/list" });
  if (listed.verdict === "deny") return listed;
  return decide(policy, {
    ...facts,
    phase: "request",
    method: "tools/call",
    args: {},
    findings: [],
    labels: labels.of(principalKey(principal)),
  });
}

/** How much of what was connected the policy leaves, one line for each connection. */
export function coverageOf(gateway: Gateway): readonly Coverage[] {
  return gateway.connections.list().flatMap(({ principal, serverId }) => {
    const server = gateway.registry.byId(serverId);
    if (!server) return [];
    const tools = serverView(gateway, principal, server).tools.filter(({ ticked }) => ticked);
    const refused = tools.filter(({ verdict }) => verdict === "deny");
    const { origin } = principal;
    return [
      { origin, serverName: server.name, tools: tools.length, refused: refused.length, by: mostFrequent(refused) },
    ];
  });
}

function mostFrequent(tools: readonly ToolView[]): string {
  const counts = new Map<string, number>();
  for (const { why } of tools) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}
