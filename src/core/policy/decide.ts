/**
 * The only decider. In this order, and the first that speaks decides:
 *
 *   1. floors, which only deny (`baseline.ts`);
 *   2. the person's rules: the highest priority with an enforced match, and there deny before ask before allow;
 *   3. the baseline rows.
 *
 * A rule that errs counts as one that matched and denies, at its own priority. Obligations to redact add up over every
 * enforced match, also of those that did not decide. Audit rules are named among the reasons and change nothing.
 *
 * INVARIANT: total and synchronous. Whatever the facts are, there is a decision with at least one reason, and when
 * judging itself breaks the decision is deny.
 */
import { baselineOf, floorOf } from "./baseline.ts";
import { type Cabinet, type CompiledPolicy, type CompiledRule, drawers } from "./compile.ts";
import { sentenceFor } from "./explain.ts";
import type { Decision, Facts, Reason, Verdict } from "./policy.ts";

export function decide(policy: CompiledPolicy, facts: Facts): Decision {
  try {
    return judge(matches(policy.phases[facts.phase], facts), facts);
  } catch {
    return { phase: facts?.phase, verdict: "deny", reasons: [BROKEN], redact: NOTHING };
  }
}

interface Match {
  readonly compiled: CompiledRule;
  readonly reason: Reason;
}

const NOTHING: readonly string[] = Object.freeze([]);
const STRICTNESS: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 };
const BROKEN: Reason = Object.freeze({
  rule: "error:decide",
  verdict: "deny",
  priority: 0,
  mode: "enforce",
  sentence: sentenceFor("error:decide"),
});

function matches(cabinet: Cabinet, facts: Facts): Match[] {
  const found: Match[] = [];
  for (const drawer of drawers(cabinet, facts)) {
    for (const compiled of drawer) {
      const reason = reasonOf(compiled, facts);
      if (reason) found.push({ compiled, reason });
    }
  }
  return found.length > 1 ? found.sort(byRank) : found;
}

function reasonOf(compiled: CompiledRule, facts: Facts): Reason | undefined {
  try {
    return compiled.holds(facts) ? compiled.reason : undefined;
  } catch {
    return compiled.error;
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

function judge(found: readonly Match[], facts: Facts): Decision {
  const { phase } = facts;
  const enforced = found.filter(({ reason }) => reason.mode === "enforce");
  const redact = redactions(enforced);
  const top = enforced[0]?.reason;
  const ours = floorOf(facts) ?? (top ? undefined : baselineOf(facts));
  if (ours) return { phase, verdict: ours.verdict, reasons: [ours, ...found.map(({ reason }) => reason)], redact };
  const decides = ({ reason }: Match): boolean =>
    reason.mode === "enforce" && reason.priority === top?.priority && reason.verdict === top.verdict;
  const deciding = found.filter(decides);
  const others = found.filter((match) => !decides(match));
  const say = deciding.find(({ compiled }) => compiled.rule.do?.say !== undefined)?.compiled.rule.do?.say;
  return {
    phase,
    verdict: top?.verdict ?? "deny",
    reasons: [...deciding, ...others].map(({ reason }) => reason),
    redact,
    ...(say === undefined ? {} : { say }),
  };
}

function redactions(enforced: readonly Match[]): readonly string[] {
  const kinds = new Set<string>();
  for (const { compiled } of enforced) for (const kind of compiled.rule?.do?.redact ?? NOTHING) kinds.add(kind);
  return kinds.size === 0 ? NOTHING : [...kinds].sort();
}
