/**
 * Every rule beside one call: which matched, and in the others the first clause that fails. For people who ask why; the
 * decision itself never looks here.
 */
import { compile, reasonName } from "./compile.ts";
import { decide } from "./decide.ts";
import { describeRule } from "./explain.ts";
import { listedAs } from "./listed-as.ts";
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
  const isHidden = [...above, ...rules].some(({ on }) => on.includes("list")) && hides({ rules, managed }, facts);
  const listed = isHidden ? listedAs(facts) : undefined;
  const traced = (layer: Layer) => (rule: Rule) => traceRule(rule, { layer, facts, listed, serverNames });
  return [...ranked(above).map(traced("managed")), ...ranked(rules).map(traced("person"))];
}

function ranked(rules: readonly Rule[]): readonly Rule[] {
  return [...rules].sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
}

/** Only then do the rules that hide things have a part in a request. */
function hides({ rules, managed }: TraceOptions, facts: Facts): boolean {
  return decide(compile(rules, { managed }), facts).hidden === true;
}

interface Beside {
  readonly layer: Layer;
  readonly facts: Facts;
  /** The item that the request is of, where it is hidden. */
  readonly listed: Facts | undefined;
  readonly serverNames: Readonly<Record<string, string>>;
}

function traceRule(rule: Rule, { layer, facts, listed, serverNames }: Beside): TracedRule {
  const { verdict, mode, on } = rule;
  const sentence = describeRule(rule, serverNames);
  const about = { rule: reasonName(rule.id, layer), layer, verdict, mode, sentence };
  if (mode === "off") return { ...about, matched: false, clause: "mode", failed: FAILED.mode };
  const ways = [on.includes(facts.phase) ? facts : undefined, on.includes("list") ? listed : undefined];
  const tried = ways.flatMap((way) => (way ? [tryClauses(rule, way)] : []));
  const held = tried.find(({ matched }) => matched) ?? tried[0];
  return { ...about, ...(held ?? { matched: false, clause: "on", failed: FAILED.on }) };
}

function tryClauses(rule: Rule, facts: Facts): Pick<TracedRule, "matched" | "clause" | "failed"> {
  for (const { clause, test } of clauseTests(rule)) {
    try {
      if (!test(facts)) return { matched: false, clause, failed: FAILED[clause] };
    } catch {
      return { matched: true, clause, failed: "This clause cannot be read, so the rule denies." };
    }
  }
  return { matched: true };
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
