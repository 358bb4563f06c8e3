/** The popup's view of one site, and what the person may change there. */
import type { SiteView } from "../../bridge/control-api.ts";
import type { Gateway } from "../../core/gateway.ts";
import { appliesTo } from "../../core/policy/applies.ts";
import type { RuleEvent } from "../../core/policy/history.ts";
import type { ManagedState } from "../../core/policy/managed.ts";
import { type Principal, principalKey } from "../../core/principal.ts";
import type { NativePort } from "../../platform/worker/native-port.ts";
import type { HandlerOptions, Handlers } from "./all.ts";
import { grantViews, listed } from "./approvals.ts";
import { callsOf, countsToday } from "./call-views.ts";
import { serverNames } from "./rules.ts";
import { serverView } from "./tool-views.ts";

type Subject = "site.read" | "site.connect" | "site.disconnect" | "site.new-task" | "pause.set";

const SHOWN_CALLS = 20;

export function siteHandlers({ gateway, native, reader }: HandlerOptions): Pick<Handlers, Subject> {
  const { rules, pause, records } = gateway;
  return {
    async "site.read"({ tabId }): Promise<SiteView> {
      const { url, access, principal } = await reader.siteOf(tabId);
      const trouble = records.trouble();
      // A tab's number may have been another site's before the browser started again.
      const calls = callsOf(
        gateway,
        (call) => call.place.tabId === tabId && call.principal.topSite === principal?.topSite,
      );
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
        managed: managedHere(rules.managed(), principal),
        lastChange: recent(rules.history()[0]),
        calls: calls.slice(0, SHOWN_CALLS),
        approvals: listed(gateway),
        counts: principal ? countsToday(gateway, principalKey(principal)) : { allowed: 0, asked: 0, denied: 0 },
        serverNames: serverNames(gateway),
        ...(trouble ? { trouble } : {}),
        ...helperTrouble(gateway, native),
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

/** Nothing where no local server is registered or all is well. Asks the helper where it was not asked yet. */
function helperTrouble({ registry }: Gateway, native: NativePort): Pick<SiteView, "helper"> {
  if (!registry.list().some(({ transport, enabled }) => transport === "native" && enabled)) return {};
  const helper = native.state();
  if (helper.state === "unknown") native.ask("list", null).catch(() => undefined);
  return helper.state === "unknown" || helper.state === "ready" ? {} : { helper };
}

/** How long one press takes the newest change back; older ones are in the dashboard's history. */
const UNDO_MS = 10 * 60_000;

function recent(event: RuleEvent | undefined): RuleEvent | null {
  return event && event.act !== "undo" && Date.now() - event.at < UNDO_MS ? event : null;
}

function managedHere(managed: ManagedState, principal: Principal | undefined): ManagedState {
  if (managed.state !== "in-force") return managed;
  return { ...managed, rules: managed.rules.filter((rule) => principal && appliesTo(rule, principal)) };
}
