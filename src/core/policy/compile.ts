/**
 * Rules made ready for judging: patterns compiled, reasons written, and each rule filed under a name it insists on (a
 * tool, a server, an origin). A call looks into four drawers, so that a thousand rules for other tools cost it nothing.
 *
 * INVARIANT: compiling never throws. A rule that cannot be read is kept as one that always errs, and so denies.
 */
import { sentenceFor } from "./explain.ts";
import { isLiteral } from "./glob.ts";
import { type FactsTest, ruleTest } from "./match.ts";
import { isExactOrigin } from "./origin.ts";
import { PHASES, VERDICT_PHASES } from "./phases.ts";
import type { Facts, Phase, Reason, Rule, Verdict } from "./policy.ts";

export interface CompiledRule {
  readonly rule: Rule;
  readonly holds: FactsTest;
  /** Why, when it holds. */
  readonly reason: Reason;
  /** Why, when it errs. */
  readonly error: Reason;
}

export interface CompiledPolicy {
  readonly phases: Readonly<Record<Phase, Cabinet>>;
}

/** The rules of one phase; each is in exactly one drawer for any given facts. */
export interface Cabinet {
  readonly byTool: ReadonlyMap<string, readonly CompiledRule[]>;
  readonly byServer: ReadonlyMap<string, readonly CompiledRule[]>;
  readonly byOrigin: ReadonlyMap<string, readonly CompiledRule[]>;
  readonly rest: readonly CompiledRule[];
}

export function compile(rules: readonly Rule[]): CompiledPolicy {
  const phases = { request: emptyCabinet(), reply: emptyCabinet(), event: emptyCabinet(), list: emptyCabinet() };
  for (const rule of rules) {
    try {
      if (rule.mode === "off") continue;
      const holds = ruleTest(rule);
      for (const phase of rule.on) file(phases[phase], forPhase(rule, holds, phase));
    } catch {
      for (const phase of PHASES) phases[phase].rest.push(erring(rule));
    }
  }
  return { phases };
}

/** The drawers that can hold a rule for these facts. */
export function drawers(cabinet: Cabinet, facts: Facts): readonly (readonly CompiledRule[])[] {
  return [
    (facts.tool === undefined ? undefined : cabinet.byTool.get(facts.tool)) ?? EMPTY,
    cabinet.byServer.get(facts.serverId) ?? EMPTY,
    cabinet.byOrigin.get(facts.origin) ?? EMPTY,
    cabinet.rest,
  ];
}

const EMPTY: readonly CompiledRule[] = Object.freeze([]);

interface OpenCabinet {
  readonly byTool: Map<string, CompiledRule[]>;
  readonly byServer: Map<string, CompiledRule[]>;
  readonly byOrigin: Map<string, CompiledRule[]>;
  readonly rest: CompiledRule[];
}

function emptyCabinet(): OpenCabinet {
  return { byTool: new Map(), byServer: new Map(), byOrigin: new Map(), rest: [] };
}

function forPhase(rule: Rule, holds: FactsTest, phase: Phase): CompiledRule {
  const { id, priority } = rule;
  const mode = rule.mode === "audit" ? "audit" : "enforce";
  const verdict: Verdict = VERDICT_PHASES[rule.verdict].includes(phase) ? rule.verdict : "deny";
  return {
    rule,
    holds,
    reason: Object.freeze<Reason>({ rule: id, verdict, priority, mode, sentence: sentenceFor(id, rule) }),
    error: errorReason(id, priority, mode),
  };
}

/** Goes first whatever its priority says: of a rule that cannot be read nothing is believed, its place included. */
function erring(rule: Rule): CompiledRule {
  const error = errorReason(String(rule?.id), 1000, "enforce");
  const holds = (): never => {
    throw new Error("This rule cannot be read.");
  };
  return { rule, holds, reason: error, error };
}

function errorReason(id: string, priority: number, mode: Reason["mode"]): Reason {
  const rule = `error:${id}`;
  return Object.freeze({ rule, verdict: "deny", priority, mode, sentence: sentenceFor(rule) });
}

function file(cabinet: OpenCabinet, compiled: CompiledRule): void {
  const { tool, server, origin } = compiled.rule.when;
  if (tool?.every(isLiteral)) put(cabinet.byTool, tool, compiled);
  else if (server) put(cabinet.byServer, server, compiled);
  else if (origin?.every(isExactOrigin)) put(cabinet.byOrigin, origin, compiled);
  else cabinet.rest.push(compiled);
}

function put(drawer: Map<string, CompiledRule[]>, names: readonly string[], compiled: CompiledRule): void {
  for (const name of new Set(names)) {
    const filed = drawer.get(name);
    if (filed) filed.push(compiled);
    else drawer.set(name, [compiled]);
  }
}
