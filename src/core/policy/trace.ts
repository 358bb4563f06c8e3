/**
 * Every rule beside one call: which matched, and in the others the first clause that fails. For people who ask why; the
 * decision itself never looks here.
 */
import { reasonName } from "./compile.ts";
import { describeRule } from "./explain.ts";
import { type ClauseName, clauseTests } from "./match.ts";
import type { Facts, Layer, ManagedLayer, Rule } from "./policy.ts";

export interface TracedRule {
  /** What the rule is called among reasons. */
  readonly rule: string;
  readonly layer: Layer;
  readonly verdict: Rule["verdict"];
  readonly mode: Rule["mode"];
  /** The rule in words. */
  readonly sentence: string;
  readonly matched: boolean;
  /** The first clause that fails; `on` for a rule of another phase, `mode` for one that is off. */
  readonly clause?: ClauseName | "on" | "mode";
  /** For people: why it does not match, or that it cannot be read. */
  readonly failed?: string;
}

export interface TraceOptions {
  readonly rules: readonly Rule[];
  readonly managed?: ManagedLayer | undefined;
  readonly serverNames?: Readonly<Record<string, string>>;
}

/** In the order in which rules speak: managed first, then by priority. */
export function trace({ rules, managed, serverNames = {} }: TraceOptions, facts: Facts): readonly TracedRule[] {
  const above = managed === undefined || managed === "unreadable" ? [] : managed.rules;
  const traced = (layer: Layer) => (rule: Rule) => traceRule(rule, { layer, facts, serverNames });
  return [...ranked(above).map(traced("managed")), ...ranked(rules).map(traced("person"))];
}

function ranked(rules: readonly Rule[]): readonly Rule[] {
  return [...rules].sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
}

interface Beside {
  readonly layer: Layer;
  readonly facts: Facts;
  readonly serverNames: Readonly<Record<string, string>>;
}

function traceRule(rule: Rule, { layer, facts, serverNames }: Beside): TracedRule {
  const { verdict, mode } = rule;
  const about = {
    rule: reasonName(rule.id, layer),
    layer,
    verdict,
    mode,
    sentence: describeRule(rule, serverNames),
  };
  const fails = (clause: NonNullable<TracedRule["clause"]>): TracedRule => ({
    ...about,
    matched: false,
    clause,
    failed: FAILED[clause],
  });
  if (mode === "off") return fails("mode");
  if (!rule.on.includes(facts.phase)) return fails("on");
  for (const { clause, test } of clauseTests(rule)) {
    try {
      if (!test(facts)) return fails(clause);
    } catch {
      return { ...about, matched: true, clause, failed: "This clause cannot be read, so the rule denies." };
    }
  }
  return { ...about, matched: true };
}

const FAILED: Readonly<Record<ClauseName | "on" | "mode", string>> = {
  mode: "The rule is switched off.",
  on: "The rule is for another moment of a call.",
  expires: "The rule's last day is over.",
  origin: "It is another site.",
  topSite: "The tab shows another site.",
  frame: "The site is not framed like that.",
  private: "The window is of the other kind.",
  direction: "It goes the other way.",
  era: "The protocol is of another era.",
  server: "It is another server.",
  method: "It is another method.",
  tool: "It is another tool.",
  prompt: "It is another prompt.",
  uri: "It is another resource.",
  class: "The tool does something else.",
  annotations: "The server says otherwise of this tool.",
  pin: "The tool stands differently towards what you approved.",
  args: "The arguments are others.",
  labels: "The session has not read what the rule speaks of.",
  findings: "Nothing of the kind was found.",
  size: "The message is of another size.",
  time: "It is another time.",
  rate: "The site has not called that often.",
  after: "The site did not do that before.",
  inARow: "It is not that often in a row.",
  refusals: "There were not that many refusals.",
};
