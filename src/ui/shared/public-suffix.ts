/**
 * Wildcard origins held against the whole Public Suffix List. The list is many times the size of all policy code, so it is
 * here, in the page where rules are written, and not in the worker, which every call would have to wait for; the worker keeps
 * a short list of its own (`shared-suffix.ts`) as the floor, which also holds for an organisation's rules.
 *
 * @see https://publicsuffix.org
 */
import { getPublicSuffix } from "tldts";
import { sharedComplaint, wildcardHost } from "../../core/policy/origin.ts";
import type { Rule } from "../../core/policy/policy.ts";
import type { RuleProblem } from "../../core/policy/problem.ts";

/** Wildcards for sites of strangers, with pointers into the list of rules. */
export function sharedWildcards(rules: readonly Rule[]): readonly RuleProblem[] {
  return rules.flatMap(({ when }, place) =>
    (["origin", "topSite"] as const).flatMap((clause) =>
      (when[clause] ?? []).flatMap((text, at) => {
        const host = wildcardHost(text);
        if (host === undefined || !isPublicSuffix(host)) return [];
        return [{ path: `/${place}/when/${clause}/${at}`, ...sharedComplaint(host) }];
      }),
    ),
  );
}

function isPublicSuffix(host: string): boolean {
  return getPublicSuffix(host, { allowPrivateDomains: true }) === host;
}
