/**
 * The one contract every transport keeps: carry text frames to a server and back. A channel knows no MCP beyond the HTTP
 * headers it is handed, keeps no call state, never retries after a byte was sent, and reads each incoming frame whole up
 * to the limit. Ids, sessions and meaning live in `servers/upstream.ts`.
 *
 * @see MCP 2025-11-25 · Transports, MCP 2026-07-28 · Transports
 */
import type { GatewayError } from "../errors.ts";

export interface OutgoingFrame {
  readonly text: string;
  /** Extra request headers (`MCP-Protocol-Version`, `Mcp-Method`, …). Channels without headers ignore them. */
  readonly headers: Readonly<Record<string, string>>;
  /** A request gets answers on its exchange; a notification is done when it is handed over. */
  readonly kind: "request" | "notification" | "reply";
}

export interface Exchange {
  /** Aborting ends the exchange at once and, over HTTP, closes the response stream. */
  readonly signal: AbortSignal;
  /** Called once, in the same task in which the bytes are handed to the network. */
  readonly sent: () => void;
  /** Each whole frame that arrived for this exchange, in order. */
  readonly frame: (text: string) => void;
  /** Response header values the upstream asked to see, once, before any frame. */
  readonly head?: (get: (header: string) => string | null, status: number) => void;
  /** Event ids and `retry` of an event stream, as they come. */
  readonly mark?: (mark: EventMark) => void;
}

/** What an event stream says beside its messages. */
export interface EventMark {
  readonly id?: string;
  /** Milliseconds to wait before the stream is taken up again. */
  readonly retry?: number;
}

export interface Channel {
  readonly kind: "streamable-http" | "websocket" | "http-sse" | "native" | "pair";
  /**
   * Hands one frame over. For HTTP it resolves when the response has ended; where frames share one connection it
   * resolves when the frame is handed over, and answers arrive through `unsolicited`.
   *
   * @throws GatewayError `upstream-unreachable` (before or after `sent`: fetch cannot tell), `upstream-broken`, `too-large`, `cancelled`
   */
  send(frame: OutgoingFrame, exchange: Exchange): Promise<void>;
  /** Ends everything; further sends fail. Idempotent. */
  close(): void;
}

/** What a channel with a shared connection reports outside any exchange. */
export interface ChannelEvents {
  readonly unsolicited: (text: string) => void;
  /** `problem` where it is a better name for it than a broken connection. */
  readonly closed: (reason: string, problem?: GatewayError) => void;
}
