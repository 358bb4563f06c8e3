/**
 * Policies to begin with, each with the one sentence it keeps. They name no server, no tool and no site of anybody's; a
 * person who needs that makes rules of their own on top.
 */
import type { PolicyDocument, Rule } from "./policy.ts";

export interface Preset {
  readonly id: "careful" | "read-only" | "local-development" | "strict";
  readonly name: string;
  /** What it does; shown as it is. */
  readonly sentence: string;
  readonly document: PolicyDocument;
}

const LARGE = 5_000_000;

const SECRETS_OUT: Rule = {
  id: "no-secrets-out",
  verdict: "deny",
  priority: 500,
  on: ["request"],
  when: { findings: ["secret"] },
  do: { say: "Leave secrets out of what is sent." },
  mode: "enforce",
  note: "A secret is in what would be sent.",
};

const ACROSS: Rule = {
  id: "between-servers",
  verdict: "ask",
  priority: 100,
  on: ["request"],
  when: { method: ["tools/call"], class: ["write", "external"], labels: { sources: "other" } },
  do: { grant: "session" },
  mode: "enforce",
  note: "Data of another server may go to this one.",
};

const LARGE_ANSWERS: Rule = {
  id: "large-answers",
  verdict: "deny",
  priority: 100,
  on: ["reply"],
  when: { size: { over: LARGE } },
  do: { say: "Ask for less at once." },
  mode: "enforce",
  note: "The answer is larger than 5 MB.",
};

const HIDDEN_TEXT: Rule = {
  id: "hidden-text",
  verdict: "allow",
  priority: -1000,
  on: ["reply"],
  when: {},
  do: { redact: ["hidden-text"] },
  mode: "enforce",
  note: "Text that nobody can see is taken out of answers.",
};

const COOL_DOWN: Rule = {
  id: "cool-down",
  verdict: "ask",
  priority: 50,
  on: ["request"],
  when: { method: ["tools/call"], refusals: { atLeast: 5, within: "10min" } },
  mode: "enforce",
  note: "Several calls of this site were refused in the last minutes.",
};

const LOCAL = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"] as const;

export const PRESETS: readonly Preset[] = [
  {
    id: "careful",
    name: "Careful",
    sentence:
      "Tools that only read are allowed and every other tool asks, also when data of one server may go to another; secrets never leave, hidden text is taken out, and answers over 5 MB are withheld.",
    document: {
      version: 1,
      profile: "careful",
      default: { read: "allow", other: "ask" },
      rules: [SECRETS_OUT, ACROSS, COOL_DOWN, LARGE_ANSWERS, HIDDEN_TEXT],
    },
  },
  {
    id: "read-only",
    name: "Read only",
    sentence: "Tools that only read are allowed, every other tool is refused, and answers over 5 MB are withheld.",
    document: {
      version: 1,
      profile: "read-only",
      default: { read: "allow", other: "deny" },
      rules: [LARGE_ANSWERS, HIDDEN_TEXT],
    },
  },
  {
    id: "local-development",
    name: "Local development",
    sentence:
      "Pages served from this computer may use every tool without being asked, except that secrets never leave; every other site is treated as in Careful.",
    document: {
      version: 1,
      profile: "local-development",
      default: { read: "allow", other: "ask" },
      rules: [
        SECRETS_OUT,
        {
          id: "local-pages",
          verdict: "allow",
          priority: 200,
          on: ["request"],
          when: { origin: LOCAL, frame: "top", method: ["tools/call"] },
          mode: "enforce",
          note: "The page is served from this computer.",
        },
        ACROSS,
        COOL_DOWN,
        LARGE_ANSWERS,
        HIDDEN_TEXT,
      ],
    },
  },
  {
    id: "strict",
    name: "Strict",
    sentence:
      "Every tool that only reads asks each time, every other tool is refused, sites inside other sites' pages get nothing, and an answer in which a secret is found or that is over 1 MB is withheld.",
    document: {
      version: 1,
      profile: "strict",
      default: { read: "ask", other: "deny" },
      rules: [
        {
          id: "no-embedded-sites",
          verdict: "deny",
          priority: 1000,
          on: ["request"],
          when: { frame: "embedded" },
          mode: "enforce",
          note: "The site sits inside another site's page.",
        },
        {
          id: "ask-each-time",
          verdict: "ask",
          priority: 0,
          on: ["request"],
          when: { method: ["tools/call"], class: ["read"] },
          do: { grant: "once" },
          mode: "enforce",
          note: "Every reading is asked about.",
        },
        {
          id: "no-secrets-in",
          verdict: "deny",
          priority: 500,
          on: ["reply"],
          when: { findings: ["secret"] },
          do: { say: "The answer held a secret." },
          mode: "enforce",
          note: "A secret is in the answer.",
        },
        { ...LARGE_ANSWERS, when: { size: { over: 1_000_000 } }, note: "The answer is larger than 1 MB." },
        HIDDEN_TEXT,
      ],
    },
  },
];
