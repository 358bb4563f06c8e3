/** What real servers said, replayed by a program that says it again, reaches the agent in the same bytes. */
import { describe, expect, it } from "vitest";
import type { Ports } from "../../../src/core/ports.ts";
import { createWorld } from "../../fakes/gateway.ts";
import { readTranscript } from "../../fakes/replay.ts";
import { askAgain, transcriptNames, transcriptText } from "../../fakes/transcripts.ts";

function replaying(text: string): Ports["local"] {
  return (_entryName, events) => {
    const transcript = readTranscript(text);
    queueMicrotask(events.open);
    return {
      send: (line) =>
        queueMicrotask(() => {
          // The host passes on lines that are messages and counts the others.
          for (const answer of transcript.answer(line)) if (/^\s*[[{]/.test(answer)) events.text(answer);
        }),
      close() {},
    };
  };
}

describe.runIf(transcriptNames().length > 0)("Recorded servers", () => {
  let compared = 0;
  it.each(transcriptNames())("%s says to the agent what it said", async (name) => {
    const world = await createWorld({ local: replaying(transcriptText(name)) });
    expect(world.gateway.registry.catalogue(world.server.id)?.tools.length).toBeGreaterThan(0);
    for (const { got, wrote } of await askAgain(world, name)) {
      expect(got).toBe(wrote);
      compared += 1;
    }
  });

  it("were compared in more than a few frames", () => expect(compared).toBeGreaterThan(40));
});
