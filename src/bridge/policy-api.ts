/** The part of the control API that is about rules: reading, checking before saving, saving, taking back, trying out. */
import type { Difference } from "../core/policy/diff.ts";
import type { PolicyState, RuleEvent } from "../core/policy/history.ts";
import type { LiveTools } from "../core/policy/lint-names.ts";
import type { DefaultRow, Facts, Rule, Verdict } from "../core/policy/policy.ts";
import type { RuleProblem } from "../core/policy/problem.ts";
import type { RecordEntry } from "../core/recorder/entry.ts";

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
export type TriedCall = { readonly seq: number } | MadeUpCall;

export interface MadeUpCall {
  readonly origin: string;
  readonly serverId: string;
  readonly method: string;
  readonly tool?: string;
  /** JSON text. */
  readonly argumentsText: string;
}

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
}

/**
 * Everything a page of ours needs to check and try rules by itself, with the same code as the worker decides with. What is
 * only looked at need not be in the worker.
 */
export interface PolicyBasis {
  readonly policy: PolicyState;
  readonly managed: ManagedView;
  readonly servers: readonly { readonly id: string; readonly name: string; readonly url: string }[];
  /** What was last learned of each server's tools. */
  readonly catalogues: LiveTools["catalogues"];
  /** The latest calls, newest first, without what came back. */
  readonly calls: readonly RecordEntry[];
}

export interface PolicyApi {
  "policy.read": (p: null) => PolicyBasis;
  "rule.save": (p: { readonly rule: unknown }) => { readonly problems: readonly RuleProblem[] };
  "rule.delete": (p: { readonly id: string }) => null;
  "rules.read": (p: null) => RulesView;
  "rules.write": (p: { readonly text: string }) => { readonly problems: readonly RuleProblem[] };
  /** The facts of a call that somebody made up, as they would be if the site made it now. */
  "facts.read": (p: MadeUpCall) => { readonly facts: Facts } | { readonly problem: string };
  /** What happens where no rule speaks. */
  "rules.default": (p: { readonly default: DefaultRow }) => null;
  "rules.history": (p: null) => { readonly events: readonly RuleEvent[] };
  "rules.undo": (p: { readonly id: string }) => { readonly state: "done" | "changed" | "gone" };
  /** A whole policy in place of the person's. */
  "rules.preset": (p: { readonly document: unknown }) => { readonly problems: readonly RuleProblem[] };
  "rules.export": (p: null) => { readonly text: string };
  "rules.import": (p: { readonly text: string }) => { readonly problems: readonly RuleProblem[] };
}
