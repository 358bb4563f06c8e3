/** The fake server as a program of this machine: every line goes to it as a frame, every frame of its answers comes back. */
import type { Ports } from "../../src/core/ports.ts";
import type { FakeServer } from "./server.ts";

export function localOver(server: FakeServer): Ports["local"] {
  return (_entryName, events) => {
    const ended = new AbortController();
    queueMicrotask(events.open);
    return {
      send(text) {
        const request = { method: "POST", headers: {}, body: text, signal: ended.signal } as const;
        server.fetch("local:", request).then(
          async (response) => {
            for (const frame of frames(await response.text())) if (!ended.signal.aborted) events.text(frame);
          },
          () => undefined,
        );
      },
      close: () => ended.abort(),
    };
  };
}

function frames(body: string): readonly string[] {
  if (body === "") return [];
  return body.startsWith("event:") ? [...body.matchAll(/^data: (.*)$/gm)].map((match) => match[1] ?? "") : [body];
}
