/** Picks the channel that a server's address asks for, and makes the link over it. */
import { GatewayError } from "../errors.ts";
import type { Ports } from "../ports.ts";
import { createSseChannel } from "../transports/http-sse.ts";
import { createNativeChannel } from "../transports/native.ts";
import { createHttpChannel } from "../transports/streamable-http.ts";
import { createSocketChannel, type Subprotocol } from "../transports/websocket.ts";
import { createHttpLink } from "./http-link.ts";
import type { Link, LinkOptions } from "./link.ts";
import type { ServerEntry } from "./server.ts";
import { createSharedLink, type SharedLinkOptions } from "./shared-link.ts";
import { localEntry } from "./url.ts";

export interface ConnectOptions extends LinkOptions {
  readonly server: ServerEntry;
  readonly ports: Pick<Ports, "clock" | "randomId" | "fetch" | "socket" | "local" | "hosted">;
  readonly replyHeaders: () => Readonly<Record<string, string>>;
  readonly lost: () => void;
  readonly backs: boolean;
  readonly beat: SharedLinkOptions["beat"];
  readonly subprotocol: Subprotocol;
}

/** Reaches nothing yet: the first request does. */
export function connect(options: ConnectOptions): Link {
  const { server, ports, limits } = options;
  const { url } = server;
  if (server.transport === "streamable-http") {
    const channel = createHttpChannel({ url, fetch: ports.fetch, limits });
    return createHttpLink({ ...options, channel, clock: ports.clock, randomId: ports.randomId });
  }
  if (server.transport === "websocket") {
    return createSharedLink({
      ...options,
      clock: ports.clock,
      connect: (events) => createSocketChannel({ url, socket: ports.socket, events, subprotocol: options.subprotocol }),
    });
  }
  const entryName = localEntry(server);
  if (entryName !== undefined) {
    return createSharedLink({
      ...options,
      clock: ports.clock,
      connect: (events) => createNativeChannel({ entryName, local: ports.local, clock: ports.clock, events }),
    });
  }
  if (server.transport === "http-sse") {
    return createSharedLink({
      ...options,
      clock: ports.clock,
      connect: (events) => createSseChannel({ url, fetch: ports.fetch, limits, events }),
    });
  }
  return createSharedLink({
    ...options,
    clock: ports.clock,
    connect(events) {
      const channel = ports.hosted?.(server, events);
      if (channel) return channel;
      throw new GatewayError(
        "upstream-unreachable",
        "This server lives in another process. Register it by its address.",
      );
    },
  });
}
