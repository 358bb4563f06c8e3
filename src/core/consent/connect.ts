/**
 * Connecting a site to servers, wallet style: the site asks on the person's own act, the person ticks, and the site gets
 * what was left ticked. Connecting pins each ticked tool as the person saw it; the digest of what was shown covers the
 * definitions, so a server that changes a tool while the window is open starts the question again.
 */

import { findTool } from "../mcp/stage.ts";
import type { Pins } from "../pins/pins.ts";
import { canonicalDefinition } from "../pins/stage.ts";
import type { Clock } from "../ports.ts";
import { type Place, type Principal, principalKey } from "../principal.ts";
import type { Registry } from "../servers/registry.ts";
import type { Catalogue, ServerEntry } from "../servers/server.ts";
import { toolClass } from "../servers/tool-class.ts";
import type { ApprovalTool, ConnectApproval } from "./approval.ts";
import type { Connections } from "./connections.ts";
import type { ApprovalQueue } from "./queue.ts";
import type { Silence } from "./silence.ts";

/** How long a connect question waits, in milliseconds. */
export const CONNECT_MS = 5 * 60_000;
/** How many questions to be connected one site may have waiting, whether or not it still listens. */
const MOST_WAITING = 3;

export interface ConnectOptions {
  readonly registry: Registry;
  readonly connections: Connections;
  readonly pins: Pins;
  readonly queue: ApprovalQueue;
  readonly silence: Silence;
  readonly clock: Clock;
  readonly randomId: () => string;
  readonly digest: (text: string) => Promise<string>;
}

export interface ConnectRequest {
  readonly principal: Principal;
  readonly place: Place;
  readonly agent: string;
  /** Names the site asks for; empty for "whatever the person picks". Unknown names are passed over in silence. */
  readonly names: readonly string[];
  /** Whether the relay saw the person act; without it the question waits in the badge and no window opens. */
  readonly act: boolean;
  readonly signal: AbortSignal;
}

export interface Connector {
  /** Names of the servers the principal is connected to. */
  connected(principal: Principal): readonly string[];
  request(request: ConnectRequest): Promise<"connected" | "denied" | "expired">;
  /** What an answered question allows, whether or not anyone still waits for it. */
  connectAnswered(approval: ConnectApproval, tools: Readonly<Record<string, readonly string[]>>): Promise<boolean>;
  /** The person's own act in navra's pages: ticks exactly these tools. */
  connect(principal: Principal, serverId: string, tools: readonly string[]): Promise<void>;
}

export function createConnector(options: ConnectOptions): Connector {
  const { registry, connections, pins, queue, silence, clock, randomId, digest } = options;

  const connect: Connector["connect"] = async (principal, serverId, tools) => {
    const catalogue = registry.catalogue(serverId);
    const known = tools.filter((name) => findTool(catalogue, name));
    for (const name of known) {
      const definition = findTool(catalogue, name);
      if (definition && !pins.current(serverId, name))
        await pins.approve(serverId, name, canonicalDefinition(definition));
    }
    await silence.forgive(principal).catch(() => undefined);
    await connections.set({ principal, serverId, tools: known, connectedAt: clock.now() });
  };

  const connectAnswered: Connector["connectAnswered"] = async (approval, tools) => {
    const servers = approval.servers.flatMap(({ id }) => registry.byId(id) ?? []);
    // What was shown must still be what is there.
    if ((await digest(shownText(approval.principal, servers, registry))) !== approval.digest) return false;
    for (const { id } of servers) {
      const ticked = tools[id];
      if (ticked) await connect(approval.principal, id, ticked);
    }
    return true;
  };

  const connected: Connector["connected"] = (principal) =>
    connections
      .list(principalKey(principal))
      .flatMap(({ serverId }) => registry.byId(serverId) ?? [])
      .filter(({ enabled }) => enabled)
      .map(({ name }) => name)
      .sort();

  const asking = ({ origin }: Principal): number =>
    queue.waiting().filter((approval) => approval.kind === "connect" && approval.principal.origin === origin).length;

  return {
    connected,
    connect,
    connectAnswered,
    async request({ principal, place, agent, names, act, signal }) {
      const have = new Set(connected(principal));
      if (names.length > 0 && names.every((name) => have.has(name))) return "connected";
      // Names are a hint: where none fits, the person is shown what there is, and the site learns nothing of names.
      const fresh = registry.list().filter(({ enabled, name }) => enabled && !have.has(name));
      const named = fresh.filter(({ name }) => names.includes(name));
      const servers = named.length > 0 ? named : fresh;
      if (servers.length === 0) return have.size > 0 ? "connected" : "denied";

      if (silence.isSilent(principal) || asking(principal) >= MOST_WAITING) return "denied";

      const shown = await digest(shownText(principal, servers, registry));
      const now = clock.now();
      const approval: ConnectApproval = {
        kind: "connect",
        id: randomId(),
        principal,
        place,
        agent,
        digest: shown,
        createdAt: now,
        expiresAt: now + CONNECT_MS,
        live: true,
        act,
        servers: servers.map((server) => serverShown(server, registry.catalogue(server.id))),
      };
      const answer = await queue.ask(approval, signal);
      if (answer.answer !== "allow") {
        await silence.refused(principal).catch(() => undefined);
        return answer.answer === "deny" ? "denied" : "expired";
      }
      return (await connectAnswered(approval, answer.tools)) ? "connected" : "denied";
    },
  };
}

function serverShown(server: ServerEntry, catalogue: Catalogue | undefined): ConnectApproval["servers"][number] {
  return {
    id: server.id,
    name: server.name,
    host: new URL(server.url).host,
    tools: (catalogue?.tools ?? []).map(({ name, value }): ApprovalTool => {
      const annotations = value.annotations;
      const title = value.title ?? (annotations as { title?: unknown } | undefined)?.title;
      return {
        name,
        title: typeof title === "string" ? title : "",
        description: typeof value.description === "string" ? value.description : "",
        class: toolClass(value, { trusted: server.trust === "trusted", pinned: true }),
      };
    }),
    ...(catalogue
      ? {}
      : {
          problem:
            "navra has not reached this server yet, so its tools are not known. Test it on its page in the dashboard, then let the site ask again.",
        }),
  };
}

function shownText(principal: Principal, servers: readonly ServerEntry[], registry: Registry): string {
  return JSON.stringify([
    principalKey(principal),
    servers.map(({ id }) => [id, (registry.catalogue(id)?.tools ?? []).map(canonicalDefinition)]),
  ]);
}
