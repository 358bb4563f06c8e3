/** A rule from what the popup's form holds. It goes before every rule that applies here now, as a person expects of the newest. */
import type { Rule, Verdict } from "../../core/policy/policy.ts";

export interface RuleDraft {
  readonly verdict: Verdict;
  readonly serverId: string;
  /** Empty for every tool of the server. */
  readonly tool: string;
  /** The site it holds for; undefined for every site. */
  readonly origin: string | undefined;
  /** Why it is there. */
  readonly note?: string | undefined;
}

/** Not worth a word where a rule is shown. */
export const USUAL_PRIORITY = 50;

export function newRule(id: string, draft: RuleDraft, here: readonly Rule[]): Rule {
  const { verdict, serverId, tool, origin, note } = draft;
  return {
    id,
    verdict,
    priority: nextPriority(here),
    on: ["request"],
    when: {
      ...(origin !== undefined && { origin: [origin] }),
      server: [serverId],
      ...(tool !== "" && { tool: [tool] }),
    },
    mode: "enforce",
    ...(note !== undefined && { note }),
  };
}

const HIGHEST = 1000;

function nextPriority(rules: readonly Rule[]): number {
  const highest = Math.max(USUAL_PRIORITY - 1, ...rules.map(({ priority }) => priority));
  return Math.min(HIGHEST, highest + 1);
}
