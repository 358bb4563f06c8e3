/**
 * The only decider. In this order, and the first that speaks decides:
 *
 *   1. floors, which only deny (`baseline.ts`), and a managed policy that nobody can read;
 *   2. the person's rules: the highest priority with an enforced match, and there deny before ask before allow;
 *   3. the baseline rows, the last of them the visible default row.
 *
 * A request for something that the list phase hides from the asker is denied before the request's own rules are looked at:
 * what is hidden cannot be called either, by whatever name it was learned.
 *
 * Beside 2 and 3 the managed rules are judged by themselves, in the order of 2, with no opinion where none matches. The
 * stricter of the two layers holds, so a managed rule can narrow what the person set up and never widen it.
 *
 * A rule that errs counts as one that matched and denies, at its own priority; so does one whose rate is used up.
 * Obligations to redact add up over every enforced match, also of those that did not decide. Audit rules are named among
 * the reasons and change nothing.
 *
 * INVARIANT: total and synchronous. Whatever the facts are, there is a decision with at least one reason, and when
 * judging itself breaks the decision is deny.
 */
import { GRANT_SCOPES, type GrantScope } from "../consent/approval.ts";
import { baselineOf, floorOf } from "./baseline.ts";
import type { Cabinets, CompiledPolicy, CompiledRule } from "./compile.ts";
import { sentenceFor } from "./explain.ts";
import { listedAs } from "./listed-as.ts";
import type { Decision, Facts, Reason, Verdict } from "./policy.ts";
import { usedUp } from "./usage-clauses.ts";

export function decide(policy: CompiledPolicy, facts: Facts): Decision {
  try {
    return judge(policy, facts);
  } catch {
    return { phase: facts?.phase, verdict: "deny", reasons: [BROKEN], redact: NOTHING };
  }
}

export const STRICTNESS: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 };

interface Match {
  readonly compiled: CompiledRule;
  readonly reason: Reason;
}

const NOTHING: readonly string[] = Object.freeze([]);
const NONE: readonly Match[] = Object.freeze([]);
const BROKEN = ours("error:decide");
const UNREADABLE = ours("managed:*");

function ours(rule: string): Reason {
  return Object.freeze({ rule, verdict: "deny", priority: 0, mode: "enforce", sentence: sentenceFor(rule) });
}

function judge(policy: CompiledPolicy, facts: Facts): Decision {
  const decision = judgeAlone(policy, facts);
  const listed = policy.managed === "unreadable" || !speaksOfLists(policy) ? undefined : listedAs(facts);
  const shown = listed && judgeAlone(policy, listed);
  return shown?.verdict === "deny" && !isBroken(shown) ? hiddenBy(shown, decision) : decision;
}

function speaksOfLists({ person, managed }: CompiledPolicy): boolean {
  return !person.list.empty || (typeof managed === "object" && !managed.list.empty);
}

/** A rule that cannot be read denies the request too, and by its own name: nobody meant to hide anything. */
function isBroken({ reasons: [first] }: Decision): boolean {
  return first?.rule.startsWith("error:") ?? false;
}

/** Every reason of the request's own stands beside what hides it; what a rule wants said would tell that it is there. */
function hiddenBy({ reasons }: Decision, { say: _say, ...decision }: Decision): Decision {
  const others = decision.reasons.filter(({ rule }) => !reasons.some((reason) => reason.rule === rule));
  return { ...decision, verdict: "deny", reasons: [...reasons, ...others], hidden: true };
}

