/**
 * Who hears what servers say by themselves. A server is listened to only while a document in sight carries it, and only for
 * a site that may hear of it: by a standing stream where it has sessions, and by one request of navra's for all agents of
 * older revisions where it has none. A session that the server forgot took with it what agents had asked for once: it is asked
 * for again in the next.
 *
 * @see MCP 2025-11-25 · Transports · Streamable HTTP · Listening for messages from the server
 * @see MCP 2026-07-28 · Patterns · Subscriptions
 */
import { toldCapabilities } from "../elicit/who-answers.ts";
import type { ChannelOptions, Channels, ChannelsOptions, Listening } from "../face/channels.ts";
import { ALL_SERVERS } from "../face/directory-methods.ts";
import { isModern } from "../mcp/revision.ts";
import type { Ports } from "../ports.ts";
import { type Principal, principalKey } from "../principal.ts";
import { encodeRequest } from "../wire/encode.ts";
import type { JsonObject } from "../wire/json.ts";
import { createDeadline } from "./deadline.ts";
import type { Inbound } from "./inbound.ts";
import type { LogLevels } from "./log-levels.ts";
import type { NewerSubscriptions } from "./newer-subscriptions.ts";
import { createOlderSubscriptions, type OlderSubscriptions } from "./older-subscriptions.ts";
import type { Registry } from "./registry.ts";
import type { ServerEntry } from "./server.ts";
import type { Caller } from "./upstream.ts";

export interface Listeners extends Pick<ChannelsOptions, "attention" | "resumed"> {
  /** Whether the channel's site may hear of any server it carries. */
  readonly mayHear: (channel: ChannelOptions) => boolean;
  readonly older: OlderSubscriptions;
  /** The site may hear of one more server, and a channel to all servers carries it. */
  connected(principal: Principal, serverId: string): void;
  /** A server has a new session for these of the principal's callers. */
  begun(serverId: string, principalKey: string, isOf: (caller: Caller) => boolean): void;
}

export interface ListenersOptions {
  readonly registry: Registry;
  readonly channels: () => Channels;
  readonly inbound: () => Inbound;
  /** Whether a site may hear of a server now. */
  readonly mayHear: (principal: Principal, serverId: string) => boolean;
  readonly levels: Pick<LogLevels, "known">;
  readonly newer: Pick<NewerSubscriptions, "renew">;
  readonly ports: Pick<Ports, "clock" | "randomId">;
}

export function createListeners(options: ListenersOptions): Listeners {
  const { registry, channels, inbound, mayHear, levels, newer, ports } = options;
  const older = createOlderSubscriptions({
    upstream: (serverId) => (registry.byId(serverId) ? registry.upstream(serverId) : undefined),
    sought({ serverId, principalKey: key }) {
      const server = registry.byId(serverId);
      if (!server || !channels().attended({ serverName: server.name, principalKey: key })) return undefined;
      const sessions = channels().listening({ serverName: server.name, principalKey: key });
      return sessions.some(({ options, revision }) => !isModern(revision) && mayHear(options.principal, serverId))
        ? inbound().subscribed({ server, principalKey: key })
        : undefined;
    },
    heard: ({ serverId, principalKey: key }, message) => inbound().unsolicited(serverId, key, message),
    ports,
  });

  /** Sessions of older agents hear of a newer server by one request of navra's; says whether it is such a server. */
  const listenFor = (server: ServerEntry, principal: Principal): boolean => {
    const revision = registry.catalogue(server.id)?.revision;
    if (revision === undefined || !isModern(revision)) return false;
    const listener = { serverId: server.id, principalKey: principalKey(principal) };
    const { name: serverName } = server;
    const sessions = channels().listening({ serverName, principalKey: listener.principalKey });
    if (sessions.every((one) => isModern(one.revision))) return true;
    void older.follow(listener, inbound().subscribed({ server, principalKey: listener.principalKey }));
    return true;
  };

  const carriedBy = (name: string): readonly ServerEntry[] =>
    name === ALL_SERVERS ? registry.list() : registry.list().filter((server) => server.name === name);

  /** What an agent asked for in a session that is no more. It has its answer since then. */
  const again = (server: ServerEntry, of: Listening, { method, params }: Again): void => {
    const limit = createDeadline(ports.clock, { ms: AGAIN_MS });
    const text = encodeRequest("1", method, JSON.stringify(params));
    registry
      .upstream(server.id)
      .request({
        ...callerOf(of, server),
        message: { kind: "request", id: "1", method, params, text },
        signal: limit.signal,
        sent: () => undefined,
        event: () => undefined,
        back: async () => "",
      })
      .then(limit.stop, limit.stop);
  };

  return {
    older,
    mayHear: ({ server: name, principal }) => carriedBy(name).some(({ id }) => mayHear(principal, id)),
    attention({ server: name, principal }, attended) {
      const key = principalKey(principal);
      for (const server of carriedBy(name)) {
        const still = attended || channels().attended({ serverName: server.name, principalKey: key });
        if (still && !mayHear(principal, server.id)) continue;
        registry.attend(server.id, key, still);
        if (still) listenFor(server, principal);
        else older.rest({ serverId: server.id, principalKey: key });
      }
    },
    resumed(channel) {
      const { server: name, principal } = channel.options;
      for (const server of carriedBy(name)) {
        if (!server.enabled || !mayHear(principal, server.id)) continue;
        if (!listenFor(server, principal)) registry.upstream(server.id).stand(callerOf(channel, server));
      }
    },
    connected(principal, serverId) {
      const server = registry.byId(serverId);
      if (server && channels().attended({ serverName: server.name, principalKey: principalKey(principal) })) {
        listenFor(server, principal);
      }
    },
    begun(serverId, key, isOf) {
      const server = registry.byId(serverId);
      if (!server) return;
      const session = channels()
        .listening({ serverName: server.name, principalKey: key })
        .filter((one) => !isModern(one.revision) && isOf(callerOf(one, server)));
      const [first] = session;
      if (first && mayHear(first.options.principal, serverId)) {
        const level = levels.known(session.map((one) => ({ ...one.options, server })));
        if (level !== undefined) again(server, first, { method: "logging/setLevel", params: { level } });
        for (const uri of new Set(session.flatMap((one) => one.subscribed()))) {
          again(server, first, { method: "resources/subscribe", params: { uri } });
        }
      }
      newer.renew(serverId, key, isOf);
    },
  };
}

interface Again {
  readonly method: string;
  readonly params: JsonObject;
}

const AGAIN_MS = 10_000;

function callerOf({ options: { principal }, revision, capabilities }: Listening, server: ServerEntry): Caller {
  const { text } = toldCapabilities({ capabilities, server }, revision);
  return { principalKey: principalKey(principal), revision, capabilities: text };
}
