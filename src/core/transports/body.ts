/**
 * Reads a response body within a limit: whole as one text, or event by event. No more than one frame's limit is ever
 * held, bytes that are not UTF-8 end the reading, and aborting ends it at once. An event stream is a sequence: each event
 * is handed on when it is complete, and only events that carry a message are (the priming event has empty data).
 *
 * @see WHATWG HTML · Server-sent events · Parsing an event stream
 * @see MCP 2025-11-25 · Transports · Streamable HTTP
 */
import { createParser } from "eventsource-parser";
import { GatewayError } from "../errors.ts";
import { untilAborted } from "./abortable.ts";
import type { EventMark } from "./channel.ts";

export interface Reading {
  readonly body: ReadableStream;
  readonly signal: AbortSignal;
  /** UTF-8 bytes of one frame. */
  readonly limit: number;
}

/** The connection ended before the body did. */
export class BrokenStream extends GatewayError {}

export interface EventSink {
  readonly message: (data: string) => void;
  /** Events of other names. */
  readonly named?: (event: string, data: string) => void;
  readonly mark?: ((mark: EventMark) => void) | undefined;
}

/** A byte-order mark is kept, so that the codec can judge it. */
export async function readText(reading: Reading): Promise<string> {
  const pieces: string[] = [];
  let left = reading.limit;
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  await eachChunk(reading, (bytes) => {
    left -= bytes.length;
    if (left < 0) throw tooLarge();
    pieces.push(decoded(() => decoder.decode(bytes, { stream: true })));
  });
  pieces.push(decoded(() => decoder.decode()));
  return pieces.join("");
}

export async function readEvents(reading: Reading, { message, named, mark }: EventSink): Promise<void> {
  let overflow = false;
  const parser = createParser({
    maxBufferSize: reading.limit,
    onEvent: ({ event, data, id }) => {
      if (id !== undefined) mark?.({ id });
      if (overflow || data === "") return;
      if (data.length > reading.limit) overflow = true;
      else if (event !== undefined && event !== "message") named?.(event, data);
      else message(data);
    },
    onRetry: (retry) => mark?.({ retry }),
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") overflow = true;
    },
  });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  await eachChunk(reading, (bytes) => {
    parser.feed(decoded(() => decoder.decode(bytes, { stream: true })));
    if (overflow) throw tooLarge();
  });
}

/** Gives the body up without reading it; a body that cannot be given up is none of our concern. */
export function discard(body: ReadableStream | null): void {
  body?.cancel().catch(() => undefined);
}

async function eachChunk({ body, signal }: Reading, take: (bytes: Uint8Array) => void): Promise<void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await untilAborted(signal, received(reader.read()));
      if (done) return;
      take(value);
    }
  } catch (problem) {
    reader.cancel().catch(() => undefined);
    throw problem;
  }
}

async function received<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch {
    throw new BrokenStream(
      "upstream-broken",
      "The connection to the server broke while it answered. The call may have happened: look before you send it again.",
    );
  }
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new GatewayError("upstream-broken", "The server sent bytes that are not UTF-8. Its answer cannot be read.");
  }
}

function tooLarge(): GatewayError {
  return new GatewayError(
    "too-large",
    "The server's answer is longer than the limit for one message. Ask for less, or raise the limit in the settings.",
  );
}
