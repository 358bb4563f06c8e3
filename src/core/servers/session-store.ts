/**
 * Keeps the sessions of servers across a worker's death. A lost write costs a new `initialize`, so none is waited for; a
 * private window's sessions are never written.
 */
import type { Revision } from "../mcp/revision.ts";
import type { Table, UpstreamState } from "../ports.ts";

export interface SessionName {
  readonly principalKey: string;
  readonly revision: Revision;
  /** As JSON text: agents that declare different things do not share a session. */
  readonly capabilities: string;
}

export interface SessionStore {
  find(name: SessionName): Promise<UpstreamState | undefined>;
  put(name: SessionName, state: Omit<UpstreamState, "key">): void;
  remove(name: SessionName): void;
  /** Everything of one principal, or of the server. */
  clear(principalKey?: string): void;
}

export function createSessionStore(table: Table<UpstreamState>, serverId: string): SessionStore {
  const key = ({ principalKey, revision, capabilities }: SessionName) =>
    JSON.stringify([serverId, principalKey, revision, capabilities]);
  let clearing: Promise<unknown> = Promise.resolve();
  return {
    async find(name) {
      if (isPrivate(name.principalKey)) return undefined;
      await clearing;
      const wanted = key(name);
      return (await rows(table)).find((row) => row.key === wanted);
    },
    put(name, state) {
      if (isPrivate(name.principalKey)) return;
      table.put(key(name), { ...state, key: key(name) }).catch(() => undefined);
    },
    remove(name) {
      table.remove(key(name)).catch(() => undefined);
    },
    clear(principalKey) {
      const members = principalKey === undefined ? [serverId] : [serverId, principalKey];
      clearing = removeAll(table, `${JSON.stringify(members).slice(0, -1)},`);
    },
  };
}

async function removeAll(table: Table<UpstreamState>, prefix: string): Promise<void> {
  const ours = (await rows(table)).filter((row) => row.key.startsWith(prefix));
  await Promise.all(ours.map((row) => table.remove(row.key).catch(() => undefined)));
}

/** Storage that cannot be read is an empty one: sessions begin anew. */
async function rows(table: Table<UpstreamState>): Promise<readonly UpstreamState[]> {
  return table.all().catch(() => []);
}

/** @see ../principal.ts: the fourth member says that the window is private. */
function isPrivate(principalKey: string): boolean {
  if (!principalKey.startsWith("[")) return false;
  try {
    return (JSON.parse(principalKey) as unknown[])[3] === true;
  } catch {
    return true;
  }
}
