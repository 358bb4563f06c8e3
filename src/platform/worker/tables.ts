/**
 * The gateway's tables over IndexedDB. Everything here outlives the worker; rows of private windows never come this far,
 * the gateway keeps those to itself. Records are only ever added: an entry that is there already is a fault, not an update.
 */
import { type IDBPTransaction, type StoreNames, unwrap } from "idb";
import type { RecordTable, Table, Tables } from "../../core/ports.ts";
import type { RecordEntry } from "../../core/recorder/entry.ts";
import type { Connection, Database } from "./database.ts";
import type { KeyedRows, KeyedStore, Schema } from "./schema.ts";

export function openTables(database: Database): Tables {
  const readAll = createReader(database);
  const keyed = <Name extends KeyedStore>(name: Name) => keyedTable(database, name, () => readAll(name));
  return {
    servers: keyed("servers"),
    catalogues: keyed("catalogues"),
    connections: keyed("connections"),
    rules: keyed("rules"),
    ruleHistory: keyed("ruleHistory"),
    policyHead: keyed("policyHead"),
    usage: keyed("usage"),
    sessions: keyed("sessions"),
    grants: keyed("grants"),
    pins: keyed("pins"),
    approvals: keyed("approvals"),
    journal: keyed("journal"),
    labels: keyed("labels"),
    faces: keyed("faces"),
    upstreams: keyed("upstreams"),
    pause: keyed("pause"),
    refusals: keyed("refusals"),
    limits: keyed("limits"),
    continuations: keyed("continuations"),
    tasks: keyed("tasks"),
    records: recordTable(database),
  };
}

/** Survives the worker and the browser; only a power cut may take the last moments, and that costs half as much time. */
const RELAXED = { durability: "relaxed" } as const;

/** Stores that are asked for in one moment, as all are when the worker starts, are read in one transaction. */
function createReader(
  database: Database,
): <Name extends KeyedStore>(name: Name) => Promise<readonly KeyedRows[Name][]> {
  let gathering: Reading | undefined;
  const gather = (connection: Connection): Reading => {
    const names = new Set<KeyedStore>();
    const begun = Promise.resolve().then(() => {
      gathering = undefined;
      return connection.transaction([...names]);
    });
    return { connection, names, begun };
  };
  return (name) =>
    database.use(async (connection) => {
      if (gathering?.connection !== connection) gathering = gather(connection);
      gathering.names.add(name);
      const transaction = await gathering.begun;
      return (await transaction.objectStore(name).getAll()) as readonly KeyedRows[typeof name][];
    });
}

interface Reading {
  readonly connection: Connection;
  readonly names: Set<KeyedStore>;
  readonly begun: Promise<IDBPTransaction<Schema, KeyedStore[], "readonly">>;
}

function keyedTable<Name extends KeyedStore>(
  database: Database,
  name: Name,
  all: () => Promise<readonly KeyedRows[Name][]>,
): Table<KeyedRows[Name]> {
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
    all,
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
      const { store } = connection.transaction("records");
      let below = before === undefined ? null : IDBKeyRange.upperBound(before, true);
      // Entries are numbered one after the other: as many as are wanted are read at once, not one by one.
      while (found.length < limit) {
        const newestKey = (await store.openKeyCursor(below, "prev"))?.key;
        if (newestKey === undefined) break;
        const oldestKey = newestKey - (limit - found.length) + 1;
        found.push(...(await store.getAll(IDBKeyRange.bound(oldestKey, newestKey))).reverse());
        below = IDBKeyRange.upperBound(oldestKey, true);
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
