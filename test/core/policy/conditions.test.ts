/** The table of argument conditions: each value beside a rule that denies and one that allows. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compile } from "../../../src/core/policy/compile.ts";
import { decide } from "../../../src/core/policy/decide.ts";
import { parseRules } from "../../../src/core/policy/parse.ts";
import type { JsonValue } from "../../../src/core/wire/json.ts";
import { facts } from "./fixtures.ts";

interface Row {
  readonly name: string;
  readonly condition: unknown;
  readonly value: JsonValue;
  readonly expect: { readonly tightens: boolean; readonly widens: boolean };
}

const { conditions } = JSON.parse(
  readFileSync(new URL("../../vectors/policy-conditions.json", import.meta.url), "utf8"),
) as { readonly conditions: readonly Row[] };

describe("in a rule that denies", () => {
  it.each(conditions)("$name", (row) => expect(holds("deny", row)).toBe(row.expect.tightens));
});

describe("in a rule that allows", () => {
  it.each(conditions)("$name", (row) => expect(holds("allow", row)).toBe(row.expect.widens));
});

describe("the table", () => {
  it("has no name twice", () => {
    expect(new Set(conditions.map(({ name }) => name)).size).toBe(conditions.length);
  });

  it("never lets a rule that allows hold where one that denies does not", () => {
    expect(conditions.filter((row) => row.expect.widens && !row.expect.tightens)).toEqual([]);
  });
});

function holds(verdict: string, { condition, value }: Row): boolean {
  const { rules, problems } = parseRules([{ id: "r", verdict, when: { args: { "/v": condition } } }]);
  expect(problems).toEqual([]);
  const missing = typeof value === "object" && value !== null && "$missing" in value;
  const decision = decide(compile(rules), facts({ args: missing ? {} : { v: value } }));
  return decision.reasons.some(({ rule }) => rule === "r");
}
