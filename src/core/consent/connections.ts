/**
 * Which site may use which server, and with which tools. Nothing exists for a site until a person connected it; what was
 * not ticked looks to the site as if it were not there. Private windows' connections live in memory only.
 */

import type { Table } from "../ports.ts";
import { type Principal, principalKey } from "../principal.ts";
import type { Connection } from "./approval.ts";

export interface Connections {
  restore(): Promise<void>;
  get(key: string, serverId: string): Connection | undefined;
  /** Those of one principal, or all. */
  list(key?: string): readonly Connection[];
  set(connection: Connection): Promise<void>;
  remove(principal: Principal, serverId: string): Promise<void>;
  forgetServer(serverId: string): Promise<void>;
}

/** Hears of each site whose tools are other ones, and of each that lost a server with all it has. */
type Changed = (connection: Connection, now: "there" | "gone") => void;

export function createConnections(table: Table<Connection>, changed: Changed = () => undefined): Connections {
  const rows = new Map<string, Connection>();
  const remove = async (id: string): Promise<void> => {
    const row = rows.get(id);
    if (!row) return;
    rows.delete(id);
    changed(row, "gone");
    if (!row.principal.private) await table.remove(id);
  };
  return {
    async restore() {
      for (const row of await table.all()) rows.set(rowId(principalKey(row.principal), row.serverId), row);
    },
    get: (key, serverId) => rows.get(rowId(key, serverId)),
    list: (key) => [...rows.values()].filter((row) => key === undefined || principalKey(row.principal) === key),
    async set(connection) {
      const id = rowId(principalKey(connection.principal), connection.serverId);
      rows.set(id, connection);
      changed(connection, "there");
      if (!connection.principal.private) await table.put(id, connection);
    },
    remove: (principal, serverId) => remove(rowId(principalKey(principal), serverId)),
    async forgetServer(serverId) {
      for (const [id, row] of [...rows]) if (row.serverId === serverId) await remove(id);
    },
  };
}

function rowId(key: string, serverId: string): string {
  return `${serverId} ${key}`;
}
