/** Evidence for the dashboard and the panel. The panel sees its own tab's calls only. */
import type { HandlerOptions, Handlers } from "./all.ts";
import { listed } from "./approvals.ts";
import { callsOf } from "./call-views.ts";

type Subject = "overview.read" | "records.page" | "records.verify" | "panel.calls" | "panel.call";

const SHOWN_CALLS = 12;
const PANEL_CALLS = 500;
const PAGE_LIMIT = 200;

export function recordHandlers({ gateway }: HandlerOptions): Pick<Handlers, Subject> {
  const { records, registry, connections, grants, pins, pause } = gateway;
  return {
    "overview.read"() {
      const trouble = records.trouble();
      return {
        pause: pause.current(),
        pauses: pause.list().filter(({ site, serverId }) => site !== undefined || serverId !== undefined),
        servers: registry.list().length,
        connections: connections.list(),
        grants: grants.list(),
        approvals: listed(gateway),
        changedTools: pins.list().filter(({ pending }) => pending !== undefined),
        calls: callsOf(gateway, () => true).slice(0, SHOWN_CALLS),
        ...(trouble ? { trouble } : {}),
      };
    },
    async "records.page"({ before, limit }) {
      const query = { ...(before === undefined ? {} : { before }), limit: Math.min(Math.max(1, limit), PAGE_LIMIT) };
      return { entries: await records.page(query) };
    },
    "records.verify": () => records.verifyAll(),
    "panel.calls": ({ tabId }) => ({
      calls: callsOf(gateway, ({ place }) => place.tabId === tabId).slice(0, PANEL_CALLS),
      pause: pause.current(),
    }),
    "panel.call"({ tabId, callId }) {
      const entry = records.recent(PANEL_CALLS).find((record) => record.callId === callId);
      return { entry: entry?.place.tabId === tabId ? entry : null };
    },
  };
}
