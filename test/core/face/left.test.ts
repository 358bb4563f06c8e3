import { describe, expect, it } from "vitest";
import type { Channels } from "../../../src/core/face/channels.ts";
import { settleLeft } from "../../../src/core/face/left.ts";
import type { JournalEntry } from "../../../src/core/ports.ts";
import type { RecordEntry } from "../../../src/core/recorder/entry.ts";
import type { Recorder } from "../../../src/core/recorder/recorder.ts";
import { createFakeTable } from "../../fakes/tables.ts";

const entry = (callId: string, at: number): JournalEntry => ({
  callId,
  documentId: "doc",
  channel: "c",
  rpcId: `"${callId}"`,
  phase: "sent",
  at,
  record: { callId, revision: "2025-11-25", method: "tools/call" } as JournalEntry["record"],
});
const recorded = (...callIds: string[]) => callIds.map((callId) => ({ callId, at: 0, ms: 10 }) as RecordEntry);

function setUp({ atHand, kept }: { readonly atHand: readonly RecordEntry[]; readonly kept: readonly RecordEntry[] }) {
  const table = createFakeTable<JournalEntry>();
  const written: string[] = [];
  const told: string[] = [];
  let pages = 0;
  const records = {
    recent: () => atHand,
    page: async () => {
      pages += 1;
      return kept;
    },
    write: ({ callId }: { readonly callId: string }) => void written.push(callId),
    flush: async () => undefined,
    trouble: () => undefined,
  } as unknown as Recorder;
  const channels = {
    lost: ({ callId }: JournalEntry, { ask }: { readonly ask: string }) => void told.push(`${callId} ${ask}`),
  } as unknown as Channels;
  const settle = async (...callIds: string[]): Promise<void> => {
    const entries = callIds.map((callId) => entry(callId, left.began));
    for (const one of entries) table.rows.set(one.callId, one);
    await settleLeft({ entries, table, records, channels });
    await new Promise((turn) => setImmediate(turn));
  };
  const left = { table, written, told, pages: () => pages, settle, began: 0 };
  return left;
}

describe("calls that a dead worker left behind", () => {
  it("cost no reading of more records where those at hand name them all", async () => {
    const left = setUp({ atHand: recorded("a", "b", "other"), kept: [] });
    await left.settle("a", "b");
    expect([left.pages(), left.written, left.told]).toEqual([0, [], ["a only", "b only"]]);
    expect(left.table.rows.size).toBe(0);
  });

  it("cost no reading of more records either where those at hand go back to before they began", async () => {
    const left = setUp({ atHand: recorded("other"), kept: [] });
    left.began = 12;
    await left.settle("a");
    expect([left.pages(), left.written, left.told]).toEqual([0, ["a"], ["a too"]]);
  });

  it("are looked for among more records where one is not at hand", async () => {
    const left = setUp({ atHand: recorded("a"), kept: recorded("a", "b") });
    await left.settle("a", "b", "c");
    expect([left.pages(), left.written, left.told]).toEqual([1, ["c"], ["a only", "b only", "c too"]]);
  });

  it("are settled also where their rows cannot be removed", async () => {
    const left = setUp({ atHand: [], kept: [] });
    left.table.failure = new Error("full");
    await left.settle("a");
    expect([left.written, left.told, left.table.rows.size]).toEqual([["a"], ["a too"], 1]);
  });
});
