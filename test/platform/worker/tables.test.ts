import "fake-indexeddb/auto";
import { openDB } from "idb";
import { afterEach, describe, expect, it, vi } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import type { Rule } from "../../../src/core/policy/policy.ts";
import type { JournalEntry, Tables } from "../../../src/core/ports.ts";
import type { RecordEntry } from "../../../src/core/recorder/entry.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../../../src/platform/worker/database.ts";
import { MIGRATIONS, type Migration } from "../../../src/platform/worker/schema.ts";
import { openTables } from "../../../src/platform/worker/tables.ts";

const opened: Database[] = [];
let names = 0;

/** Timers that only run when the test says so. */
function fakeTimers() {
  const waiting = new Set<() => void>();
  return {
    after: (_ms: number, run: () => void) => {
      waiting.add(run);
      return () => waiting.delete(run);
    },
    runAll: () => {
      for (const run of [...waiting]) run();
    },
    count: () => waiting.size,
  };
}

function open(options: Partial<DatabaseOptions> = {}): Database {
  const database = openDatabase({ name: `navra-${names}`, patienceMs: 3000, after: fakeTimers().after, ...options });
  opened.push(database);
  return database;
}

const row = (id: string) => ({ id }) as unknown as Rule;
const record = (seq: number) => ({ seq, method: `m${seq}` }) as unknown as RecordEntry;
const secondStep: readonly Migration[] = [
  ...MIGRATIONS,
  (database) => void database.createObjectStore("later" as "rules"),
];

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(opened.splice(0).map((database) => database.close()));
  names += 1;
});

