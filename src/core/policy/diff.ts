/**
 * What changes between two policies of the person's, and whether the new one may let more through. “Not wider” is a proof,
 * by taking the change apart into steps of which none can widen; “wider” means that there is no such proof.
 *
 *   1. rules that allow are taken away    4. rules that ask or deny are taken away
 *   2. rules that ask are added           5. rules that allow are added
 *   3. rules that deny are added          6. the default row changes
 */
import type { JsonValue } from "../wire/json.ts";
import { covers, obliges } from "./covers.ts";
import { STRICTNESS } from "./decide.ts";
import { equal } from "./equal.ts";
import { describeRule } from "./explain.ts";
import type { DefaultRow, PolicyDocument, Rule } from "./policy.ts";

type Ruled = Pick<PolicyDocument, "default" | "rules">;

export interface Difference {
  /** Rule id, or `default` for the default row. */
  readonly rule: string;
  readonly kind: "added" | "removed" | "changed";
  /** Whether this may let something through that did not pass before, or passes with fewer questions. */
  readonly wider: boolean;
  readonly sentence: string;
}

export interface PolicyDiff {
  /** Wider ones first. */
  readonly differences: readonly Difference[];
  readonly wider: boolean;
}

export interface DiffOptions {
  readonly serverNames?: Readonly<Record<string, string>>;
}

export function diff(before: Ruled, after: Ruled, { serverNames = {} }: DiffOptions = {}): PolicyDiff {
  const steps = stepsBetween(before, after);
  const was = new Map(before.rules.map((rule) => [rule.id, rule]));
  const is = new Map(after.rules.map((rule) => [rule.id, rule]));
  const differences: Difference[] = [];
  for (const id of new Set([...is.keys(), ...was.keys()])) {
    const [old, next] = [was.get(id), is.get(id)];
    if (old && next && equal(old as unknown as JsonValue, next as unknown as JsonValue)) continue;
    const wider = steps.removal(old) || steps.addition(next);
    const words = (rule: Rule): string =>
      `${describeRule(rule, serverNames)}${rule.mode === "off" ? " (switched off)" : ""}`;
    differences.push({
      rule: id,
      kind: old && next ? "changed" : next ? "added" : "removed",
      wider,
      sentence:
        old && next
          ? `${words(old)} → ${words(next)}`
          : next
            ? `New: ${words(next)}`
            : `Gone: ${old ? words(old) : ""}`,
    });
  }
  const row = defaultDifference(before.default, after.default);
  if (row) differences.push(row);
  differences.sort((a, b) => Number(b.wider) - Number(a.wider));
  return { differences, wider: differences.some(({ wider }) => wider) };
}

function stepsBetween(before: Ruled, after: Ruled) {
  const old = before.rules.filter(isEnforced);
  const next = after.rules.filter(isEnforced);
  const keeps = (list: readonly Rule[], rule: Rule): boolean =>
    list.some((one) => one.id === rule.id && sameEffect(one, rule));
  return {
    /** Whether taking the old rule away may widen. */
    removal(rule: Rule | undefined): boolean {
      if (!rule || !isEnforced(rule) || keeps(next, rule)) return false;
      if (rule.verdict === "allow") return !obliges({}, rule.do) && !next.some((one) => standsFor(one, rule));
      return !next.some((one) => standsFor(one, rule));
    },
    /** Whether the new rule may widen. */
    addition(rule: Rule | undefined): boolean {
      if (!rule || !isEnforced(rule) || keeps(old, rule)) return false;
      if (rule.verdict === "deny") return false;
      if (rule.verdict === "allow" && isIdle(rule, next)) return false;
      if (rule.verdict === "allow") return !next.some((one) => one.id !== rule.id && outranks(one, rule));
      if (before.default.read === "deny" || before.default.other === "deny")
        return !next.some((one) => one.id !== rule.id && outranks(one, rule));
      return (
        old.some((one) => one.priority < rule.priority && mayDeny(one)) &&
        !next.some((one) => one.id !== rule.id && outranks(one, rule) && keeps(old, one))
      );
    },
  };
}

function isEnforced(rule: Rule): boolean {
  return rule.mode === "enforce";
}

/** Notes and what is said to the agent change no decision. */
function sameEffect(a: Rule, b: Rule): boolean {
  const bare = ({ note: _note, do: obligations, ...rule }: Rule): JsonValue => {
    const { say: _say, ...rest } = obligations ?? {};
    return { ...rule, do: rest } as unknown as JsonValue;
  };
  return equal(bare(a), bare(b));
}

/** Wherever the old rule held, this one holds too, at least as high, as strict, and with the same obligations. */
function standsFor(one: Rule, old: Rule): boolean {
  // What a rule let pass is counted under its id; another one would begin to count afresh.
  if (old.do?.rate !== undefined && one.id !== old.id) return false;
  return (
    one.priority >= old.priority &&
    STRICTNESS[one.verdict] >= STRICTNESS[old.verdict] &&
    obliges(one.do, old.do) &&
    covers(one, old)
  );
}

/** Wherever the rule holds, another one decides before it. */
function outranks(one: Rule, rule: Rule): boolean {
  const first =
    one.priority > rule.priority ||
    (one.priority === rule.priority && STRICTNESS[one.verdict] > STRICTNESS[rule.verdict]);
  return first && covers(one, rule);
}

/** Answers, notifications and lists pass where no rule speaks: what allows them there changes nothing but what stands below it. */
function isIdle(rule: Rule, rules: readonly Rule[]): boolean {
  if (rule.on.includes("request")) return false;
  return !rules.some(
    ({ verdict, priority, on }) =>
      verdict !== "allow" && priority < rule.priority && on.some((phase) => rule.on.includes(phase)),
  );
}

/** A rule with a rate denies once that is used up. */
function mayDeny({ verdict, do: obligations }: Rule): boolean {
  return verdict === "deny" || obligations?.rate !== undefined;
}

function defaultDifference(before: DefaultRow, after: DefaultRow): Difference | undefined {
  if (before.read === after.read && before.other === after.other) return undefined;
  const wider = STRICTNESS[after.read] < STRICTNESS[before.read] || STRICTNESS[after.other] < STRICTNESS[before.other];
  const words = ({ read, other }: DefaultRow): string => `${read} tools that read and ${other} all others`;
  return {
    rule: "default",
    kind: "changed",
    wider,
    sentence: `Where no rule speaks: ${words(before)} → ${words(after)}`,
  };
}
