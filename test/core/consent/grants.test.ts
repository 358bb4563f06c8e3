import { describe, expect, it } from "vitest";
import { answers, createGrants, type GrantQuestion } from "../../../src/core/consent/grants.ts";
import { fixedArguments, grantOf, patternText, wishProblems } from "../../../src/core/consent/wish.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { createFakeTable } from "../../fakes/tables.ts";
import { callApproval, grant, question } from "./sample.ts";

const VALUES = grant({ scope: "values", args: fixedArguments('{"to":"ada","body":"hello"}', ["to"]) });

describe("a grant", () => {
  it.each<[string, Partial<GrantQuestion>]>([
    ["site", { principalKey: '["https://other.example","https://other.example","default",false]' }],
    ["server", { serverId: "s2" }],
    ["tool", { tool: "remove" }],
    ["definition of the tool", { pinText: '{"x":1}' }],
    ["rule", { rules: ["default:other", "r1"] }],
    ["source of what was read", { rules: ["flow:untrusted-write"], sources: ["s1", "s2"] }],
  ])("does not answer for another %s", (_what, more) => {
    expect(answers(grant(), question())).toBe(true);
    expect(answers(grant(), question(more))).toBe(false);
  });

  it.each([
    ["the same values", '{"to":"ada","body":"hello"}', true],
    ["the same values in another order and layout", '{ "body" : "hello" , "to":"ad\\u0061" }', true],
    ["another value where it was left open", '{"to":"ada","body":"something else"}', true],
    ["less than was there", '{"to":"ada"}', true],
    ["another value where it was fixed", '{"to":"eve","body":"hello"}', false],
    ["the fixed value in a list", '{"to":["ada"],"body":"hello"}', false],
    ["no fixed value", '{"body":"hello"}', false],
    ["an argument that was not there", '{"to":"ada","body":"hello","bcc":"eve"}', false],
    ["no object", "[]", false],
  ])("for values answers %s: %s is %s", (_what, argumentsText, expected) => {
    expect(answers(VALUES, question({ argumentsText }))).toBe(expected);
  });

  it("for values tells numbers apart that a rounding reader would not", () => {
    const about = grant({ scope: "values", args: fixedArguments('{"id":9007199254740993}', ["id"]) });
    expect(answers(about, question({ argumentsText: '{"id":9007199254740993}' }))).toBe(true);
    expect(answers(about, question({ argumentsText: '{"id":9007199254740992}' }))).toBe(false);
  });

  it("answers after reading from its own server, or from where had been read when it was given", () => {
    const rules = ["flow:untrusted-write"];
    expect(answers(grant(), question({ rules, sources: ["s1"] }))).toBe(true);
    expect(answers(grant({ sources: ["s2"] }), question({ rules, sources: ["s1", "s2"] }))).toBe(true);
    expect(answers(grant({ sources: ["s2"], rules }), question({ rules, sources: ["s3"] }))).toBe(false);
  });

  it("counts its uses, is gone after the last, and says so to the table", async () => {
    const table = createFakeTable<ReturnType<typeof grant>>();
    const grants = createGrants(table, createFakeClock());
    await grants.add(grant({ usesLeft: 2 }));
    expect(grants.take(question())).toMatchObject({ used: 1, usesLeft: 1 });
    expect(table.rows.get("g1")).toMatchObject({ used: 1, usesLeft: 1 });
    expect(grants.take(question())).toMatchObject({ used: 2, usesLeft: 0 });
    expect(grants.take(question())).toBeUndefined();
    expect(table.rows.size).toBe(0);
  });

  it("that is used up is spared where one without a count answers too", async () => {
    const grants = createGrants(createFakeTable(), createFakeClock());
    await grants.add(grant({ usesLeft: 1 }));
    await grants.add(grant({ id: "g2" }));
    expect(grants.take(question())?.id).toBe("g2");
    expect(grants.list()).toHaveLength(2);
  });

  it("ends at its time", async () => {
    const clock = createFakeClock();
    const grants = createGrants(createFakeTable(), clock);
    await grants.add(grant({ expiresAt: clock.now() + 1000 }));
    clock.advance(1000);
    expect(grants.take(question())).toBeUndefined();
    expect(grants.list()).toEqual([]);
  });

  it("for values outlives a task, one for a session does not", async () => {
    const grants = createGrants(createFakeTable(), createFakeClock());
    await grants.add(VALUES);
    await grants.add(grant({ id: "g2", scope: "session" }));
    await grants.endSession(VALUES.principalKey);
    expect(grants.list().map(({ id }) => id)).toEqual(["g1"]);
  });
});

describe("what the person chooses", () => {
  it.each([
    ["once", undefined, []],
    ["values", { values: ["to"], lastsMs: 1000, uses: 3 }, []],
    ["values", { values: [], lastsMs: null, uses: null }, ["none"]],
    ["values", undefined, ["none"]],
    ["values", { values: ["cc"], lastsMs: null, uses: null }, ["unknown"]],
    ["values", { values: ["to"], lastsMs: null, uses: 0 }, ["bounds"]],
    ["tool", { lastsMs: -1, uses: null }, ["bounds"]],
    ["tool", { lastsMs: null, uses: 1.5 }, ["bounds"]],
    ["tool", { lastsMs: Number.NaN, uses: null }, ["bounds"]],
  ] as const)("as %s with %j has the problems %j", (scope, wish, problems) => {
    expect(wishProblems(callApproval("a"), scope, wish)).toEqual(problems);
  });

  it("may not keep a secret or a page of text as a pattern", () => {
    const wish = { values: ["key", "text"], lastsMs: null, uses: null };
    const argumentsText = JSON.stringify({ key: "hidden", text: "x".repeat(3000) });
    const findings = [{ kind: "secret", type: "secret.x", path: "/key" }] as const;
    expect(wishProblems(callApproval("a", { argumentsText, findings }), "values", wish)).toEqual(["secret", "long"]);
  });

  it("is shown in the words of a rule", () => {
    const { args } = grantOf({
      id: "g",
      principalKey: "p",
      approval: callApproval("a", { argumentsText: '{"a/b~":1e2,"to":"ada"}' }),
      scope: "values",
      wish: { values: ["a/b~", "to"], lastsMs: 5, uses: 1 },
      now: 10,
    });
    expect(patternText(args ?? { fixed: {} })).toBe('{"/a~1b~0": {"equals": 1e2}, "/to": {"equals": "ada"}}');
  });
});
