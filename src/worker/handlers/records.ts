/** Evidence for the dashboard and the panel. The panel sees its own tab's calls only. */
import { parseLog } from "../../bridge/native-parse.ts";
import type { LocalLog } from "../../bridge/native-view.ts";
import type { Place } from "../../core/principal.ts";
import type { ServerEntry } from "../../core/servers/server.ts";
import { localEntry } from "../../core/servers/url.ts";
import type { NativePort } from "../../platform/worker/native-port.ts";
import type { HandlerOptions, Handlers } from "./all.ts";
import { listed } from "./approvals.ts";
import { callsOf } from "./call-views.ts";

type Subject = "overview.read" | "records.page" | "records.verify" | "panel.calls" | "panel.call";

const SHOWN_CALLS = 12;
const PANEL_CALLS = 500;
const PAGE_LIMIT = 200;

export function recordHandlers({ gateway, native }: HandlerOptions): Pick<Handlers, Subject> {
  const { records, registry, connections, grants, pins, pause, rules } = gateway;
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
        managed: rules.managed(),
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
    async "panel.call"({ tabId, callId }) {
      const mine = (call: { readonly callId: string; readonly place: Place }) =>
        call.callId === callId && call.place.tabId === tabId;
      const entry = records.recent(PANEL_CALLS).find(mine) ?? null;
      const serverId = entry?.serverId ?? gateway.openCalls().find(mine)?.server.id;
      const server = serverId === undefined ? undefined : registry.byId(serverId);
      const wrote = server && (await writtenBy(native, server));
      return { entry, ...(wrote ? { wrote } : {}) };
    },
  };
}

/** Nothing for a server elsewhere, and nothing where the helper is not there to be asked. */
async function writtenBy(native: NativePort, server: ServerEntry): Promise<LocalLog | undefined> {
  const name = localEntry(server);
  if (name === undefined || native.state().state !== "ready") return undefined;
  return native.ask("log", { server: name }).then(parseLog, () => undefined);
}
