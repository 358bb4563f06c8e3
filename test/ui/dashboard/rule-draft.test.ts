import { describe, expect, it } from "vitest";
import {
  lineOfRule,
  otherClauses,
  readDraft,
  withWords,
  wordsAt,
  writeDraft,
} from "../../../src/ui/dashboard/rule-draft.ts";

const RULE = { id: "a", verdict: "ask", when: { tool: ["x", "y"], args: { "/n": { equals: 1 } } } };

describe("a draft of rules", () => {
  it("is a list of the text's rules, alone or in a policy", () => {
    expect(readDraft(JSON.stringify([RULE]))).toEqual([RULE]);
    expect(readDraft(JSON.stringify({ version: 1, rules: [RULE] }))).toEqual([RULE]);
  });

  it.each([
    ["is not JSON", "[{"],
    ["is something else", "7"],
    ["holds a number that would change", '[{"id":"a","when":{"args":{"/n":{"equals":9007199254740993}}}}]'],
  ])("is left alone where the text %s", (_what, text) => {
    expect(readDraft(text)).toBeUndefined();
  });

  it("changes one rule and nothing around it", () => {
    const text = JSON.stringify({ version: 1, rules: [RULE, { id: "b" }] });
    expect(JSON.parse(writeDraft(text, 1, { id: "c" }))).toEqual({ version: 1, rules: [RULE, { id: "c" }] });
    expect(JSON.parse(writeDraft(text, 0, undefined))).toEqual({ version: 1, rules: [{ id: "b" }] });
    expect(JSON.parse(writeDraft("[]", 0, RULE))).toEqual([RULE]);
  });

  it("reads and writes lists as words", () => {
    expect(wordsAt(RULE, ["when", "tool"])).toBe("x, y");
    expect(withWords(RULE, ["when", "tool"], " z ,, w")).toEqual({ ...RULE, when: { ...RULE.when, tool: ["z", "w"] } });
    expect(withWords(RULE, ["when", "tool"], "")).toEqual({ ...RULE, when: { args: RULE.when.args } });
    expect(withWords({ ...RULE, do: { redact: ["secret"] } }, ["do", "redact"], "")).toEqual(RULE);
  });

  it("names the clauses that have no field", () => {
    expect(otherClauses(RULE)).toEqual(["args"]);
  });

  it("finds the line of a rule", () => {
    expect(lineOfRule(JSON.stringify([RULE], null, 2), RULE)).toBe(3);
  });
});
