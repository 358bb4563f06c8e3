/** Which rules a person sees under "rules that apply here": those whose site clauses can match, switched on or not. */
import { originTest } from "./origin.ts";
import type { Rule } from "./policy.ts";

export function appliesTo(rule: Rule, site: { readonly origin: string; readonly topSite: string }): boolean {
  const { origin, topSite } = rule.when;
  return includes(origin, site.origin) && includes(topSite, site.topSite);
}

/** Rules without the clause apply everywhere. */
function includes(patterns: readonly string[] | undefined, origin: string): boolean {
  return patterns?.some((pattern) => originTest(pattern)(origin)) ?? true;
}
