import { describe, expect, it } from "vitest";
import { rulesFromText, rulesToText } from "../../../src/core/policy/text.ts";
import { rule } from "./fixtures.ts";

const SERVERS = [
  { id: "1111", name: "mail" },
  { id: "2222", name: "tickets" },
];

function problemsOf(text: string) {
  return rulesFromText(text, SERVERS).problems;
}

describe("rules as text", () => {
  it("show servers by name and come back by id", () => {
    const rules = [rule({ when: { server: ["1111"], tool: ["send_*"] }, expires: "2026-12-31", note: "n" })];
    const text = rulesToText(rules, { "1111": "mail", "2222": "tickets" });
    expect(text).toContain('"mail"');
    expect(text).not.toContain("1111");
    expect(rulesFromText(text, SERVERS)).toEqual({ rules, problems: [] });
  });

  it("keep the id of a server that is gone, and refuse it on the way back", () => {
    const text = rulesToText([rule({ when: { server: ["3333"] } })], {});
    expect(problemsOf(text)).toMatchObject([{ path: "/0/when/server/0", message: "You have no server “3333”." }]);
  });

  it("do not take an id for a name", () => {
    expect(problemsOf('[{"id":"r","verdict":"deny","when":{"server":"1111"}}]')).toHaveLength(1);
  });

  it("offer the name somebody probably meant", () => {
    const text = '[\n {"id":"r","verdict":"deny",\n  "when":{"server":["mial"]}}\n]';
    expect(problemsOf(text)).toMatchObject([{ line: 3, remedy: "Did you mean “mail”?" }]);
  });

  it("list the names when none is near", () => {
    expect(problemsOf('[{"id":"r","verdict":"deny","when":{"server":"calendar"}}]')).toMatchObject([
      { remedy: "Use one of mail, tickets." },
    ]);
  });

  it("give the line of each problem, in order", () => {
    const text = '[\n{"id":"a","verdict":"deny","when":{}},\n{"id":"b",\n"verdict":"no",\n"when":{"tool":[]}}\n]';
    expect(problemsOf(text)).toMatchObject([
      { path: "/1/verdict", line: 4 },
      { path: "/1/when/tool", line: 5 },
    ]);
  });

  it("give the line of the rule for what is missing in it", () => {
    expect(problemsOf('[\n\n{"id":"a","when":{}}]')).toMatchObject([{ path: "/0/verdict", line: 3 }]);
  });

  it("save nothing while one rule has a problem", () => {
    const { rules } = rulesFromText('[{"id":"a","verdict":"deny","when":{}}, 1]', SERVERS);
    expect(rules).toEqual([]);
  });
});

describe("a text that is not JSON", () => {
  it.each([
    ["nothing", "", 1, "There is no text."],
    ["a comma too many in a list", '[\n{"id":"a","verdict":"deny","when":{}},\n]', 3, "There is a comma before ]."],
    ["a comma too many in an object", '[{"id":"a",\n}]', 2, "There is a comma before }."],
    ["a missing comma", '[{"id":"a"\n"verdict":"deny"}]', 2, "A comma or } is missing."],
    ["single quotes", "[{'id':1}]", 1, "A name is expected here."],
    ["a single-quoted value", "[{\"id\":'a'}]", 1, "Single quotes are not JSON."],
    ["a comment", "[\n// no\n]", 2, "JSON has no comments."],
    ["a missing bracket", '[{"id":"a"}', 1, "A comma or ] is missing."],
    ["an early end", '[{"id":', 1, "The text ends too early."],
    ["a text without end", '[{"id":"a\n"}]', 1, "A text has no end."],
    ["a bad escape", '[{"p":"\\d"}]', 1, "A text has an escape that JSON does not know."],
    ["something after the end", "[]\n[]", 2, "There is more after the end."],
    ["a name twice", '[{"id":"a",\n"verdict":"deny","verdict":"allow"}]', 2, "“verdict” is written twice."],
    ["a missing colon", '[{"id" "a"}]', 1, "A colon is missing."],
    ["a bare word", "[deny]", 1, "A value is expected here."],
    ["a number with a leading zero", "[01]", 1, "A comma or ] is missing."],
  ])("with %s gets its line and a remedy", (_, text, line, message) => {
    expect(problemsOf(text)).toMatchObject([{ line, message }]);
    expect(problemsOf(text)[0]?.remedy).not.toBe("");
  });

  it("is refused when nested without end", () => {
    expect(problemsOf("[".repeat(100_000))).toMatchObject([{ message: "This is nested too deeply." }]);
  });

  it("is read with a byte-order mark and a very long text in it", () => {
    const text = `\uFEFF[{"id":"a","verdict":"deny","when":{},"note":"${"x\\n".repeat(500_000)}"}]`;
    expect(problemsOf(text)).toMatchObject([{ path: "/0/note" }]);
  });
});
