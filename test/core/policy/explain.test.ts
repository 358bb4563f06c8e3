import { describe, expect, it } from "vitest";
import { describeRule, sentenceFor } from "../../../src/core/policy/explain.ts";
import type { Rule } from "../../../src/core/policy/policy.ts";
import { rule } from "./fixtures.ts";

const NAMES = { s1: "mail", s2: "tickets" };

describe("a rule in words", () => {
  const rows: readonly (readonly [Partial<Rule>, string])[] = [
    [
      { verdict: "ask", when: { origin: ["https://chat.example"], server: ["s1"], tool: ["send_*"] } },
      "Ask before chat.example uses send_* of mail",
    ],
    [{ when: { server: ["s1"], tool: ["delete_mail"] } }, "Never let any site use delete_mail of mail"],
    [{ verdict: "allow", when: {} }, "Allow any site to use any server"],
    [{ when: { server: ["gone"] } }, "Never let any site use a removed server"],
    [
      { verdict: "ask", when: { class: ["write", "external"], labels: { integrity: "untrusted" } } },
      "Ask before any site uses tools that change something or tools that send data out, when the agent has read text from outside",
    ],
    [
      { verdict: "ask", when: { args: { "/to": { not: { pattern: "@a$" } }, "/n": { equals: 1 } } } },
      "Ask before any site uses any server, when “to” does not match @a$ and “n” is 1",
    ],
    [
      { on: ["reply"], when: { findings: ["secret"] }, do: { redact: ["secret"] } },
      "Withhold answers from any server to any site, when secret is found, and hide secret",
    ],
    [{ on: ["list"], when: { tool: ["send_*"] } }, "Hide send_* from any site"],
    [
      { mode: "audit", when: {}, expires: "2026-12-31" },
      "Only note: never let any site use any server, until 2026-12-31",
    ],
    [{ on: ["request", "list"], when: { tool: ["x"] } }, "Never let any site use x; hide x from any site"],
    [
      { when: { origin: ["http://localhost:1"], topSite: ["https://a.example"] } },
      "Never let http://localhost:1 inside a.example use any server",
    ],
  ];
  it.each(rows)("%j", (changes, sentence) => {
    expect(describeRule(rule(changes), NAMES)).toBe(sentence);
  });
});

describe("a reason in words", () => {
  it("says what the rule does when it has no note", () => {
    expect(sentenceFor("r", rule({ verdict: "ask" }))).toBe("Your rule: Ask first (r)");
  });

  it("has words for a row it does not know", () => {
    expect(sentenceFor("toString")).toBe("navra decides this by itself.");
  });
});