describe("a keyed table", () => {
  it("gives back what was put under each key, the newest for a key put twice", async () => {
    const { rules } = openTables(open());
    await rules.put("a", row("first"));
    await rules.put("b", row("other"));
    await rules.put("a", row("second"));
    expect(await rules.all()).toEqual([row("second"), row("other")]);
    await rules.remove("a");
    await rules.remove("never there");
    expect(await rules.all()).toEqual([row("other")]);
  });

  it("puts the rows of one moment in one transaction, and a row that cannot be stored spoils no other", async () => {
    const { rules } = openTables(open());
    await rules.all();
    const begun = vi.spyOn(IDBDatabase.prototype, "transaction");
    const unstorable = { ...row("bad"), when: () => undefined } as never;
    const [first, bad, last] = await Promise.allSettled([
      rules.put("a", row("a")),
      rules.put("bad", unstorable),
      rules.put("b", row("b")),
    ]);
    expect([first.status, bad.status, last.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(begun).toHaveBeenCalledTimes(1);
    begun.mockRestore();
    expect(await rules.all()).toEqual([row("a"), row("b")]);
  });

  it("is read together with all others that are asked for in one moment, and each gives its own rows", async () => {
    const tables = openTables(open());
    await tables.rules.put("a", row("a"));
    await tables.journal.put("call", { callId: "call" } as JournalEntry);
    const begun = vi.spyOn(IDBDatabase.prototype, "transaction");
    const read = await Promise.all([tables.rules.all(), tables.journal.all(), tables.pins.all(), tables.rules.all()]);
    expect(read).toEqual([[row("a")], [{ callId: "call" }], [], [row("a")]]);
    expect(begun).toHaveBeenCalledTimes(1);
    await tables.pins.all();
    expect(begun.mock.lastCall?.[0]).toEqual(["pins"]);
  });

  it("is read after what was put before, and before what is put after", async () => {
    const { rules } = openTables(open());
    await rules.all();
    const [, between] = await Promise.all([rules.put("a", row("a")), rules.all(), rules.put("b", row("b"))]);
    expect(between).toContainEqual(row("a"));
    expect(await rules.all()).toEqual([row("a"), row("b")]);
  });

  it("keeps every store of the gateway apart", async () => {
    const tables = openTables(open());
    const keyed = Object.entries(tables).filter(([name]) => name !== "records") as [
      keyof Tables,
      { put(key: string, row: unknown): Promise<void>; all(): Promise<unknown> },
    ][];
    for (const [name, table] of keyed) await table.put("key", { name });
    for (const [name, table] of keyed) expect(await table.all()).toEqual([{ name }]);
    expect(keyed.length).toBe(20);
  });

  it("outlives the connection", async () => {
    const first = open();
    await openTables(first).journal.put("call", { callId: "call" } as JournalEntry);
    await first.close();
    expect(await openTables(open()).journal.all()).toEqual([{ callId: "call" }]);
  });
});

describe("the record table", () => {
  it("has no last entry and no page while it is empty", async () => {
    const { records } = openTables(open());
    expect([await records.last(), await records.page({ limit: 5 }), await records.range(1, 5)]).toEqual([
      undefined,
      [],
      [],
    ]);
  });

  it("pages from the newest down and ranges from the oldest up", async () => {
    const { records } = openTables(open());
    await records.append([1, 2, 3].map(record));
    await records.append([4, 5].map(record));
    const seqs = (entries: readonly RecordEntry[]) => entries.map(({ seq }) => seq);
    expect((await records.last())?.seq).toBe(5);
    expect(seqs(await records.page({ limit: 2 }))).toEqual([5, 4]);
    expect(seqs(await records.page({ before: 4, limit: 2 }))).toEqual([3, 2]);
    expect(seqs(await records.page({ before: 2, limit: 9 }))).toEqual([1]);
    expect(seqs(await records.page({ limit: 0 }))).toEqual([]);
    expect(seqs(await records.range(2, 3))).toEqual([2, 3, 4]);
    expect(seqs(await records.range(2, 0))).toEqual([]);
  });

  it("pages across what was let go from the middle", async () => {
    const { records } = openTables(open());
    await records.append([1, 2, 3, 40, 41, 90].map(record));
    const seqs = async (query: Parameters<typeof records.page>[0]) => (await records.page(query)).map(({ seq }) => seq);
    expect(await seqs({ limit: 5 })).toEqual([90, 41, 40, 3, 2]);
    expect(await seqs({ before: 90, limit: 3 })).toEqual([41, 40, 3]);
    expect(await seqs({ limit: 100 })).toEqual([90, 41, 40, 3, 2, 1]);
  });

  it("adds all entries or none, and never replaces one", async () => {
    const { records } = openTables(open());
    await records.append([record(1)]);
    await expect(records.append([record(2), record(1)])).rejects.toBeInstanceOf(GatewayError);
    expect((await records.last())?.seq).toBe(1);
  });
});

describe("the connection", () => {
  it("lets two migrations at once both finish, and works on in the newest version", async () => {
    const old = open();
    await openTables(old).rules.put("a", row("kept"));
    const [one, two] = [open({ migrations: secondStep }), open({ migrations: secondStep })];
    const [first, second] = await Promise.all([openTables(one).rules.all(), openTables(two).rules.all()]);
    expect([first, second]).toEqual([[row("kept")], [row("kept")]]);
  });

  it("says that an older navra cannot use a newer storage", async () => {
    const old = open();
    await openTables(old).rules.all();
    await openTables(open({ migrations: secondStep })).rules.all();
    await expect(openTables(old).rules.all()).rejects.toThrow("newer version");
  });

  it("fails what waits when another copy holds up the migration, and leaves no connection behind once that copy is gone", async () => {
    const holder = await openDB(`navra-${names}`, 1, {
      upgrade: (database) => MIGRATIONS[0]?.(database as unknown as Parameters<Migration>[0]),
    });
    const timers = fakeTimers();
    const database = open({ migrations: secondStep, after: timers.after });
    const { rules } = openTables(database);
    const held = rules.all().catch((error: unknown) => error);
    await vi.waitFor(() => expect(timers.count()).toBe(1));
    timers.runAll();
    expect(await held).toMatchObject({ fault: "internal-error", message: expect.stringContaining("Another copy") });
    const closings = vi.spyOn(IDBDatabase.prototype, "close");
    holder.close();
    expect(await rules.all()).toEqual([]);
    expect(closings).toHaveBeenCalledTimes(2);
  });

  it("forgets its patience when the migration goes through after all", async () => {
    const holder = await openDB(`navra-${names}`, 1, {
      upgrade: (database) => MIGRATIONS[0]?.(database as unknown as Parameters<Migration>[0]),
    });
    const timers = fakeTimers();
    const waiting = openTables(open({ migrations: secondStep, after: timers.after })).rules.all();
    await vi.waitFor(() => expect(timers.count()).toBe(1));
    holder.close();
    expect(await waiting).toEqual([]);
    expect(timers.count()).toBe(0);
  });

  it("opens anew after the browser ended it", async () => {
    const listen = vi.spyOn(IDBDatabase.prototype, "addEventListener");
    const database = open();
    const { rules } = openTables(database);
    await rules.put("a", row("kept"));
    const ended = listen.mock.calls.find(([type]) => (type as string) === "close")?.[1] as () => void;
    const openings = vi.spyOn(IDBFactory.prototype, "open");
    await database.use(async (connection) => connection.close());
    ended();
    expect(await rules.all()).toEqual([row("kept")]);
    expect(openings).toHaveBeenCalledTimes(1);
  });

  it("opens anew and tries once more where it was closed without a word", async () => {
    const database = open();
    const { rules } = openTables(database);
    await rules.put("a", row("kept"));
    await database.use(async (connection) => connection.close());
    expect(await Promise.all([rules.all(), rules.all()])).toEqual([[row("kept")], [row("kept")]]);
  });

  it("tries to open again after it could not be opened", async () => {
    const { rules } = openTables(open());
    const refused = vi.spyOn(IDBFactory.prototype, "open").mockImplementationOnce(() => {
      throw new DOMException("no", "UnknownError");
    });
    await expect(rules.all()).rejects.toMatchObject({ fault: "internal-error" });
    refused.mockRestore();
    expect(await rules.all()).toEqual([]);
  });
});

describe("a full disk", () => {
  it.each([
    ["when the row is put", () => vi.spyOn(IDBObjectStore.prototype, "put")],
    ["when an entry is added", () => vi.spyOn(IDBObjectStore.prototype, "add")],
  ])("surfaces as a named fault %s, and the next write works again", async (_when, spy) => {
    const tables = openTables(open());
    await tables.rules.all();
    const full = spy().mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    const write = () => Promise.all([tables.rules.put("a", row("a")), tables.records.append([record(1)])]);
    await expect(write()).rejects.toMatchObject({
      fault: "storage-full",
      message: expect.stringContaining("Free some"),
    });
    full.mockRestore();
    await expect(tables.rules.put("a", row("a"))).resolves.toBeUndefined();
  });

  it("surfaces when the transaction ends without room", async () => {
    const tables = openTables(open());
    await tables.rules.all();
    const original = IDBObjectStore.prototype.put;
    const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...put) {
      const request = original.apply(this, put);
      const abort = new DOMException("full", "QuotaExceededError");
      Object.defineProperty(this.transaction, "error", { value: abort });
      this.transaction.abort();
      return request;
    });
    await expect(tables.rules.put("a", row("a"))).rejects.toBeInstanceOf(GatewayError);
    full.mockRestore();
    expect(await tables.rules.all()).toEqual([]);
  });
});
