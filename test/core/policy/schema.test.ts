/** The JSON Schema for editors: what can be saved fits it, and it knows every word of the language and no other. */
import { readFileSync } from "node:fs";
import { type Schema, Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import { parseRules } from "../../../src/core/policy/parse.ts";
import { CLAUSE_PHASES, OBLIGATION_PHASES } from "../../../src/core/policy/phases.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));

const schema = read("../../../src/core/policy/policy.schema.json") as Schema;
const { decide, save } = read("../../vectors/policy.json") as {
  readonly decide: readonly { readonly name: string; readonly rules: readonly unknown[] }[];
  readonly save: readonly { readonly name: string; readonly rule: unknown; readonly expect: unknown }[];
};
const { conditions } = read("../../vectors/policy-conditions.json") as {
  readonly conditions: readonly { readonly condition: unknown }[];
};
const fits = (value: unknown): boolean => new Validator(schema, "2020-12", true).validate(value).valid;

describe("the schema for editors", () => {
  it("takes everything that can be saved", () => {
    expect(decide.filter(({ rules }) => !fits(rules)).map(({ name }) => name)).toEqual([]);
    const saved = save.filter(({ expect: wanted }) => wanted === "accepted");
    expect(saved.filter(({ rule }) => !fits([rule])).map(({ name }) => name)).toEqual([]);
    const distinct = [...new Set(conditions.map(({ condition }) => JSON.stringify(condition)))];
    for (const condition of distinct) {
      expect(fits([{ id: "r", verdict: "deny", when: { args: { "/v": JSON.parse(condition) } } }])).toBe(true);
    }
    for (const { document } of PRESETS) expect(fits(document)).toBe(true);
  });

  it("sees most of what cannot be saved, and never takes an unknown word", () => {
    const refused = save.filter(({ expect: wanted }) => wanted !== "accepted");
    const seen = refused.filter(({ rule }) => !fits([rule]));
    expect(seen.length).toBeGreaterThan(refused.length / 3);
    for (const rule of [
      { id: "r", verdict: "deny", wen: {}, when: {} },
      { id: "r", verdict: "deny", when: { sever: "x" } },
      { id: "r", verdict: "deny", when: {}, do: { redcat: ["secret"] } },
      { id: "r", verdict: "deny", when: { args: { "/a": { equal: 1 } } } },
    ]) {
      expect(parseRules([rule]).problems.length).toBeGreaterThan(0);
      expect(fits([rule])).toBe(false);
    }
  });

  it("knows every clause and obligation", () => {
    const rule = (schema.$defs as Record<string, Schema>).rule?.properties as Record<string, Schema>;
    expect(Object.keys(rule.when?.properties ?? {}).sort()).toEqual(Object.keys(CLAUSE_PHASES).sort());
    expect(Object.keys(rule.do?.properties ?? {}).sort()).toEqual(Object.keys(OBLIGATION_PHASES).sort());
  });
});
