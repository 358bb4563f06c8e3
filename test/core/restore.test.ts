/** What a worker reads before it lets anything pass: all of it, none of it one after the other, and no call without it. */
import { describe, expect, it } from "vitest";
import { createWorld } from "../fakes/gateway.ts";
import { createFakeTables, type FakeTable, type FakeTables } from "../fakes/tables.ts";

/** The sessions with servers are looked up with the first call to each; records are evidence and hold up nothing. */
const LATER = new Set(["upstreams", "records"]);
const READ = Object.keys(createFakeTables()).filter((name) => !LATER.has(name)) as Exclude<
  keyof FakeTables,
  "records"
>[];

/** Tables that a world of before left behind, so that the next one begins as a woken worker does. */
async function left(): Promise<FakeTables> {
  return (await createWorld()).tables;
}

function replaceAll(table: FakeTable<unknown>, all: () => Promise<readonly unknown[]>): void {
  Object.assign(table, { all });
}

describe("a worker that wakes", () => {
  it("asks for every table in its first turn, so that they are read at once", async () => {
    const tables = await left();
    const asked = new Set<string>();
    for (const name of READ) {
      replaceAll(tables[name], () => {
        asked.add(name);
        return new Promise(() => undefined);
      });
    }
    void createWorld({ tables });
    await Promise.resolve();
    expect([...asked].sort()).toEqual([...READ].sort());
  });

  it.each(READ)("does not begin while %s is not read", async (name) => {
    const tables = await left();
    const all = tables[name].all;
    let give = (): void => undefined;
    const given = new Promise<void>((resolve) => {
      give = resolve;
    });
    replaceAll(tables[name], async () => {
      await given;
      return all();
    });
    let began = false;
    const world = createWorld({ tables }).then(() => {
      began = true;
    });
    await new Promise((turn) => setImmediate(turn));
    expect(began).toBe(false);
    give();
    await world;
    expect(began).toBe(true);
  });

  it.each(READ)("does not begin where %s cannot be read", async (name) => {
    const tables = await left();
    replaceAll(tables[name], () => Promise.reject(new Error("unreadable")));
    await expect(createWorld({ tables })).rejects.toThrow("unreadable");
  });

  it("begins where rows that are past cannot be removed", async () => {
    const tables = await left();
    tables.faces.rows.set("gone c", {
      channel: "c",
      documentId: "gone",
      server: "files",
      revision: null,
      agent: "",
      at: 0,
    });
    tables.usage.rows.set("old", { principalKey: "old", usage: [] });
    for (const name of ["faces", "usage"] as const) tables[name].failure = new Error("full");
    const world = await createWorld({ tables });
    expect(world.gateway.usage.of("old")).toEqual([]);
    for (const name of ["faces", "usage"] as const) tables[name].failure = undefined;
    await world.reborn();
    await new Promise((turn) => setImmediate(turn));
    expect([tables.faces.rows.has("gone c"), tables.usage.rows.has("old")]).toEqual([false, false]);
  });
});
