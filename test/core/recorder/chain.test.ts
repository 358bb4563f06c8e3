import { describe, expect, it } from "vitest";
import { FIRST_PREV, seal, verify } from "../../../src/core/recorder/chain.ts";
import type { RecordEntry } from "../../../src/core/recorder/entry.ts";
import { body, digest } from "./sample.ts";

async function chain(length: number): Promise<RecordEntry[]> {
  const entries: RecordEntry[] = [];
  for (let at = 1; at <= length; at += 1) entries.push(await seal(body(`c${at}`), entries.at(-1), digest));
  return entries;
}

describe("chain", () => {
  it("numbers entries from 1 and links each to the one before", async () => {
    const [first, second] = await chain(2);
    expect(first).toMatchObject({ seq: 1, prev: FIRST_PREV });
    expect(second).toMatchObject({ seq: 2, prev: first?.hash });
  });

  it("hashes the hash before, a newline, and the canonical form of all other members", async () => {
    const entry = await seal({ ...body("c1") }, undefined, digest);
    const { hash, prev, ...rest } = entry;
    const reordered = Object.fromEntries(Object.entries(rest).reverse()) as unknown as RecordEntry;
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await verify([{ ...reordered, prev, hash }], digest)).toEqual({ state: "whole", entries: 1 });
  });

  it("verifies a whole chain, and a later part of it from the entry before", async () => {
    const entries = await chain(5);
    expect(await verify(entries, digest)).toEqual({ state: "whole", entries: 5 });
    expect(await verify(entries.slice(2), digest, entries[1])).toEqual({ state: "whole", entries: 3 });
    expect(await verify([], digest)).toEqual({ state: "whole", entries: 0 });
  });

  it("names the first record that is wrong, in a sentence", async () => {
    const entries = await chain(4);
    const edited = entries.map((entry) => (entry.seq === 3 ? { ...entry, tool: "file_write" } : entry));
    expect(await verify(edited, digest)).toEqual({
      state: "broken",
      seq: 3,
      problem: "Record 3 was changed after it was written.",
    });
    expect(await verify(entries.slice(1), digest)).toMatchObject({
      seq: 1,
      problem: "Records are missing before record 2.",
    });
  });
});
