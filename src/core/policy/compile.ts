/**
 * A policy made ready for judging: patterns compiled, reasons written, and each rule filed under the names it insists on.
 *
 * INVARIANT: compiling never throws. A rule that cannot be read is kept as one that always errs, and so denies.
 */
import { DEFAULT_ROW } from "./baseline.ts";
import { sentenceFor } from "./explain.ts";
import { createRuleIndex, type RuleIndex } from "./index-rules.ts";
import { type FactsTest, ruleTest } from "./match.ts";
import { PHASES, VERDICT_PHASES } from "./phases.ts";
import type { DefaultRow, Layer, ManagedLayer, Phase, Reason, Rule, Verdict } from "./policy.ts";
import { type Rate, readRate } from "./rate.ts";

export interface CompiledRule {
  readonly rule: Rule;
  readonly layer: Layer;
  readonly holds: FactsTest;
  /** Why, when it holds. */
  readonly reason: Reason;
  /** Why, when it errs. */
  readonly error: () => Reason;
  /** Its own limit, and why when that is used up. */
  readonly limit?: { readonly rate: Rate; readonly reason: Reason };
}

export type Cabinets = Readonly<Record<Phase, RuleIndex<CompiledRule>>>;

export interface CompiledPolicy {
  readonly person: Cabinets;
  readonly managed: Cabinets | "unreadable" | undefined;
  readonly default: DefaultRow;
}

export interface CompileOptions {
  readonly managed?: ManagedLayer | undefined;
  readonly default?: DefaultRow | undefined;
}

/** The person's rules, and beside them what an organisation sets and the default row. */
export function compile(rules: readonly Rule[], options: CompileOptions = {}): CompiledPolicy {
  const { managed } = options;
  return {
    person: fileAll(rules, "person"),
    managed: managed === undefined || managed === "unreadable" ? managed : fileAll(managed.rules, "managed"),
    default: options.default ?? DEFAULT_ROW,
  };
}

/** What a rule is called among reasons. */
export function reasonName(id: string, layer: Layer): string {
  return layer === "managed" ? `managed:${id}` : id;
}

function fileAll(rules: readonly Rule[], layer: Layer): Cabinets {
  const cabinets = {
    request: createRuleIndex<CompiledRule>(),
    reply: createRuleIndex<CompiledRule>(),
    event: createRuleIndex<CompiledRule>(),
    list: createRuleIndex<CompiledRule>(),
  };
  for (const rule of rules) {
    try {
      if (rule.mode === "off") continue;
      const holds = ruleTest(rule);
      for (const phase of rule.on) cabinets[phase].add(forPhase(rule, { holds, phase, layer }), rule.when);
    } catch {
      for (const phase of PHASES) cabinets[phase].addAlways(erring(rule, layer));
    }
  }
  return cabinets;
}

function forPhase(rule: Rule, { holds, phase, layer }: { holds: FactsTest; phase: Phase; layer: Layer }): CompiledRule {
  const { priority } = rule;
  const name = reasonName(rule.id, layer);
  const mode = rule.mode === "audit" ? "audit" : "enforce";
  const verdict: Verdict = VERDICT_PHASES[rule.verdict].includes(phase) ? rule.verdict : "deny";
  const rate = phase === "request" && rule.do?.rate !== undefined ? readRate(rule.do.rate) : undefined;
  return {
    rule,
    layer,
    holds: rate === undefined && rule.do?.rate !== undefined && phase === "request" ? unreadable : holds,
    reason: { rule: name, verdict, priority, mode, sentence: sentenceFor(name, rule) },
    error: () => errorReason(name, priority, mode),
    ...(rate && { limit: { rate, reason: limitReason(name, priority, mode) } }),
  };
}

/** Goes first whatever its priority says: of a rule that cannot be read nothing is believed, its place included. */
function erring(rule: Rule, layer: Layer): CompiledRule {
  const error = errorReason(reasonName(String(rule?.id), layer), 1000, "enforce");
  return { rule, layer, holds: unreadable, reason: error, error: () => error };
}

function unreadable(): never {
  throw new Error("This rule cannot be read.");
}

function errorReason(name: string, priority: number, mode: Reason["mode"]): Reason {
  const rule = `error:${name}`;
  return { rule, verdict: "deny", priority, mode, sentence: sentenceFor(rule) };
}

function limitReason(name: string, priority: number, mode: Reason["mode"]): Reason {
  const rule = `rate:${name}`;
  return { rule, verdict: "deny", priority, mode, sentence: sentenceFor(rule) };
}
