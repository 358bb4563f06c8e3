/** The fake server behind every other kind of transport: what it answers over HTTP is said as frames of one connection. */
import type { Ports } from "../../src/core/ports.ts";
import type { TransportKind } from "../../src/core/servers/server.ts";
import { createPair } from "../../src/core/transports/pair.ts";
import { localOver } from "./local.ts";
import type { FakeServer } from "./server.ts";

export function carried(
  server: FakeServer,
  kind: TransportKind,
): Partial<Pick<Ports, "fetch" | "socket" | "local" | "hosted">> {
  if (kind === "websocket") return { socket: overSocket(server) };
  if (kind === "http-sse") return { fetch: overTwoEndpoints(server) };
  if (kind === "native") return { local: localOver(server) };
  if (kind === "pair") return { hosted: inMemory(server) };
  return {};
}

const URLS: Readonly<Record<TransportKind, string>> = {
  "streamable-http": "http://127.0.0.1:9/mcp",
  websocket: "ws://127.0.0.1:9/mcp",
  "http-sse": "http://127.0.0.1:9/sse",
  native: "local:files",
  pair: "pair:",
};

export function urlOf(kind: TransportKind): string {
  return URLS[kind];
}

async function said(server: FakeServer, body: string, say: (frame: string) => void): Promise<void> {
  const signal = new AbortController().signal;
  const response = await server.fetch("", { method: "POST", headers: {}, body, signal });
  const text = await response.text();
  if (response.headers.get("content-type") !== "text/event-stream") {
    if (text !== "") say(text);
    return;
  }
  for (const event of text.split("\n\n")) {
    const [, frame] = /^data: (.*)$/m.exec(event) ?? [];
    if (frame !== undefined) say(frame);
  }
}

function overSocket(server: FakeServer): Ports["socket"] {
  return (_url, _protocols, events) => {
    queueMicrotask(events.open);
    return {
      send: (text) => void said(server, text, events.text).catch(() => undefined),
      close: () => undefined,
    };
  };
}

function overTwoEndpoints(server: FakeServer): Ports["fetch"] {
  let say = (_frame: string): void => undefined;
  return async (url, { method, body = "" }) => {
    if (method === "POST" && !url.endsWith("/messages")) return new Response(null, { status: 405 });
    if (method === "POST") {
      void said(server, body, say).catch(() => undefined);
      return new Response(null, { status: 202 });
    }
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        const write = (text: string): void => controller.enqueue(new TextEncoder().encode(text));
        say = (frame) => write(`event: message\ndata: ${frame}\n\n`);
        write("event: endpoint\ndata: /messages\n\n");
      },
    });
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  };
}

function inMemory(server: FakeServer): NonNullable<Ports["hosted"]> {
  return (_entry, events) => {
    const exchange = { signal: new AbortController().signal, sent() {}, frame() {} };
    const { left, right } = createPair(events, {
      unsolicited: (text) =>
        void said(server, text, (frame) => {
          right.send({ text: frame, headers: {}, kind: "reply" }, exchange).catch(() => undefined);
        }).catch(() => undefined),
      closed: () => undefined,
    });
    return left;
  };
}
