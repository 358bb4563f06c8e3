/**
 * Who hears what servers say by themselves. A server is listened to only while a document in sight carries it, and only for
 * a site that may hear of it: by a standing stream where it has sessions, and by one request of navra's for all agents of
 * older revisions where it has none.
 *
 * @see MCP 2025-11-25 · Transports · Streamable HTTP · Listening for messages from the server
 * @see MCP 2026-07-28 · Patterns · Subscriptions
 */
import type { ChannelOptions, Channels, ChannelsOptions } from "../face/channels.ts";
import { ALL_SERVERS } from "../face/directory-methods.ts";
import { isModern } from "../mcp/revision.ts";
import type { Ports } from "../ports.ts";
import { type Principal, principalKey } from "../principal.ts";
import type { Inbound } from "./inbound.ts";
import { createOlderSubscriptions, type OlderSubscriptions } from "./older-subscriptions.ts";
import type { Registry } from "./registry.ts";
import type { ServerEntry } from "./server.ts";

export interface Listeners extends Pick<ChannelsOptions, "attention" | "resumed"> {
  /** Whether the channel's site may hear of any server it carries. */
  readonly mayHear: (channel: ChannelOptions) => boolean;
  readonly older: OlderSubscriptions;
}

export interface ListenersOptions {
  readonly registry: Registry;
  readonly channels: () => Channels;
  readonly inbound: () => Inbound;
  /** Whether a site may hear of a server now. */
  readonly mayHear: (principal: Principal, serverId: string) => boolean;
  readonly ports: Pick<Ports, "clock" | "randomId">;
}

export function createListeners({ registry, channels, inbound, mayHear, ports }: ListenersOptions): Listeners {
  const older = createOlderSubscriptions({
    upstream: (serverId) => (registry.byId(serverId) ? registry.upstream(serverId) : undefined),
    mayHear: ({ serverId, principalKey: key }) =>
      channels()
        .listening({ serverName: registry.byId(serverId)?.name ?? "", principalKey: key })
        .some(({ options, revision }) => !isModern(revision) && mayHear(options.principal, serverId)),
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
    resumed({ options: { server: name, principal }, revision, capabilities }) {
      for (const server of carriedBy(name)) {
        if (!server.enabled || !mayHear(principal, server.id)) continue;
        if (listenFor(server, principal)) continue;
        const caller = { principalKey: principalKey(principal), revision, capabilities: capabilities.text };
        registry.upstream(server.id).stand(caller);
      }
    },
  };
}
