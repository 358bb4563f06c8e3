/**
 * The worker's one connection to IndexedDB. It opens when first used, closes at once when a newer version of navra wants
 * to migrate (two migrations at once would otherwise wait for each other for ever), and opens again after the browser
 * ended it. Whatever goes wrong surfaces as a rejection with a sentence; nothing is dropped in silence.
 *
 * @see Indexed Database API 3.0 · 2.1 Database connections, 4.1 versionchange
 */
import { type IDBPDatabase, openDB } from "idb";
import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports.ts";
import { MIGRATIONS, type Migration, type Schema } from "./schema.ts";

export type Connection = IDBPDatabase<Schema>;

export interface Database {
  /**
   * Runs one piece of work on an open connection. A connection that turns out to be closed is opened anew and the work
   * runs once more: on a closed connection no transaction can have begun.
   *
   * @throws GatewayError `storage-full`, or `internal-error` with a sentence that says what to do
   */
  use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly name: string;
  /** How long an older connection may hold up a migration before the work that waits fails. */
  readonly patienceMs: number;
  readonly after: Clock["after"];
  readonly migrations?: readonly Migration[];
}

export function openDatabase(options: DatabaseOptions): Database {
  let current: Promise<Connection> | undefined;

  const connect = (): Promise<Connection> => {
    const mine = open(options, () => forget(mine));
    current = mine;
    return mine;
  };
  const forget = (connection: Promise<Connection>) => {
    if (current === connection) current = undefined;
  };

  return {
    async use(work) {
      try {
        const first = current ?? connect();
        const connection = await first;
        return await work(connection).catch(async (error: unknown) => {
          if (!isClosed(error)) throw error;
          forget(first);
          return work(await (current ?? connect()));
        });
      } catch (error) {
        throw storageFault(error);
      }
    },
    async close() {
      const connection = await current?.catch(() => undefined);
      current = undefined;
      connection?.close();
    },
  };
}

/** Resolves to an open connection; `gone` is called when it never comes or is of no more use. */
function open(options: DatabaseOptions, gone: () => void): Promise<Connection> {
  const migrations = options.migrations ?? MIGRATIONS;
  return new Promise((resolve, reject) => {
    let late = false;
    let stopWaiting = () => {};
    const fail = (error: unknown) => {
      late = true;
      stopWaiting();
      gone();
      reject(error);
    };
    const arrive = (connection: Connection) => {
      stopWaiting();
      if (late) connection.close();
      else resolve(connection);
    };
    const begin = async () =>
      openDB<Schema>(options.name, migrations.length, {
        upgrade(database, from) {
          for (const migrate of migrations.slice(from)) migrate(database);
        },
        blocked() {
          stopWaiting = options.after(options.patienceMs, () => fail(blockedFault()));
        },
        blocking(_have, _wanted, event) {
          gone();
          (event.target as IDBDatabase).close();
        },
        terminated: gone,
      });
    // A browser that forbids storage throws at once; `begin` turns that into the same failure as any other.
    begin().then(arrive, fail);
  });
}

function blockedFault(): GatewayError {
  return new GatewayError("internal-error", "Another copy of navra holds its storage. Restart the browser.");
}

function isClosed(error: unknown): boolean {
  return error instanceof DOMException && error.name === "InvalidStateError";
}

function storageFault(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  if (name === "QuotaExceededError") {
    return new GatewayError("storage-full", "The disk or navra's share of it is full. Free some space and try again.");
  }
  if (name === "VersionError") {
    return new GatewayError("internal-error", "navra's storage belongs to a newer version. Update navra.");
  }
  return new GatewayError("internal-error", "navra's storage could not be used. Restart the browser and try again.");
}
