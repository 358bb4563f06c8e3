/** What the pages that are about rules are shown with: checks, changes, an organisation's policy, a tried call. */
import type { ManagedView, PolicyBasis, RuleChangeView, RulesView } from "../../src/bridge/policy-api.ts";
import type { Rule } from "../../src/core/policy/policy.ts";
import type { RecordEntry } from "../../src/core/recorder/entry.ts";
import type { Answers } from "./state.ts";

const HOUSE_RULE: Rule = {
  id: "no-secrets-out",
  verdict: "deny",
  priority: 500,
  on: ["request"],
  when: { findings: ["secret"] },
  mode: "enforce",
  note: "Secrets stay in the house",
};

export const MANAGED: ManagedView = { state: "in-force", rules: [HOUSE_RULE] };

export const MANAGED_UNREADABLE: ManagedView = {
  state: "unreadable",
  problems: [
    {
      path: "/rules/0/verdct",
      line: 5,
      message: "A rule has no member “verdct”.",
      remedy: "Did you mean “verdict”?",
    },
  ],
};

export const MADE_RULE: Rule = {
  id: "r9",
  verdict: "ask",
  priority: 51,
  on: ["request"],
  when: { origin: ["https://chat.example"], server: ["s-mail"], tool: ["delete_mail"] },
  mode: "enforce",
};

export function changesAt(now: number, server = "s-mail"): readonly RuleChangeView[] {
  const made: Rule = { ...MADE_RULE, when: { ...MADE_RULE.when, server: [server] } };
  return [
    { id: "h3", seq: 3, at: now - 40_000, act: "save", changes: [{ id: "r9", before: null, after: made }] },
    {
      id: "h2",
      seq: 2,
      at: now - 2 * 3_600_000,
      act: "text",
      changes: [
        { id: "r9", before: { ...made, verdict: "allow" }, after: made },
        { id: "no-secrets-out", before: HOUSE_RULE, after: null },
      ],
    },
    {
      id: "h1",
      seq: 1,
      at: now - 26 * 3_600_000,
      act: "save",
      changes: [{ id: "r9", before: made, after: { ...made, mode: "off" } }],
    },
  ];
}

export const RULES_REST: Pick<RulesView, "default" | "managed" | "coverage"> = {
  default: { read: "allow", other: "ask" },
  managed: { state: "none" },
  coverage: [],
};

/** What checks and tries are worked out from; `rules` name the servers by these ids. */
export function basisOf(
  rules: readonly Rule[],
  { calls, servers }: { readonly calls: readonly RecordEntry[]; readonly servers: PolicyBasis["servers"] },
): PolicyBasis {
  return {
    policy: { head: { default: RULES_REST.default }, rules },
    managed: { state: "none" },
    servers,
    catalogues: servers.map(({ id }) => ({
      serverId: id,
      tools: ["send_email", "list_emails", "delete_mail", "read_file"].map((name) => ({ name, value: { name } })),
    })),
    calls,
  };
}

export function policyAnswers(now: number, basis: PolicyBasis): Answers {
  return {
    "policy.read": basis,
    "facts.read": {
      facts: {
        phase: "request",
        now,
        direction: "out",
        origin: "https://chat.example",
        topSite: "https://chat.example",
        private: false,
        serverId: "s1",
        method: "tools/call",
        tool: "send_email",
        class: "external",
        args: { to: "someone@elsewhere.example" },
        findings: [],
        pin: "approved",
        bytes: 40,
      },
    },
    "rules.write": { problems: [] },
    "rules.default": null,
    "rules.history": { events: changesAt(now, "s1") },
    "rules.undo": { state: "done" },
    "rules.preset": { problems: [] },
    "rules.export": { text: "{}" },
    "rules.import": { problems: [] },
  };
}
