import { describe, expect, it } from "vitest";
import { createRecorder } from "../../../src/core/recorder/recorder.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { createFakeRecordTable } from "../../fakes/tables.ts";
import { body, digest } from "./sample.ts";

function setUp(options: { readonly limit?: number; readonly table?: ReturnType<typeof createFakeRecordTable> } = {}) {
  const table = options.table ?? createFakeRecordTable();
  const clock = createFakeClock();
  let news = 0;
  const recorder = createRecorder({
    table,
    digest,
    clock,
    changed: () => {
      news += 1;
    },
    ...(options.limit === undefined ? {} : { limit: options.limit }),
  });
  return { table, clock, recorder, news: () => news };
}

/** Lets what is under way come to rest. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe("recorder", () => {
  it("writes records in order, chained, and says so", async () => {
    const { recorder, table, news } = setUp();
    await recorder.restore();
    for (let at = 1; at <= 250; at += 1) recorder.write(body(`c${at}`));
    await recorder.flush();
    expect(table.entries.map(({ seq, callId }) => `${seq} ${callId}`)).toEqual(
      Array.from({ length: 250 }, (_, at) => `${at + 1} c${at + 1}`),
    );
    expect(await recorder.verifyAll()).toEqual({ state: "whole", entries: 250 });
    expect(news()).toBeGreaterThan(0);
    expect(recorder.trouble()).toBeUndefined();
  });

  it("continues the chain of an earlier worker and shows its newest records", async () => {
    const first = setUp();
    first.recorder.write(body("old"));
    await first.recorder.flush();
    const { recorder, table } = setUp({ table: first.table });
    await recorder.restore();
    expect(recorder.recent(10).map(({ callId }) => callId)).toEqual(["old"]);
    recorder.write(body("new"));
    await recorder.flush();
    expect(table.entries.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(await recorder.verifyAll()).toEqual({ state: "whole", entries: 2 });
  });

  it("shows a record at once, newest first, and with its place in the chain later", async () => {
    const { recorder } = setUp();
    recorder.write(body("a"));
    recorder.write(body("b"));
    expect(recorder.recent(1)).toMatchObject([{ callId: "b", seq: 0, hash: "" }]);
    await recorder.flush();
    expect(recorder.recent(5)).toMatchObject([
      { callId: "b", seq: 2 },
      { callId: "a", seq: 1 },
    ]);
    expect(recorder.recent(0)).toEqual([]);
  });

  it("keeps records of private windows in memory only, outside the chain", async () => {
    const { recorder, table } = setUp();
    recorder.write(body("a"));
    recorder.write(body("secret", "private"));
    recorder.write(body("b"));
    await recorder.flush();
    expect(table.entries.map(({ seq, callId }) => `${seq} ${callId}`)).toEqual(["1 a", "2 b"]);
    expect(recorder.recent(5)[1]).toMatchObject({ callId: "secret", seq: 0, hash: "", prev: "" });
    expect(await recorder.page({ limit: 10 })).toHaveLength(2);
  });

  it("holds records while the table fails, tells why, and writes them all once it works", async () => {
    const { recorder, table, clock } = setUp();
    table.failure = new Error("full");
    recorder.write(body("a"));
    await recorder.flush();
    recorder.write(body("b"));
    expect(recorder.trouble()).toContain("2 records wait in memory");
    table.failure = undefined;
    clock.advance(1_000);
    await settled();
    expect(table.entries.map(({ callId }) => callId)).toEqual(["a", "b"]);
    expect(recorder.trouble()).toBeUndefined();
    expect(await recorder.verifyAll()).toEqual({ state: "whole", entries: 2 });
  });

  it("tries again ever more patiently", async () => {
    const { recorder, table, clock } = setUp();
    let tries = 0;
    table.append = async () => {
      tries += 1;
      throw new Error("blocked");
    };
    recorder.write(body("a"));
    clock.advance(10);
    await settled();
    for (const [ms, expected] of [
      [999, 1],
      [1, 2],
      [1_999, 2],
      [1, 3],
      [4_000, 4],
      [600_000, 5],
    ] as const) {
      clock.advance(ms);
      await settled();
      expect(tries).toBe(expected);
    }
  });

  it("does not write twice what a failed write had written", async () => {
    const { recorder, table, clock } = setUp();
    const append = table.append;
    table.append = async (entries) => {
      await append(entries);
      table.append = append;
      throw new Error("the answer was lost");
    };
    recorder.write(body("a"));
    await recorder.flush();
    recorder.write(body("b"));
    clock.advance(1_000);
    await settled();
    await recorder.flush();
    expect(table.entries.map(({ seq, callId }) => `${seq} ${callId}`)).toEqual(["1 a", "2 b"]);
    expect(await recorder.verifyAll()).toEqual({ state: "whole", entries: 2 });
  });

  it("keeps the oldest when too many wait, and counts what it turned away", async () => {
    const { recorder, table, clock } = setUp({ limit: 3 });
    table.failure = new Error("full");
    for (const id of ["a", "b", "c", "d", "e"]) recorder.write(body(id));
    expect(recorder.full()).toBe(true);
    expect(recorder.lost()).toBe(2);
    await recorder.flush();
    expect(recorder.trouble()).toContain("2 could not be kept");
    table.failure = undefined;
    clock.advance(60_000);
    await settled();
    expect(table.entries.map(({ callId }) => callId)).toEqual(["a", "b", "c"]);
    expect(recorder.full()).toBe(false);
  });

  it("starts with a table that cannot be read, and recovers", async () => {
    const { recorder, table, clock } = setUp();
    const { page, last } = table;
    table.page = table.last = async () => {
      throw new Error("blocked");
    };
    await recorder.restore();
    recorder.write(body("a"));
    await recorder.flush();
    expect(recorder.trouble()).toContain("1 record waits");
    Object.assign(table, { page, last });
    clock.advance(1_000);
    await settled();
    expect(table.entries).toHaveLength(1);
  });

  it("loses no record that is written in the moment a run ends", async () => {
    const { recorder, table, clock } = setUp();
    for (let at = 0; at < 50; at += 1) {
      recorder.write(body(`c${at}`));
      if (at % 2 === 0) void recorder.flush();
      for (let turn = 0; turn < at; turn += 1) await Promise.resolve();
    }
    clock.advance(10);
    await settled();
    expect(table.entries).toHaveLength(50);
  });

  it("puts records of one moment into the table together, and says when they are there", async () => {
    const { recorder, table, clock } = setUp();
    const writes: number[] = [];
    const append = table.append;
    table.append = (entries) => {
      writes.push(entries.length);
      return append(entries);
    };
    recorder.write(body("a"));
    const stored = recorder.stored();
    clock.advance(5);
    recorder.write(body("b"));
    await settled();
    expect(writes).toEqual([]);
    clock.advance(5);
    await stored;
    expect(writes).toEqual([2]);
  });

  it("sees when the newest records were cut off or replaced", async () => {
    const { recorder, table } = setUp();
    for (const id of ["a", "b", "c"]) recorder.write(body(id));
    await recorder.flush();
    const removed = table.entries.pop();
    expect(await recorder.verifyAll()).toEqual({
      state: "broken",
      seq: 3,
      problem: "Records are missing after record 2.",
    });
    const other = setUp();
    for (const id of ["a", "b", "x"]) other.recorder.write(body(id));
    await other.recorder.flush();
    table.entries.push(...other.table.entries.slice(2));
    expect(removed?.seq).toBe(3);
    expect(await recorder.verifyAll()).toMatchObject({ state: "broken", seq: 3 });
  });
});
