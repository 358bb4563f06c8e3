/** Fake ports for what reaches servers: a fetch that a test answers, sockets that a test drives. */
import type { FetchRequest, LocalEvents, LocalLine, Ports, Socket, SocketEvents } from "../../../src/core/ports.ts";

export interface FakeRequest extends FetchRequest {
  readonly url: string;
  /** The body as JSON, or `{}`. */
  readonly json: { id?: unknown; method?: string; params?: Record<string, unknown>; [member: string]: unknown };
}

export type Handler = (request: FakeRequest) => Response | Promise<Response>;

export function createFakeFetch(handler: Handler): { fetch: Ports["fetch"]; requests: FakeRequest[] } {
  const requests: FakeRequest[] = [];
  return {
    requests,
    async fetch(url, request) {
      const seen = { ...request, url, json: JSON.parse(request.body ?? "{}") };
      requests.push(seen);
      return handler(seen);
    },
  };
}

export interface FakeSocket extends Socket {
  readonly protocols: readonly string[];
  readonly events: SocketEvents;
  readonly sent: string[];
  closed: boolean;
}

export function createFakeSockets(): { socket: Ports["socket"]; sockets: FakeSocket[] } {
  const sockets: FakeSocket[] = [];
  return {
    sockets,
    socket(_url, protocols, events) {
      const made: FakeSocket = {
        protocols,
        events,
        sent: [],
        closed: false,
        send: (text) => {
          made.sent.push(text);
        },
        close: () => {
          made.closed = true;
        },
      };
      sockets.push(made);
      return made;
    },
  };
}

export interface FakeRun extends LocalLine {
  readonly entryName: string;
  readonly events: LocalEvents;
  readonly sent: string[];
  closed: boolean;
}

/** Runs of local servers that a test drives. */
export function createFakeLocals(): { local: Ports["local"]; runs: FakeRun[] } {
  const runs: FakeRun[] = [];
  return {
    runs,
    local(entryName, events) {
      const made: FakeRun = {
        entryName,
        events,
        sent: [],
        closed: false,
        send: (frame) => {
          made.sent.push(frame);
        },
        close: () => {
          made.closed = true;
        },
      };
      runs.push(made);
      return made;
    },
  };
}

/** A body that a test writes piece by piece. */
export function createOpenBody(): {
  body: ReadableStream<Uint8Array>;
  write: (data: string | Uint8Array) => void;
  end: () => void;
  fail: () => void;
  cancelled: () => boolean;
} {
  let cancelled = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (made) => {
      controller = made;
    },
    cancel: () => {
      cancelled = true;
    },
  });
  return {
    body,
    write: (data) => controller?.enqueue(typeof data === "string" ? new TextEncoder().encode(data) : data),
    end: () => controller?.close(),
    fail: () => controller?.error(new Error("reset")),
    cancelled: () => cancelled,
  };
}

export function json(body: string, init: ResponseInit = {}): Response {
  return new Response(body, { ...init, headers: { "content-type": "application/json", ...init.headers } });
}

export function events(...frames: readonly string[]): Response {
  return stream(frames.map((frame) => `event: message\ndata: ${frame}\n\n`).join(""));
}

export function stream(body: string | Uint8Array | ReadableStream, init: ResponseInit = {}): Response {
  return new Response(body as BodyInit, { ...init, headers: { "content-type": "text/event-stream", ...init.headers } });
}

/** Turns of the event loop until something is so; no time passes. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000; turn += 1) {
    if (holds()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error("it never came to be");
}

export async function turns(count = 5): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
