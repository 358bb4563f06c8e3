/**
 * One table of two: rows of private windows go where no disk is, and are gone with the browser's run; all others outlive it.
 * What keeps an agent from forgetting on purpose (its labels, what it did before, that its session goes on) must outlive an
 * idle worker in a private window too, or half a minute of silence would wash off whatever the agent has read there.
 *
 * INVARIANT: no row of a private window reaches the table that is written.
 */
import type { Table } from "./ports.ts";
import { isOfPrivateWindow } from "./principal.ts";

/** Rows are kept by the key of their principal. */
export function byWindow<Row>(written: Table<Row>, unwritten: Table<Row> = NOWHERE): Table<Row> {
  const tableOf = (key: string): Table<Row> => (isOfPrivateWindow(key) ? unwritten : written);
  return {
    async all() {
      const both = await Promise.all([written.all(), unwritten.all()]);
      return both.flat();
    },
    put: (key, row) => tableOf(key).put(key, row),
    remove: async (...keys) => void (await Promise.all(keys.map((key) => tableOf(key).remove(key)))),
  };
}

/** Where a host has no such place, the worker's own memory is all there is. */
const NOWHERE: Table<never> = { all: async () => [], put: async () => undefined, remove: async () => undefined };
