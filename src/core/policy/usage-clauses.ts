/**
 * Clauses about what the site did before. Each walks the past from its newest end and stops as soon as it knows, so that a
 * long past costs only what the clause asks about.
 */
import { globTest } from "./glob.ts";
import type { AfterClause, Facts, RateClause, RefusalsClause } from "./policy.ts";
import { type Rate, readDuration, readRate } from "./rate.ts";
import { MOST_PAST_CALLS, type PastCall, type Usage } from "./usage.ts";

type FactsTest = (facts: Facts) => boolean;

export function rateTest({ over, of }: RateClause): FactsTest {
  const rate = readRate(over);
  if (!rate) return unreadable;
  return (facts) => reached(facts, rate, SAME[of]);
}

/** Whether a rule's own rate is used up: it let so many calls to this server pass in the time before. */
export function usedUp(facts: Facts, rate: Rate, name: string): boolean {
  return reached(facts, rate, (call) => call.serverId === facts.serverId && call.rated.includes(name));
}

export function afterTest({ server, tool, class: classes, within }: AfterClause, widens: boolean): FactsTest {
  const ms = readDuration(within);
  if (ms === undefined) return unreadable;
  const tools = tool?.map(globTest);
  return ({ now, usage = NONE }) =>
    (!widens && isForgetting(usage, now - ms)) ||
    someSince(usage, now - ms, (call) => {
      if (call.end !== "passed") return false;
      if (server && !server.includes(call.serverId)) return false;
      if (tools && !tools.some((test) => call.tool !== undefined && test(call.tool))) return false;
      return !classes || (call.tool !== undefined && classes.includes(call.class ?? "external"));
    });
}

export function inARowTest(length: number): FactsTest {
  return (facts) => {
    const { usage = NONE } = facts;
    if (usage.length < length) return false;
    for (let at = usage.length - length; at < usage.length; at++) {
      const call = usage[at];
      if (!call || !sameTool(call, facts)) return false;
    }
    return true;
  };
}

export function refusalsTest({ atLeast, within }: RefusalsClause, widens: boolean): FactsTest {
  const ms = readDuration(within);
  if (ms === undefined) return unreadable;
  return ({ now, usage = NONE }) => {
    let left = atLeast;
    if (!widens && isForgetting(usage, now - ms)) return true;
    return someSince(usage, now - ms, ({ end }) => end === "refused" && --left === 0);
  };
}

const NONE: Usage = Object.freeze([]);

function sameTool(call: PastCall, facts: Facts): boolean {
  return call.serverId === facts.serverId && call.method === facts.method && call.tool === facts.tool;
}

const SAME: Readonly<Record<RateClause["of"], (call: PastCall, facts: Facts) => boolean>> = {
  tool: sameTool,
  server: (call, facts) => call.serverId === facts.serverId,
  site: () => true,
};

function reached(facts: Facts, rate: Rate, counts: (call: PastCall, facts: Facts) => boolean): boolean {
  let left = rate.most;
  return someSince(
    facts.usage ?? NONE,
    facts.now - rate.ms,
    (call) => call.end === "passed" && counts(call, facts) && --left === 0,
  );
}

function someSince(usage: Usage, since: number, test: (call: PastCall) => boolean): boolean {
  for (let at = usage.length - 1; at >= 0; at--) {
    const call = usage[at];
    if (!call || call.at <= since) return false;
    if (test(call)) return true;
  }
  return false;
}

/**
 * Whether so many calls were made since then that earlier ones may be forgotten: else a thousand that do no harm would wash
 * out the one that a rule is about. One less than is kept, because the call being judged may be among those.
 */
function isForgetting(usage: Usage, since: number): boolean {
  const oldest = usage.at(1 - MOST_PAST_CALLS);
  return oldest !== undefined && oldest.at > since;
}

function unreadable(): never {
  throw new Error("A clause of this rule cannot be read.");
}
