/**
 * The gateway's tables over IndexedDB. Everything here outlives the worker; rows of private windows never come this far,
 * the gateway keeps those to itself. Records are only ever added: an entry that is there already is a fault, not an update.
 */
import { type StoreNames, unwrap } from "idb";
import type { RecordTable, Table, Tables } from "../../core/ports.ts";
import type { RecordEntry } from "../../core/recorder/entry.ts";
import type { Connection, Database } from "./database.ts";
import type { KeyedRows, KeyedStore, Schema } from "./schema.ts";

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
  /** Rows that are put in one moment, as those of a batch of calls, are one transaction. */
  let gathering: Write | undefined;
  const gather = (connection: Connection): Write => {
    const begun = beginWrite(connection, name);
    queueMicrotask(() => {
      gathering = undefined;
      begun.commit();
    });
    return begun;
  };
  return {
    all: () => database.use(async (connection) => (await connection.getAll(name)) as readonly KeyedRows[Name][]),
    put: (key, row) =>
      database.use(async (connection) => {
        gathering ??= gather(connection);
        gathering.store.put(row, key);
        await gathering.stored;
      }),
    remove: (...keys) =>
      database.use((connection) =>
        write(connection, name, (store) => {
          for (const key of keys) store.delete(key);
        }),
      ),
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
      database.use((connection) =>
        write(connection, "records", (store) => {
          for (const entry of entries) store.add(entry);
        }),
      ),
    last: async () => (await newest(undefined, 1))[0],
    page: ({ before, limit }) => newest(before, limit),
    range: (from, limit) =>
      database.use(async (connection) =>
        limit <= 0 ? [] : await connection.getAll("records", IDBKeyRange.lowerBound(from), limit),
      ),
  };
}

interface Write {
  readonly store: IDBObjectStore;
  readonly stored: Promise<void>;
  commit(): void;
  abort(): void;
}

/**
 * Only the transaction is listened to: it says how its writes ended, and each listener costs a call time. The commit goes
 * out in the task of the writes: the browser then finishes it whatever becomes of this worker, and it costs one trip instead
 * of two.
 */
function beginWrite(connection: Connection, name: StoreNames<Schema>): Write {
  const transaction = unwrap(connection).transaction(name, "readwrite", RELAXED);
  const stored = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new DOMException("The write was ended.", "AbortError"));
  });
  // Whoever wrote hears of it; where nobody could write, nobody needs to.
  stored.catch(() => undefined);
  return {
    store: transaction.objectStore(name),
    stored,
    commit() {
      try {
        transaction.commit();
      } catch {
        // It has ended already; the promise says how.
      }
    },
    abort: () => transaction.abort(),
  };
}

/** All of these writes or none. */
async function write(
  connection: Connection,
  name: StoreNames<Schema>,
  issue: (store: IDBObjectStore) => void,
): Promise<void> {
  const begun = beginWrite(connection, name);
  try {
    issue(begun.store);
  } catch (problem) {
    begun.abort();
    throw problem;
  }
  begun.commit();
  await begun.stored;
}
