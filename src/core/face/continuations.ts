/**
 * `requestState` towards agents. A server's own state never reaches a page: the page holds a random handle, and the state
 * stays here, bound to the principal, the server, the method and the digest of the parameters, for a while and for one use.
 * So it cannot be read, changed, moved to another call, or played twice. It outlives the worker, because a person may take
 * longer over a form than the browser lets an idle worker live; a private window's stays in memory.
 *
 * @see MCP 2026-07-28 · Patterns · Multi round-trip requests · requestState
 */
import type { Call } from "../call.ts";
import { isModern } from "../mcp/revision.ts";
import { refuse, type Stop } from "../pipeline/stage.ts";
import type { Continuation, Ports } from "../ports.ts";
import { canonicalize } from "../wire/canonical.ts";
import { isObject } from "../wire/json.ts";
import { sliceAt, splice } from "../wire/splice.ts";

export interface Continuations {
  restore(): Promise<void>;
  /** Gives the handle for the agent. */
  keep(
    call: Call,
    what: {
      readonly stateText: string | undefined;
      readonly declined: readonly string[];
      /** What the person said in navra's own window, by key. Not stored: after a worker's death it is a refusal. */
      readonly answers?: ReadonlyMap<string, string>;
    },
  ): Promise<string>;
  /** Whether what the call brings may be used by it; says nothing where it brings none. */
  check(call: Call): Promise<Stop | undefined> | undefined;
  /** What goes to the server in the state's place; spent with this. */
  take(call: Call): Taken | undefined;
}

export interface Taken extends Continuation {
  readonly answers?: ReadonlyMap<string, string>;
}

/** A person's time for a form, in milliseconds. */
export const KEEP_MS = 30 * 60_000;
/** Per principal; the oldest gives way. */
const MOST = 64;

export function createContinuations({
  clock,
  randomId,
  digest,
  tables,
}: Pick<Ports, "clock" | "randomId" | "digest" | "tables">): Continuations {
  const table = tables.continuations;
  const rows = new Map<string, Continuation>();
  const typed = new Map<string, ReadonlyMap<string, string>>();

  const drop = (handle: string): void => {
    rows.delete(handle);
    typed.delete(handle);
    table.remove(handle).catch(() => undefined);
  };

  const makeRoom = (principalKey: string): void => {
    const mine = [...rows.values()].filter((row) => row.principalKey === principalKey);
    for (const { handle } of mine.slice(0, Math.max(0, mine.length - MOST + 1))) drop(handle);
    for (const { handle, expiresAt } of [...rows.values()]) if (expiresAt <= clock.now()) drop(handle);
  };

  return {
    async restore() {
      const kept = [...(await table.all())].sort((a, b) => a.expiresAt - b.expiresAt);
      for (const row of kept) {
        if (row.expiresAt > clock.now()) rows.set(row.handle, row);
        else drop(row.handle);
      }
    },

    async keep(call, { stateText, declined, answers }) {
      const { principalKey, server, message } = call;
      makeRoom(principalKey);
      const row: Continuation = {
        handle: randomId(),
        principalKey,
        serverId: server.id,
        method: message.method,
        digest: await digest(boundText(call)),
        ...(stateText === undefined ? {} : { stateText }),
        declined,
        expiresAt: clock.now() + KEEP_MS,
      };
      rows.set(row.handle, row);
      if (answers && answers.size > 0) typed.set(row.handle, answers);
      if (!call.principal.private) await table.put(row.handle, row).catch(() => undefined);
      return row.handle;
    },

    check(call) {
      const handle = call.message.params?.requestState;
      if (handle === undefined || !isModern(call.revision)) return undefined;
      const row = typeof handle === "string" ? rows.get(handle) : undefined;
      const { principalKey, server, message } = call;
      const fits =
        row !== undefined &&
        row.expiresAt > clock.now() &&
        row.principalKey === principalKey &&
        row.serverId === server.id &&
        row.method === message.method;
      return digest(boundText(call)).then((found) => (fits && row.digest === found ? undefined : NOT_OURS));
    },

    take(call) {
      const handle = call.message.params?.requestState;
      if (typeof handle !== "string" || !isModern(call.revision)) return undefined;
      const row = rows.get(handle);
      const answers = typed.get(handle);
      drop(handle);
      return row && answers ? { ...row, answers } : row;
    },
  };
}

/** The server's state in the handle's place, and navra's own answers beside the agent's. */
export function continued(text: string, { stateText, declined, answers }: Taken): string {
  const ours = declined.map((key) => ({
    path: ["params", "inputResponses", key],
    value: answers?.get(key) ?? '{"action":"decline"}',
  }));
  return splice(text, [{ path: ["params", "requestState"], value: stateText ?? null }, ...ours]);
}

/** The parameters without what differs between the rounds of one call. */
function boundText({ message }: Call): string {
  const params = sliceAt(message.text, ["params"]);
  if (params === undefined || !isObject(message.params)) return "{}";
  return canonicalize(
    splice(params, [
      { path: ["_meta"], value: null },
      { path: ["inputResponses"], value: null },
      { path: ["requestState"], value: null },
    ]),
  );
}

const NOT_OURS: Stop = {
  ...refuse(
    "invalid-params",
    "This requestState does not belong to this call, was used, or is too old. Call anew without it.",
  ),
  kind: "fault",
};
