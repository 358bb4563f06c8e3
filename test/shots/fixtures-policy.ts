/** What the pages that are about rules are shown with: checks, changes, an organisation's policy, a tried call. */
import type { ManagedView, PolicyCheck, RuleChangeView, RulesView } from "../../src/bridge/policy-api.ts";
import type { Rule } from "../../src/core/policy/policy.ts";
import { PRESETS } from "../../src/core/policy/presets.ts";
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

export function checkAt(now: number): PolicyCheck {
  return {
    problems: [],
    notes: [
      {
        path: "/1/when/tool/0",
        line: 26,
        message: "mail has no tool snd_mail, so this never matches.",
        remedy: "Did you mean send_email?",
      },
    ],
    differences: [
      { rule: "r9", kind: "added", wider: true, sentence: "New: Ask before chat.example uses delete_mail of mail" },
    ],
    impact: {
      of: 500,
      count: 7,
      changed: [
        {
          seq: 4806,
          at: now - 300_000,
          origin: "https://chat.example",
          serverName: "mail",
          method: "tools/call",
          tool: "send_email",
          before: "allow",
          after: "ask",
          why: "Your rule: Ask before mail leaves example.org",
        },
        {
          seq: 4790,
          at: now - 3_000_000,
          origin: "https://desk.example",
          serverName: "files",
          method: "tools/call",
          tool: "srift_quick_share",
          before: "ask",
          after: "deny",
          why: "Your rule: Never share files",
        },
      ],
    },
  };
}

export const BAD_CHECK: PolicyCheck = {
  problems: [
    {
      path: "/1/when/tool/1",
      line: 29,
      message: "mail has no tool snd_mail, so this can never match.",
      remedy: "Write send_email, or take it out of the list.",
    },
    { path: "/2/verdct", line: 43, message: "A rule has no member verdct.", remedy: "Write verdict." },
  ],
  notes: [],
  impact: null,
  differences: [],
};

export const RULES_REST: Pick<RulesView, "default" | "managed" | "coverage" | "presets"> = {
  default: { read: "allow", other: "ask" },
  managed: { state: "none" },
  coverage: [],
  presets: PRESETS.map(({ id, name, sentence }) => ({ id, name, sentence, active: id === "careful" })),
};

export function policyAnswers(now: number): Answers {
  const check = checkAt(now);
  return {
    "rule.check": { ...check, notes: [] },
    "rules.check": check,
    "rules.write": { problems: [] },
    "rules.default": null,
    "rules.history": { events: changesAt(now, "s1") },
    "rules.undo": { state: "done" },
    "rules.preset": check,
    "rules.export": { text: "{}" },
    "rules.import": { ...check, servers: [], rules: 1 },
    "rules.try": {
      decision: {
        phase: "request",
        verdict: "ask",
        redact: [],
        reasons: [
          {
            rule: "mail-external",
            verdict: "ask",
            priority: 50,
            mode: "enforce",
            sentence: "Your rule: Ask before mail leaves example.org",
          },
        ],
      },
      rules: [
        {
          rule: "managed:no-secrets-out",
          layer: "managed",
          verdict: "deny",
          mode: "enforce",
          sentence: "Never let any site use any tool, when a secret is found",
          matched: false,
          failed: "Nothing of the kind was found.",
        },
        {
          rule: "mail-external",
          layer: "person",
          verdict: "ask",
          mode: "enforce",
          sentence: "Ask before any site uses send_* of mail",
          matched: true,
        },
      ],
    },
  };
}
