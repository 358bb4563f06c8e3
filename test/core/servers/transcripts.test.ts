/** What real servers said, replayed by a program that says it again, reaches the agent in the same bytes. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Ports } from "../../../src/core/ports.ts";
import { sliceAt } from "../../../src/core/wire/splice.ts";
import { createWorld } from "../../fakes/gateway.ts";
import { readTranscript } from "../../fakes/replay.ts";
import { sharedData } from "../../shared-data.ts";

const FOLDER = "mcp/transcripts";
const FOLDER_URL = new URL(`../../../../shared/data/${FOLDER}/`, import.meta.url);

function names(): readonly string[] {
  if (sharedData(`${FOLDER}/n8n-mcp.jsonl`) === undefined) return [];
  return readdirSync(FOLDER_URL)
    .filter((name) => name.endsWith(".jsonl"))
    .filter((name) => readTranscript(sharedData(`${FOLDER}/${name}`) ?? "").exchanges.length > 0);
}

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

/** Answered by navra itself, or shown in its own selection. */
const OURS: ReadonlySet<string> = new Set(["initialize", "ping", "tools/list", "no/such/method"]);

describe.runIf(names().length > 0)("Recorded servers", () => {
  let compared = 0;
  it.each(names())("%s says to the agent what it said", async (name) => {
    const text = sharedData(`${FOLDER}/${name}`) ?? "";
    const world = await createWorld({ local: replaying(text) });
    await world.gateway.rules.save(ALLOW_ALL);
    const page = world.page();
    await page.initialize("2025-11-25");
    const known = new Set(world.gateway.registry.catalogue(world.server.id)?.tools.map((tool) => tool.name));
    for (const [at, { frame, answer }] of readTranscript(text).exchanges.entries()) {
      if (OURS.has(frame.method) || (frame.method === "tools/call" && !known.has(String(frame.params?.name)))) continue;
      page.send({ ...frame, jsonrpc: "2.0", id: `agent-${at}` });
      await page.reply(`agent-${at}`);
      expect(member(page.gotText.at(-1) ?? "")).toBe(member(answer));
      compared += 1;
    }
    expect(known.size).toBeGreaterThan(0);
  });

  it("were compared in more than a few frames", () => expect(compared).toBeGreaterThan(40));
});

const ALLOW_ALL = { id: "all", verdict: "allow", priority: 100, on: ["request"], when: {}, mode: "enforce" } as const;

function member(text: string): string | undefined {
  return sliceAt(text, ["result"]) ?? sliceAt(text, ["error"]);
}
