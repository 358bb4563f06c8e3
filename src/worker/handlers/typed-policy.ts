/** The policy a person typed: whole, or as a list of rules alone, which leaves the default row as it is. */
import type { Gateway } from "../../core/gateway.ts";
import type { PolicyState } from "../../core/policy/history.ts";
import type { RuleProblem } from "../../core/policy/problem.ts";
import { documentFromText, rulesFromText } from "../../core/policy/text.ts";

export interface Typed {
  readonly next: PolicyState;
  readonly problems: readonly RuleProblem[];
  /** Pointer to the rules in the text. */
  readonly at: "" | "/rules";
}

export function typedPolicy({ rules, registry }: Pick<Gateway, "rules" | "registry">, text: string): Typed {
  const head = rules.head();
  if (text.trimStart().startsWith("[")) {
    const list = rulesFromText(text, registry.list());
    return { next: { head, rules: list.rules }, problems: list.problems, at: "" };
  }
  const read = documentFromText(text, registry.list());
  if (!read.document) return { next: { head, rules: [] }, problems: read.problems, at: "/rules" };
  const { profile, default: row, rules: written } = read.document;
  return {
    next: { head: { default: row, ...(profile === undefined ? {} : { profile }) }, rules: written },
    problems: [],
    at: "/rules",
  };
}
