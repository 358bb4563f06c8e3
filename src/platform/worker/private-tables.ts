/**
 * What of private windows outlives an idle worker: rows in session storage, which both browsers hold in memory, show to no
 * content script, and empty when they end. Nothing here ever reaches a disk.
 *
 * @see MDN · storage.session
 */
import type { Storage } from "webextension-polyfill";
import type { PrivateTables, Table } from "../../core/ports.ts";

type Session = Pick<Storage.StorageArea, "get" | "set" | "remove">;

export function openPrivateTables(session: Session): PrivateTables {
  return {
    labels: sessionTable(session, "labels"),
    usage: sessionTable(session, "usage"),
    sessions: sessionTable(session, "sessions"),
  };
}

/** Each row is an item by itself, so that writing one never carries the others along. */
function sessionTable<Row>(session: Session, name: keyof PrivateTables): Table<Row> {
  const start = `private ${name} `;
  return {
    async all() {
      const items = Object.entries(await session.get(null));
      return items.filter(([key]) => key.startsWith(start)).map(([, row]) => row as Row);
    },
    put: (key, row) => session.set({ [start + key]: row }),
    remove: (...keys) => session.remove(keys.map((key) => start + key)),
  };
}