/** One phase by itself. */
function judgeAlone(policy: CompiledPolicy, facts: Facts): Decision {
  const { phase } = facts;
  const person = matches(policy.person, facts);
  const managed = typeof policy.managed === "object" ? matches(policy.managed, facts) : NONE;
  const all = managed.length === 0 ? person : person.length === 0 ? managed : [...managed, ...person];
  const floor = policy.managed === "unreadable" ? UNREADABLE : floorOf(facts);
  if (floor) {
    const reasons = [floor, ...all.map(({ reason }) => reason)];
    return { phase, verdict: "deny", reasons, ...obligations(all) };
  }
  const top = firstEnforced(person);
  const personal = top ?? baselineOf(facts, policy.default);
  const above = firstEnforced(managed);
  const verdict = above && STRICTNESS[above.verdict] > STRICTNESS[personal.verdict] ? above.verdict : personal.verdict;
  if (all.length === 0) return { phase, verdict, reasons: [personal], redact: NOTHING };

  const deciding: Match[] = [];
  const others: Reason[] = [];
  for (const match of all) {
    const leads = match.compiled.layer === "managed" ? above : top;
    if (leads && leads.verdict === verdict && isLike(match.reason, leads)) deciding.push(match);
    else others.push(match.reason);
  }
  const rows = top ? NOTHING_REASON : [personal];
  const decided = deciding.map(({ reason }) => reason);
  const own = personal.verdict === verdict ? [...decided, ...rows, ...others] : [...decided, ...others, ...rows];
  const say = deciding.find(({ compiled }) => compiled.rule.do?.say !== undefined)?.compiled.rule.do?.say;
  return { phase, verdict, reasons: own, ...obligations(all), ...(say === undefined ? {} : { say }) };
}

const NOTHING_REASON: readonly Reason[] = Object.freeze([]);

function isLike(reason: Reason, top: Reason): boolean {
  return reason.mode === "enforce" && reason.priority === top.priority && reason.verdict === top.verdict;
}

function firstEnforced(found: readonly Match[]): Reason | undefined {
  for (const { reason } of found) if (reason.mode === "enforce") return reason;
  return undefined;
}

function matches(cabinets: Cabinets, facts: Facts): readonly Match[] {
  const found: Match[] = [];
  for (const list of cabinets[facts.phase].lists(facts)) {
    for (const compiled of list) {
      const reason = reasonOf(compiled, facts);
      if (reason) found.push({ compiled, reason });
    }
  }
  return found.length > 1 ? found.sort(byRank) : found;
}

function reasonOf(compiled: CompiledRule, facts: Facts): Reason | undefined {
  try {
    if (!compiled.holds(facts)) return undefined;
    const { limit, reason } = compiled;
    return limit && reason.verdict !== "deny" && usedUp(facts, limit.rate, reason.rule) ? limit.reason : reason;
  } catch {
    return compiled.error();
  }
}

/** Priority, then strictness, then the id, so that the order rules are stored in never shows. */
function byRank(a: Match, b: Match): number {
  return (
    b.reason.priority - a.reason.priority ||
    STRICTNESS[b.reason.verdict] - STRICTNESS[a.reason.verdict] ||
    (a.reason.rule < b.reason.rule ? -1 : a.reason.rule > b.reason.rule ? 1 : 0)
  );
}

type Obliged = Pick<Decision, "redact" | "grant" | "timeout" | "rated">;

function obligations(found: readonly Match[]): Obliged {
  let redact: Set<string> | undefined;
  let grant: GrantScope | undefined;
  let timeout: number | undefined;
  let rated: string[] | undefined;
  for (const { compiled, reason } of found) {
    const wanted = compiled.rule?.do;
    if (reason.mode !== "enforce" || !wanted) continue;
    for (const kind of wanted.redact ?? NOTHING) redact = (redact ?? new Set()).add(kind);
    if (wanted.grant !== undefined && (!grant || GRANT_SCOPES.indexOf(wanted.grant) < GRANT_SCOPES.indexOf(grant)))
      grant = wanted.grant;
    if (wanted.timeout !== undefined && (timeout === undefined || wanted.timeout < timeout)) timeout = wanted.timeout;
    if (compiled.limit) rated = [...(rated ?? []), compiled.reason.rule];
  }
  return {
    redact: redact ? [...redact].sort() : NOTHING,
    ...(grant === undefined ? {} : { grant }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(rated === undefined ? {} : { rated }),
  };
}
