/**
 * Streamable HTTP: each message is its own POST, answered by one JSON document or by an event stream. The response is
 * judged before it is read: a redirect to elsewhere, a web page and a sign-in wall are named faults, never frames. Nothing
 * is retried here, and no cookie is ever sent (the port sees to that).
 *
 * @see MCP 2025-11-25 · Transports · Streamable HTTP
 * @see MCP 2026-07-28 · Transports · Streamable HTTP
 */
import { GatewayError } from "../errors.ts";
import type { FetchRequest, Ports } from "../ports.ts";
import { isObject, type JsonValue, type Limits } from "../wire/json.ts";
import { linked, untilAborted } from "./abortable.ts";
import { discard, readEvents, readText } from "./body.ts";
import type { Channel, Exchange, OutgoingFrame } from "./channel.ts";
import { isSuccess } from "./http-status.ts";
import { answered, mediaType, refusal, refuseRedirect } from "./response.ts";

export interface HttpChannel extends Channel {
  readonly kind: "streamable-http";
  /** Takes up an event stream after its last event, or opens the standing one. */
  listen(headers: Readonly<Record<string, string>>, exchange: Exchange): Promise<void>;
  /** Tells the server that a session is over; whatever it answers is ignored. */
  end(headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void>;
}

export interface HttpChannelOptions {
  readonly url: string;
  readonly fetch: Ports["fetch"];
  readonly limits: Limits;
}

export function createHttpChannel(options: HttpChannelOptions): HttpChannel {
  const closing = new AbortController();
  return {
    kind: "streamable-http",
    send: (frame, exchange) =>
      linked([exchange.signal, closing.signal], (signal) => post(options, frame, { ...exchange, signal })),
    listen: (headers, exchange) =>
      linked([exchange.signal, closing.signal], (signal) => get(options, headers, { ...exchange, signal })),
    async end(headers, signal) {
      const response = await options.fetch(options.url, { method: "DELETE", headers, signal });
      discard(response.body);
    },
    close() {
      closing.abort(new GatewayError("cancelled", "The connection to this server was closed."));
    },
  };
}

async function post(options: HttpChannelOptions, frame: OutgoingFrame, exchange: Exchange): Promise<void> {
  const { url, limits } = options;
  const request: FetchRequest = {
    method: "POST",
    headers: { Accept: "application/json, text/event-stream", "Content-Type": "application/json", ...frame.headers },
    body: frame.text,
    signal: exchange.signal,
  };
  // INVARIANT: `sent` and the fetch are in one task; the journal entry is issued before the bytes.
  exchange.sent();
  const response = await untilAborted(exchange.signal, answered(options.fetch(url, request)));
  exchange.head?.((header) => response.headers.get(header), response.status);
  try {
    refuseRedirect(url, response);
    if (!isSuccess(response.status)) return await readRefusal(response, frame, { exchange, limits });
    if (frame.kind !== "request" || response.body === null || response.status === 202) return discard(response.body);
    await readAnswer(response, response.body, { exchange, limits });
  } catch (problem) {
    discard(response.body);
    throw problem;
  }
}

async function get(
  options: HttpChannelOptions,
  headers: Readonly<Record<string, string>>,
  exchange: Exchange,
): Promise<void> {
  const { url, limits } = options;
  const request: FetchRequest = {
    method: "GET",
    headers: { Accept: "text/event-stream", ...headers },
    signal: exchange.signal,
  };
  const response = await untilAborted(exchange.signal, answered(options.fetch(url, request)));
  exchange.head?.((header) => response.headers.get(header), response.status);
  try {
    refuseRedirect(url, response);
    if (!isSuccess(response.status)) throw await refusal(response, exchange.signal);
    if (response.body === null || mediaType(response) !== "text/event-stream") throw noStream();
    const reading = { body: response.body, signal: exchange.signal, limit: limits.bytes };
    await readEvents(reading, { message: exchange.frame, mark: exchange.mark });
  } catch (problem) {
    discard(response.body);
    throw problem;
  }
}

function noStream(): GatewayError {
  return new GatewayError("upstream-broken", "The server has no event stream to take up. Look into its log.");
}

interface Receiver {
  readonly exchange: Exchange;
  readonly limits: Limits;
}

async function readAnswer(response: Response, body: ReadableStream, { exchange, limits }: Receiver): Promise<void> {
  const reading = { body, signal: exchange.signal, limit: limits.bytes };
  const type = mediaType(response);
  if (type === "text/event-stream") return readEvents(reading, { message: exchange.frame, mark: exchange.mark });
  if (type === "application/json") {
    const text = await readText(reading);
    if (text !== "") exchange.frame(text);
    return;
  }
  throw new GatewayError(
    "upstream-broken",
    type === "text/html"
      ? "The server answered with a web page instead of an MCP message. Check the address, and that no sign-in page stands before it."
      : "The server answered with something that is neither JSON nor an event stream. Check that the address is an MCP endpoint.",
  );
}

/** A JSON-RPC error in the body says more than the status, except where the person has to sign in first. */
async function readRefusal(response: Response, frame: OutgoingFrame, receiver: Receiver): Promise<void> {
  const { status, body } = response;
  const { exchange, limits } = receiver;
  const wall = status === 401 || status === 403;
  if (!wall && frame.kind === "request" && body !== null && mediaType(response) === "application/json") {
    const limit = Math.min(limits.bytes, MOST_OF_A_REFUSAL);
    const text = await readText({ body, signal: exchange.signal, limit });
    if (isErrorFrame(text)) return exchange.frame(text);
  }
  throw await refusal(response, exchange.signal);
}

const MOST_OF_A_REFUSAL = 1024 * 1024;

function isErrorFrame(text: string): boolean {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) && value.jsonrpc === "2.0" && isObject(value.error);
  } catch {
    return false;
  }
}
