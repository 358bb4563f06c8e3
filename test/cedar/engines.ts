/**
 * Two other policy engines, loaded from this folder's own packages: Cedar, whose verdicts ours are held against on what both
 * can say, and a CEL engine, for the speed of rules that are looked at one by one.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Facts, Rule, Verdict } from "../../src/core/policy/policy.ts";
import { installFolder } from "../servers/install.ts";
import { cedarContext, cedarPolicies, celCondition } from "./translate.ts";

export interface OtherEngine {
  decide(facts: Facts): Verdict;
}

interface Cedar {
  preparsePolicySet(id: string, policies: { readonly staticPolicies: string }): { readonly type: string };
  statefulIsAuthorized(call: unknown): {
    readonly type: string;
    readonly response?: { readonly decision: string; readonly diagnostics: { readonly errors: readonly unknown[] } };
  };
}

interface Cel {
  parse(expression: string): (context: unknown) => unknown;
}

const SUBJECT = { principal: { type: "Site", id: "s" }, resource: { type: "Server", id: "s" }, entities: [] };

export async function loadEngines(): Promise<{
  cedar: (rules: readonly Rule[]) => OtherEngine;
  cel: (rules: readonly Rule[]) => OtherEngine;
}> {
  installFolder("cedar");
  const require = createRequire(new URL("package.json", import.meta.url));
  const cedar = require("@cedar-policy/cedar-wasm/nodejs") as Cedar;
  const cel = (await import(pathToFileURL(require.resolve("@marcbachmann/cel-js")).href)) as Cel;
  return { cedar: (rules) => cedarEngine(cedar, rules), cel: (rules) => celEngine(cel, rules) };
}

/** Cedar knows permit and forbid. A question is a call that may pass, only not unasked. */
function cedarEngine(cedar: Cedar, rules: readonly Rule[]): OtherEngine {
  const id = "policies";
  const { type } = cedar.preparsePolicySet(id, { staticPolicies: cedarPolicies(rules) });
  if (type !== "success") throw new Error("Cedar does not read these policies.");
  const may = (action: string, context: unknown): boolean => {
    const answer = cedar.statefulIsAuthorized({
      ...SUBJECT,
      action: { type: "Action", id: action },
      context,
      preparsedPolicySetId: id,
    });
    if (!answer.response || answer.response.diagnostics.errors.length > 0) throw new Error("Cedar erred.");
    return answer.response.decision === "allow";
  };
  return {
    decide(facts) {
      const context = cedarContext(facts);
      if (may("unasked", context)) return "allow";
      return may("asked", context) ? "ask" : "deny";
    },
  };
}

/** One expression for each rule, the strictest first, until one holds. */
function celEngine(cel: Cel, rules: readonly Rule[]): OtherEngine {
  const order: readonly Verdict[] = ["deny", "ask", "allow"];
  const parsed = order.flatMap((verdict) =>
    rules.filter((rule) => rule.verdict === verdict).map((rule) => ({ verdict, holds: cel.parse(celCondition(rule)) })),
  );
  return {
    decide(facts) {
      const context = cedarContext(facts);
      return parsed.find(({ holds }) => holds({ context }) === true)?.verdict ?? "deny";
    },
  };
}
