/** The policy a person typed: whole, or as a list of rules alone, which leaves the default row as it is. */
import type { PolicyHead, PolicyState } from "./history.ts";
import type { RuleProblem } from "./problem.ts";
import { documentFromText, rulesFromText } from "./text.ts";

export interface Typed {
  readonly next: PolicyState;
  readonly problems: readonly RuleProblem[];
  /** Pointer to the rules in the text. */
  readonly at: "" | "/rules";
}

export interface Around {
  readonly head: PolicyHead;
  readonly servers: readonly { readonly id: string; readonly name: string }[];
}

export function typedPolicy(text: string, { head, servers }: Around): Typed {
  if (text.trimStart().startsWith("[")) {
    const list = rulesFromText(text, servers);
    return { next: { head, rules: list.rules }, problems: list.problems, at: "" };
  }
  const read = documentFromText(text, servers);
  if (!read.document) return { next: { head, rules: [] }, problems: read.problems, at: "/rules" };
  const { profile, default: row, rules } = read.document;
  return {
    next: { head: { default: row, ...(profile === undefined ? {} : { profile }) }, rules },
    problems: [],
    at: "/rules",
  };
}
