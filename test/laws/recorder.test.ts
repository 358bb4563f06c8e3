/** Laws of the chain: whatever is done to stored records afterwards, by a bit or by an entry, shows. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seal, verify } from "../../src/core/recorder/chain.ts";
import type { RecordBody, RecordEntry } from "../../src/core/recorder/entry.ts";
import { body, digest } from "../core/recorder/sample.ts";

type Path = readonly (string | number)[];

const text = fc.string({ unit: "binary", maxLength: 30 });
const bodies = fc.array(
  fc
    .record({
      agent: text,
      method: text,
      tool: text,
      request: text,
      at: fc.double({ noNaN: true, noDefaultInfinity: true }),
    })
    .map(
      ({ request, ...rest }): RecordBody => ({
        ...body("c"),
        ...rest,
        request: { ...body("c").request, text: request, findings: [] },
      }),
    ),
  { minLength: 2, maxLength: 6 },
);

async function chained(all: readonly RecordBody[]): Promise<RecordEntry[]> {
  const entries: RecordEntry[] = [];
  for (const next of all) entries.push(await seal(next, entries.at(-1), digest));
  return entries;
}

describe("the chain", () => {
  it("is whole as it was written, also after a way through JSON", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (all) => {
        const entries = await chained(all);
        expect(await verify(JSON.parse(JSON.stringify(entries)), digest)).toEqual({
          state: "whole",
          entries: all.length,
        });
      }),
      { numRuns: 50 },
    );
  });

  it("breaks when any bit of any field is edited", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.nat(), fc.nat(), fc.nat(), async (all, which, where, bit) => {
        const entries = await chained(all);
        const at = which % entries.length;
        const entry = structuredClone(entries[at]) as RecordEntry;
        const leaves = leavesOf(entry);
        const edited = edit(entry, leaves[where % leaves.length] ?? [], bit);
        const state = await verify(entries.with(at, edited as RecordEntry), digest);
        expect(state.state).toBe("broken");
      }),
      { numRuns: 400 },
    );
  });

  it("covers every single field of an entry", async () => {
    const entries = await chained([body("a"), body("b")]);
    const entry = entries[1] as RecordEntry;
    const leaves = leavesOf(entry);
    expect(leaves.length).toBeGreaterThan(25);
    for (const leaf of leaves) {
      const edited = edit(structuredClone(entry), leaf, 0) as RecordEntry;
      expect((await verify(entries.with(1, edited), digest)).state, leaf.join(".")).toBe("broken");
    }
  });

  it("breaks when a member is added or removed", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.nat(), async (all, where) => {
        const entries = await chained(all);
        const first = entries[0] as RecordEntry;
        const name = Object.keys(first)[where % Object.keys(first).length] as string;
        const { [name]: _gone, ...less } = first as unknown as Record<string, unknown>;
        expect((await verify(entries.with(0, less as unknown as RecordEntry), digest)).state).toBe("broken");
        expect((await verify(entries.with(0, { ...first, extra: 1 } as RecordEntry), digest)).state).toBe("broken");
      }),
      { numRuns: 50 },
    );
  });

  it("breaks when entries are deleted, moved or inserted", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.nat(), fc.nat(), async (all, one, other) => {
        const entries = await chained(all);
        const from = one % entries.length;
        const to = other % entries.length;
        const entry = entries[from] as RecordEntry;
        const without = entries.toSpliced(from, 1);
        // A missing end is seen by whoever remembers the end, not by the chain alone.
        if (from < entries.length - 1) expect((await verify(without, digest)).state).toBe("broken");
        if (from !== to) expect((await verify(without.toSpliced(to, 0, entry), digest)).state).toBe("broken");
        expect((await verify(entries.toSpliced(to, 0, entry), digest)).state).toBe("broken");
        const forged = await seal(body("forged"), entries[to - 1], digest);
        expect((await verify(entries.toSpliced(to, 0, forged), digest)).state).toBe("broken");
      }),
      { numRuns: 100 },
    );
  });
});

function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
}

function edit(value: unknown, [name, ...rest]: Path, bit: number): unknown {
  if (name === undefined) return flip(value, bit);
  const container = value as Record<string | number, unknown>;
  container[name] = edit(container[name], rest, bit);
  return container;
}

function flip(value: unknown, bit: number): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return flipNumber(value, bit % 64);
  if (typeof value !== "string") return 0;
  if (value === "") return "\u0000";
  const at = bit % value.length;
  return value.slice(0, at) + String.fromCharCode(value.charCodeAt(at) ^ (1 << (bit % 16))) + value.slice(at + 1);
}

/** One bit of the IEEE 754 form; where that makes no other JSON number, the next integer. */
function flipNumber(value: number, bit: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigUint64(0, view.getBigUint64(0) ^ (1n << BigInt(bit)));
  const flipped = view.getFloat64(0);
  return JSON.stringify(flipped) === JSON.stringify(value) ? value + 1 : flipped;
}
