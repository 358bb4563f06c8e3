/** Rules and facts for the policy tests; each test says only what matters to it. */
import type { Facts, Rule } from "../../../src/core/policy/policy.ts";

export function rule(changes: Partial<Rule>): Rule {
  return { id: "r", verdict: "deny", priority: 0, on: ["request"], when: {}, mode: "enforce", ...changes };
}

export function facts(changes: Partial<Facts>): Facts {
  return {
    phase: "request",
    now: 1_796_000_000_000,
    direction: "out",
    origin: "https://chat.example",
    topSite: "https://chat.example",
    private: false,
    serverId: "s1",
    method: "tools/call",
    tool: "list_mail",
    class: "read",
    args: {},
    findings: [],
    labels: { integrity: "trusted", confidentiality: "public", sources: [] },
    pin: "approved",
    bytes: 100,
    ...changes,
  };
}
