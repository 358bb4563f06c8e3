/**
 * What page, runtime and relay say to each other inside one document. The channel is public there; nothing depends on its
 * secrecy. navra never speaks first: the agent asks with `REQUEST_EVENT`, the runtime answers with `ANNOUNCE_EVENT`, and
 * only then do relay events flow. Relay events carry one string, `<op>:<channel>:<rest>`, and nobody parses `rest` on the way:
 *
 *   page → relay   `open:<channel>:<server>`   `send:<channel>:<frame>`   `close:<channel>:`
 *   relay → page   `frame:<channel>:<frame>`   `lost:<channel>:<reason>`  (the port is gone; a new `open` resumes it)
 */
import { ALL_SERVERS, CONNECT_METHOD, RESUMED_METHOD, SERVERS_METHOD } from "../core/face/directory-methods.ts";

/** Dispatched on `window` by an agent; answered synchronously where navra is present. */
export const REQUEST_EVENT = "navra:request-provider";
/** `CustomEvent<{ provider: Provider }>` on `window`. */
export const ANNOUNCE_EVENT = "navra:announce-provider";

/** Page world to relay, `CustomEvent<string>` on `window`. */
export const TO_RELAY = "navra:to-relay";
/** Relay to page world, `CustomEvent<string>` on `window`. */
export const FROM_RELAY = "navra:from-relay";

/** No frame longer than this many UTF-16 code units enters the relay, whatever the settings of the worker say. */
export const MAX_FRAME_UNITS = 32 * 1024 * 1024;

export type ToRelayOp = "open" | "send" | "close";
export type FromRelayOp = "frame" | "lost";

export interface RelayEvent<Op extends string> {
  readonly op: Op;
  readonly channel: string;
  readonly rest: string;
}

export function relayEvent(op: ToRelayOp | FromRelayOp, channel: string, rest: string): string {
  return `${op}:${channel}:${rest}`;
}

/** `undefined` for anything that is not of the shape; never throws. */
export function parseRelayEvent<Op extends string>(detail: unknown): RelayEvent<Op> | undefined {
  if (typeof detail !== "string") return undefined;
  const first = detail.indexOf(":");
  const second = detail.indexOf(":", first + 1);
  if (first <= 0 || second < 0 || second > 96) return undefined;
  return {
    op: detail.slice(0, first) as Op,
    channel: detail.slice(first + 1, second),
    rest: detail.slice(second + 1),
  };
}

/** One logical connection of an agent to one server, as the runtime gives it out. */
export interface ProviderChannel {
  send(frame: string): void;
  close(): void;
  /** Reopens the port after `onlost`; the worker then answers what was open, or the session goes on. */
  resume(): void;
  onframe: ((frame: string) => void) | null;
  onlost: ((reason: string) => void) | null;
}

export interface Provider {
  readonly name: "navra";
  /** Version of this contract. */
  readonly version: 1;
  /** Server name as `io.github.navra/servers` gives it; empty for the directory face, `*` for all servers as one. */
  open(server: string): ProviderChannel;
}

/** JSON-RPC methods of the directory face (a channel opened with an empty server name). */
export const DIRECTORY_METHODS = { servers: SERVERS_METHOD, connect: CONNECT_METHOD } as const;

/** Addresses all servers that the site is connected to, as one endpoint. */
export const EVERY_SERVER = ALL_SERVERS;

/** Notification of an agent's side after a lost port: `{ requestIds }`, what it still waits for. */
export const RESUMED_NOTIFICATION = RESUMED_METHOD;
