/**
 * What a site did before: the counters behind rates, sequences and cool-downs. A decision only reads them; the gateway
 * notes a call after its verdict, so that trying a policy out counts nothing, and the same facts give the same decision.
 *
 * One list per principal, oldest first, bounded in number and in age. A rule may therefore look back a day and count to a
 * thousand, and `parse` refuses what would need more.
 */
import type { ToolClass } from "../servers/server.ts";
import type { Decision, Facts } from "./policy.ts";

/** One earlier request. */
export interface PastCall {
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

export const MOST_PAST_CALLS = 1_000;
export const LONGEST_MEMORY_MS = 24 * 60 * 60_000;

export interface UsageBook {
  of(principalKey: string): Usage;
  note(principalKey: string, call: PastCall): void;
  /** The person began a new task, or the principal is gone. */
  forget(principalKey: string): void;
  restore(rows: Iterable<readonly [principalKey: string, usage: Usage]>): void;
}

export function createUsageBook(): UsageBook {
  const past = new Map<string, Usage>();
  return {
    of: (key) => past.get(key) ?? NONE,
    note(key, call) {
      past.set(key, [...fresh(past.get(key) ?? NONE, call.at), call]);
    },
    forget: (key) => void past.delete(key),
    restore(rows) {
      for (const [key, usage] of rows) past.set(key, usage);
    },
  };
}

/** The past call that a decided request becomes. */
export function pastCall(facts: Facts, decision: Decision, end: PastCall["end"]): PastCall {
  return {
    at: facts.now,
    serverId: facts.serverId,
    method: facts.method,
    ...(facts.tool === undefined ? {} : { tool: facts.tool }),
    ...(facts.class === undefined ? {} : { class: facts.class }),
    end,
    rated: end === "passed" ? (decision.rated ?? NOTHING) : NOTHING,
  };
}

const NONE: Usage = Object.freeze([]);
const NOTHING: readonly string[] = Object.freeze([]);

/** What is still worth remembering, with room for one more. */
function fresh(usage: Usage, now: number): Usage {
  const room = usage.length >= MOST_PAST_CALLS ? usage.slice(usage.length - MOST_PAST_CALLS + 1) : usage;
  const first = room.findIndex(({ at }) => at > now - LONGEST_MEMORY_MS);
  return first === 0 ? room : first < 0 ? NONE : room.slice(first);
}
