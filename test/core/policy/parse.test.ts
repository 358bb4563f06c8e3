import { describe, expect, it } from "vitest";
import { parseRule, parseRules } from "../../../src/core/policy/parse.ts";

describe("reading a rule", () => {
  it("fills in priority, phase and mode", () => {
    expect(parseRule({ id: "r", verdict: "deny", when: {} }).rule).toEqual({
      id: "r",
      verdict: "deny",
      priority: 0,
      on: ["request"],
      when: {},
      mode: "enforce",
    });
  });

  it("makes a list of a single text and drops repetitions", () => {
    const { rule } = parseRule({ id: "r", verdict: "deny", when: { tool: "a", server: ["s", "s"] } });
    expect(rule?.when).toEqual({ tool: ["a"], server: ["s"] });
  });

  it("reports every problem at once", () => {
    const { rule, problems } = parseRule({
      verdict: "no",
      when: { tool: [], origin: ["http://a.example", "*"], args: { to: { pattern: "(" } } },
      priority: 5000,
      extra: 1,
    });
    expect(rule).toBeUndefined();
    expect(problems.map((problem) => problem.path).sort()).toEqual([
      "/extra",
      "/id",
      "/priority",
      "/verdict",
      "/when/args/to",
      "/when/args/to/pattern",
      "/when/origin/0",
      "/when/origin/1",
      "/when/tool",
    ]);
  });

  it("gives nothing back that was not understood", () => {
    const input = JSON.parse('{"id":"r","verdict":"deny","when":{"__proto__":{"tool":["x"]}}}') as unknown;
    expect(parseRule(input).problems).toMatchObject([{ path: "/when/__proto__" }]);
  });

  it.each([undefined, null, 1, "x", true, [[]], () => 1])("refuses %s", (input) => {
    expect(parseRule(input).problems).toHaveLength(1);
  });
});

describe("reading a list of rules", () => {
  it("refuses an id used twice and says where", () => {
    const one = { id: "a", verdict: "deny", when: {} };
    const { rules, problems } = parseRules([one, { ...one, id: "b" }, one]);
    expect(rules.map((rule) => rule.id)).toEqual(["a", "b"]);
    expect(problems).toMatchObject([{ path: "/2/id", message: "The id “a” is already used by rule 1 of the list." }]);
  });

  it("keeps good rules beside bad ones", () => {
    const { rules, problems } = parseRules([{ id: "a", verdict: "deny", when: {} }, 5]);
    expect(rules).toHaveLength(1);
    expect(problems).toMatchObject([{ path: "/1" }]);
  });

  it("refuses what is not a list", () => {
    expect(parseRules({ rules: [] }).problems).toHaveLength(1);
  });
});
