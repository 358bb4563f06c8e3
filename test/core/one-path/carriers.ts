/** The same server behind every kind of transport: what each needs of the ports, and how its server is registered. */
import type { Ports } from "../../../src/core/ports.ts";
import type { TransportKind } from "../../../src/core/servers/server.ts";
import type { Channel, ChannelEvents } from "../../../src/core/transports/channel.ts";
import { createPair } from "../../../src/core/transports/pair.ts";
import { createOpenBody, json, stream } from "../transports/fakes.ts";
import { answer, type Frame, isOneFrame, modernWanted, type Wire } from "./brain.ts";

/** Every frame that reached the server. */
export type Heard = (frame: Frame) => void;

export interface Carrier {
  readonly kind: TransportKind;
  readonly url: string;
  /** Eras that exist over it. */
  readonly modern: boolean;
  readonly ports: (modern: boolean, heard: Heard) => Partial<Pick<Ports, "fetch" | "socket" | "local" | "hosted">>;
}

export const CARRIERS: Readonly<Record<string, Carrier>> = {
  "streamable-http, one document": {
    kind: "streamable-http",
    url: "https://one.example/mcp",
    modern: true,
    ports: (modern, heard) => ({ fetch: overHttp(modern, isOneFrame, heard) }),
  },
  "streamable-http, a stream": {
    kind: "streamable-http",
    url: "https://one.example/mcp",
    modern: true,
    ports: (modern, heard) => ({ fetch: overHttp(modern, () => false, heard) }),
  },
  websocket: { kind: "websocket", url: "wss://one.example/mcp", modern: true, ports: overSocket },
  "http-sse": { kind: "http-sse", url: "https://one.example/sse", modern: false, ports: overTwoEndpoints },
  native: { kind: "native", url: "local:one", modern: true, ports: overNative },
  pair: { kind: "pair", url: "pair:", modern: true, ports: inMemory },
};

/** Replies to the server's questions find the one who asked. */
function createWire(modern: boolean, say: (frame: string) => void) {
  const asked = new Map<unknown, (reply: unknown) => void>();
  const wire: Wire = {
    say,
    ask: (frame) =>
      new Promise((resolve) => {
        asked.set(frame.id, resolve);
        say(JSON.stringify({ jsonrpc: "2.0", ...frame }));
      }),
  };
  if (modern) modernWanted.add(wire);
  return {
    wire,
    /** Whether the frame was a reply to a question. */
    heard(frame: Frame): boolean {
      const settle = frame.method === undefined ? asked.get(frame.id) : undefined;
      asked.delete(frame.id);
      settle?.(frame);
      return settle !== undefined;
    },
  };
}

function overHttp(modern: boolean, asDocument: (frame: Frame) => boolean, heard: Heard): Ports["fetch"] {
  const open = new Set<ReturnType<typeof createWire>>();
  return async (_url, { method, body = "" }) => {
    if (method !== "POST") return new Response(null, { status: 405 });
    const frame = JSON.parse(body) as Frame;
    heard(frame);
    if (frame.method === undefined || frame.id === undefined) {
      for (const one of open) if (one.heard(frame)) break;
      return new Response(null, { status: 202 });
    }
    if (asDocument(frame)) {
      let said = "";
      const one = createWire(modern, (text) => {
        said = text;
      });
      await answer(frame, one.wire);
      return json(said);
    }
    const out = createOpenBody();
    const one = createWire(modern, (text) => out.write(`event: message\ndata: ${text}\n\n`));
    open.add(one);
    void answer(frame, one.wire).then(() => {
      open.delete(one);
      out.end();
    });
    return stream(out.body);
  };
}

function overSocket(modern: boolean, heard: Heard): Pick<Ports, "socket"> {
  return {
    socket: (_url, _protocols, events) => {
      const one = createWire(modern, events.text);
      queueMicrotask(events.open);
      return {
        send: (text) => take(one, text, heard),
        close: () => undefined,
      };
    },
  };
}

function overNative(modern: boolean, heard: Heard): Pick<Ports, "local"> {
  return {
    local: (_entryName, events) => {
      const one = createWire(modern, events.text);
      queueMicrotask(events.open);
      return { send: (text) => take(one, text, heard), close: () => undefined };
    },
  };
}

function overTwoEndpoints(_modern: boolean, heard: Heard): Pick<Ports, "fetch"> {
  let one: ReturnType<typeof createWire> | undefined;
  return {
    fetch: async (url, { method, body = "" }) => {
      if (method === "GET") {
        const out = createOpenBody();
        one = createWire(false, (text) => out.write(`event: message\ndata: ${text}\n\n`));
        out.write("event: endpoint\ndata: /messages\n\n");
        return stream(out.body);
      }
      if (!url.endsWith("/messages")) return new Response(null, { status: 405 });
      if (one) take(one, body, heard);
      return new Response(null, { status: 202 });
    },
  };
}

function inMemory(modern: boolean, heard: Heard): Pick<Ports, "hosted"> {
  return {
    hosted(_server, events: ChannelEvents): Channel {
      const exchange = { signal: new AbortController().signal, sent() {}, frame() {} };
      const { left, right } = createPair(events, {
        unsolicited: (text) => take(one, text, heard),
        closed: () => undefined,
      });
      const one = createWire(modern, (text) => {
        right.send({ text, headers: {}, kind: "reply" }, exchange).catch(() => undefined);
      });
      return left;
    },
  };
}

function take(one: ReturnType<typeof createWire>, text: string, heard: Heard): void {
  const frame = JSON.parse(text) as Frame;
  heard(frame);
  if (!one.heard(frame)) void answer(frame, one.wire);
}
