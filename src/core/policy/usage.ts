/**
 * What a site did before: the counters behind rates, sequences and cool-downs. A decision only reads them; the gateway
 * notes a call in the task of its verdict, so that a hundred calls at once are counted one after the other, and settles the
 * entry when the call was refused after all. Trying a policy out counts nothing.
 *
 * One list per principal, oldest first, bounded in number and in age. A rule may therefore look back a day and count to a
 * thousand, and `parse` refuses what would need more. Lists outlive the worker, else waiting for it to sleep would reset
 * every limit.
 */
import type { Clock, Table } from "../ports.ts";
import type { ToolClass } from "../servers/server.ts";
import type { Decision, Facts } from "./policy.ts";

/** One earlier request. */
export interface PastCall {
  readonly callId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly serverId: string;
  readonly method: string;
  readonly tool?: string;
  readonly class?: ToolClass;
  /** `passed`: policy let it go, at once or after an answer. `refused`: policy or the person said no. */
  readonly end: "passed" | "refused";
  /** Rules with a rate that let it pass, by the names they have among reasons. */
  readonly rated: readonly string[];
}

/** Oldest first. */
export type Usage = readonly PastCall[];

export interface UsageRow {
  readonly principalKey: string;
  readonly usage: Usage;
}

export const MOST_PAST_CALLS = 1_000;
export const LONGEST_MEMORY_MS = 24 * 60 * 60_000;

export interface UsageBook {
  restore(): Promise<void>;
  /** What came before, as it stands; without the call that is being decided again. */
  of(principalKey: string, except?: string): Usage;
  note(principalKey: string, call: PastCall): void;
  /** The call was refused after its verdict. */
  refused(principalKey: string, callId: string): void;
  /** A person began a new task. */
  forget(principalKey: string): Promise<void>;
}

export interface UsageOptions {
  readonly table?: Table<UsageRow>;
  readonly clock: Pick<Clock, "now" | "after">;
}

/** Calls are written together after this long: a limit may lose so much when the worker is killed, and no more. */
const WRITE_MS = 1_000;

export function createUsageBook({ table, clock }: UsageOptions): UsageBook {
  const past = new Map<string, PastCall[]>();
  const dirty = new Set<string>();

  const write = (): void => {
    for (const principalKey of dirty) {
      void table
        ?.put(principalKey, { principalKey, usage: fresh(past.get(principalKey) ?? NONE, clock.now()) })
        .catch(() => undefined);
    }
    dirty.clear();
  };
  const changed = (principalKey: string): void => {
    if (!table) return;
    if (dirty.size === 0) clock.after(WRITE_MS, write);
    dirty.add(principalKey);
  };

  return {
    async restore() {
      const over: string[] = [];
      for (const { principalKey, usage } of (await table?.all()) ?? []) {
        const left = fresh(usage, clock.now());
        if (left.length > 0) past.set(principalKey, [...left]);
        else over.push(principalKey);
      }
      if (over.length > 0) table?.remove(...over).catch(() => undefined);
    },
    of(key, except) {
      const usage = past.get(key) ?? NONE;
      return except === undefined ? usage : usage.filter(({ callId }) => callId !== except);
    },
    note(key, call) {
      const calls = past.get(key) ?? [];
      if (calls.push(call) === 1) past.set(key, calls);
      if (calls.length >= 2 * MOST_PAST_CALLS) calls.splice(0, calls.length - fresh(calls, call.at).length);
      changed(key);
    },
    refused(key, callId) {
      const calls = past.get(key) ?? [];
      const at = calls.findLastIndex((call) => call.callId === callId);
      const call = calls[at];
      if (!call || call.end === "refused") return;
      calls[at] = { ...call, end: "refused", rated: NOTHING };
      changed(key);
    },
    async forget(key) {
      past.delete(key);
      dirty.delete(key);
      await table?.remove(key);
    },
  };
}

/** The past call that a decided request becomes. */
export function pastCall(callId: string, facts: Facts, { verdict, rated = NOTHING }: Decision): PastCall {
  const end = verdict === "deny" ? "refused" : "passed";
  return {
    callId,
    at: facts.now,
    serverId: facts.serverId,
    method: facts.method,
    ...(facts.tool === undefined ? {} : { tool: facts.tool }),
    ...(facts.class === undefined ? {} : { class: facts.class }),
    end,
    rated: end === "passed" ? rated : NOTHING,
  };
}

const NONE: Usage = Object.freeze([]);
const NOTHING: readonly string[] = Object.freeze([]);

/** What is still worth remembering. */
function fresh(usage: Usage, now: number): Usage {
  const recent = usage.slice(-MOST_PAST_CALLS);
  const first = recent.findIndex(({ at }) => at > now - LONGEST_MEMORY_MS);
  return first < 0 ? NONE : recent.slice(first);
}
