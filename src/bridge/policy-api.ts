/** The part of the control API that is about rules: reading, checking before saving, saving, taking back, trying out. */
import type { SetLimits } from "../core/limits.ts";
import type { Difference } from "../core/policy/diff.ts";
import type { RuleEvent } from "../core/policy/history.ts";
import type { Decision, DefaultRow, Rule, Verdict } from "../core/policy/policy.ts";
import type { RuleProblem } from "../core/policy/problem.ts";
import type { TracedRule } from "../core/policy/trace.ts";

/** Server id to name, for rules. */
export type ServerNames = Readonly<Record<string, string>>;

/** What an organisation set through the browser. */
export type ManagedView =
  | { readonly state: "none" }
  | { readonly state: "in-force"; readonly rules: readonly Rule[] }
  | { readonly state: "unreadable"; readonly problems: readonly RuleProblem[] };

/** One change, small enough to be shown in a line. */
export type RuleChangeView = RuleEvent;

/** A call of the past that would end otherwise. */
export interface ChangedCall {
  readonly seq: number;
  readonly at: number;
  readonly origin: string;
  readonly serverName: string;
  readonly method: string;
  readonly tool?: string;
  readonly before: Verdict;
  readonly after: Verdict;
  /** The sentence of the reason that would decide. */
  readonly why: string;
}

/** What a change would have done to the calls that are on record. */
export interface Impact {
  /** How many calls were looked at. */
  readonly of: number;
  readonly count: number;
  /** Newest first, at most 50 of them. */
  readonly changed: readonly ChangedCall[];
}

/** What there is to say about rules before anyone saves them. */
export interface PolicyCheck {
  /** While there is one, nothing can be saved. */
  readonly problems: readonly RuleProblem[];
  /** What can be saved and is probably not meant. */
  readonly notes: readonly RuleProblem[];
  readonly impact: Impact | null;
  readonly differences: readonly Difference[];
}

/** A call to try rules on: one on record, or one that somebody made up. */
export type TriedCall =
  | { readonly seq: number }
  | {
      readonly origin: string;
      readonly serverId: string;
      readonly method: string;
      readonly tool?: string;
      /** JSON text. */
      readonly argumentsText: string;
    };

/** Whose tools stay shut: a site's connection of which the policy lets nothing, or little, through. */
export interface Coverage {
  readonly origin: string;
  readonly serverName: string;
  readonly tools: number;
  /** How many of them are refused without a question. */
  readonly refused: number;
  /** The sentence of the reason that refuses most of them. */
  readonly by: string;
}

export interface RulesView {
  readonly rules: readonly Rule[];
  readonly default: DefaultRow;
  /** The person's rules as JSON text with server names. */
  readonly text: string;
  readonly serverNames: ServerNames;
  readonly managed: ManagedView;
  readonly coverage: readonly Coverage[];
  readonly presets: readonly {
    readonly id: string;
    readonly name: string;
    readonly sentence: string;
    readonly active: boolean;
  }[];
}

/** What a file would bring. */
export interface ImportView extends PolicyCheck {
  readonly servers: readonly { readonly name: string; readonly url: string; readonly known: boolean }[];
  readonly rules: number;
  /** These take the place of all limits that were set. */
  readonly limits?: SetLimits;
}

export interface PolicyApi {
  "rule.check": (p: { readonly rule: unknown }) => PolicyCheck;
  "rule.save": (p: { readonly rule: unknown }) => { readonly problems: readonly RuleProblem[] };
  "rule.delete": (p: { readonly id: string }) => null;
  "rules.read": (p: null) => RulesView;
  "rules.check": (p: { readonly text: string }) => PolicyCheck;
  "rules.write": (p: { readonly text: string }) => { readonly problems: readonly RuleProblem[] };
  /** `text`: rules that are not saved yet; else those in force. */
  "rules.try": (p: { readonly call: TriedCall; readonly text?: string }) => {
    readonly decision: Decision | null;
    readonly rules: readonly TracedRule[];
    readonly problem?: string;
  };
  /** What happens where no rule speaks. */
  "rules.default": (p: { readonly default: DefaultRow }) => null;
  "rules.history": (p: null) => { readonly events: readonly RuleEvent[] };
  "rules.undo": (p: { readonly id: string }) => { readonly state: "done" | "changed" | "gone" };
  /** What it would change, and with `apply` changes it. */
  "rules.preset": (p: { readonly id: string; readonly apply: boolean }) => PolicyCheck;
  "rules.export": (p: null) => { readonly text: string };
  "rules.import": (p: { readonly text: string; readonly apply: boolean }) => ImportView;
}
