/** The fake server behind a socket: what arrives is asked of its `fetch`, and every frame of the answer is said back. */
import type { Ports } from "../../src/core/ports.ts";
import type { FakeServer } from "./server.ts";

export function createFakeSocket(server: FakeServer): Ports["socket"] {
  return (url, _protocols, events) => {
    const closing = new AbortController();
    const answer = async (body: string): Promise<void> => {
      const response = await server.fetch(url, { method: "POST", headers: {}, body, signal: closing.signal });
      const text = await response.text();
      if (closing.signal.aborted || text === "") return;
      for (const frame of framesOf(text)) events.text(frame);
    };
    server.say = (frame) => events.text(JSON.stringify({ jsonrpc: "2.0", ...frame }));
    queueMicrotask(events.open);
    return {
      send: (text) => void answer(text).catch(() => undefined),
      close: () => closing.abort(),
    };
  };
}

function framesOf(text: string): readonly string[] {
  if (!text.startsWith("event:")) return [text];
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, frame = ""]) => frame);
}
