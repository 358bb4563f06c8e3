/**
 * The gateway's tables over IndexedDB. Everything here outlives the worker; rows of private windows never come this far,
 * the gateway keeps those to itself. Records are only ever added: an entry that is there already is a fault, not an update.
 */
import type { RecordTable, Table, Tables } from "../../core/ports.ts";
import type { RecordEntry } from "../../core/recorder/entry.ts";
import type { Database } from "./database.ts";
import type { KeyedRows, KeyedStore } from "./schema.ts";

export function openTables(database: Database): Tables {
  return {
    servers: keyedTable(database, "servers"),
    catalogues: keyedTable(database, "catalogues"),
    connections: keyedTable(database, "connections"),
    rules: keyedTable(database, "rules"),
    ruleHistory: keyedTable(database, "ruleHistory"),
    policyHead: keyedTable(database, "policyHead"),
    usage: keyedTable(database, "usage"),
    sessions: keyedTable(database, "sessions"),
    grants: keyedTable(database, "grants"),
    pins: keyedTable(database, "pins"),
    approvals: keyedTable(database, "approvals"),
    journal: keyedTable(database, "journal"),
    labels: keyedTable(database, "labels"),
    faces: keyedTable(database, "faces"),
    upstreams: keyedTable(database, "upstreams"),
    pause: keyedTable(database, "pause"),
    refusals: keyedTable(database, "refusals"),
    limits: keyedTable(database, "limits"),
    continuations: keyedTable(database, "continuations"),
    tasks: keyedTable(database, "tasks"),
    records: recordTable(database),
  };
}

/** Survives the worker and the browser; only a power cut may take the last moments, and that costs half as much time. */
const RELAXED = { durability: "relaxed" } as const;

function keyedTable<Name extends KeyedStore>(database: Database, name: Name): Table<KeyedRows[Name]> {
  return {
    all: () => database.use(async (connection) => (await connection.getAll(name)) as readonly KeyedRows[Name][]),
    put: (key, row) =>
      database.use(async (connection) => {
        const transaction = connection.transaction(name, "readwrite", RELAXED);
        await issued(transaction, [transaction.store.put(row, key)]);
      }),
    remove: (...keys) =>
      database.use(async (connection) => {
        const transaction = connection.transaction(name, "readwrite", RELAXED);
        await issued(
          transaction,
          keys.map((key) => transaction.store.delete(key)),
        );
      }),
  };
}

function recordTable(database: Database): RecordTable {
  const newest = (before: number | undefined, limit: number) =>
    database.use(async (connection) => {
      const found: RecordEntry[] = [];
      if (limit <= 0) return found;
      const range = before === undefined ? null : IDBKeyRange.upperBound(before, true);
      let cursor = await connection.transaction("records").store.openCursor(range, "prev");
      while (cursor) {
        found.push(cursor.value);
        cursor = found.length < limit ? await cursor.continue() : null;
      }
      return found;
    });

  return {
    append: (entries) =>
      database.use(async (connection) => {
        const transaction = connection.transaction("records", "readwrite", RELAXED);
        await issued(
          transaction,
          entries.map((entry) => transaction.store.add(entry)),
        );
      }),
    last: async () => (await newest(undefined, 1))[0],
    page: ({ before, limit }) => newest(before, limit),
    range: (from, limit) =>
      database.use(async (connection) =>
        limit <= 0 ? [] : await connection.getAll("records", IDBKeyRange.lowerBound(from), limit),
      ),
  };
}

/**
 * Waits for writes that were just issued. The commit goes out with them: the browser then finishes it whatever becomes of
 * this worker, and it costs one trip instead of two.
 */
async function issued(
  transaction: { commit(): void; readonly done: Promise<void> },
  writes: readonly Promise<unknown>[],
): Promise<void> {
  const finished = Promise.all([...writes, transaction.done]);
  try {
    transaction.commit();
  } catch {
    // It has ended already; the promises say how.
  }
  await finished;
}
