/** The policy table: what is decided, and which rules can be saved. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type CompileOptions, compile } from "../../../src/core/policy/compile.ts";
import { decide } from "../../../src/core/policy/decide.ts";
import { parseManaged } from "../../../src/core/policy/document.ts";
import { parseRule, parseRules } from "../../../src/core/policy/parse.ts";
import type { DefaultRow, Facts } from "../../../src/core/policy/policy.ts";

interface Table {
  readonly base: Facts;
  readonly decide: readonly {
    readonly name: string;
    readonly rules: readonly unknown[];
    readonly managed?: unknown;
    readonly default?: DefaultRow;
    readonly facts: Readonly<Record<string, unknown>>;
    readonly expect: {
      readonly verdict: string;
      readonly reasons?: readonly string[];
      readonly redact?: readonly string[];
      readonly say?: string | null;
      /** Refused as something that is not there. */
      readonly hidden?: boolean;
      readonly grant?: string;
      readonly timeout?: number;
    };
  }[];
  readonly save: readonly {
    readonly name: string;
    readonly rule: unknown;
    readonly expect: "accepted" | { readonly path: string; readonly remedy?: string };
  }[];
}

const table = JSON.parse(readFileSync(new URL("../../vectors/policy.json", import.meta.url), "utf8")) as Table;

describe("policy decides", () => {
  it.each(table.decide)("$name", (row) => {
    const { rules, problems } = parseRules(row.rules);
    expect(problems).toEqual([]);
    const decision = decide(compile(rules, layersOf(row)), factsOf(row.facts));
    expect(decision.verdict).toBe(row.expect.verdict);
    if (row.expect.reasons) expect(decision.reasons.map((reason) => reason.rule)).toEqual(row.expect.reasons);
    if (row.expect.redact) expect(decision.redact).toEqual(row.expect.redact);
    if (row.expect.hidden !== undefined) expect(decision.hidden ?? false).toBe(row.expect.hidden);
    if (row.expect.grant) expect(decision.grant).toBe(row.expect.grant);
    if (row.expect.timeout) expect(decision.timeout).toBe(row.expect.timeout);
    if (row.expect.say !== undefined) expect(decision.say ?? null).toBe(row.expect.say);
  });
});

describe("a rule is saved", () => {
  it.each(table.save.filter((row) => row.expect === "accepted"))("with $name", ({ rule }) => {
    const parsed = parseRule(rule);
    expect(parsed.problems).toEqual([]);
    expect(parsed.rule).toBeDefined();
  });
});

describe("a rule is not saved", () => {
  it.each(table.save.filter((row) => row.expect !== "accepted"))("with $name", (row) => {
    const parsed = parseRule(row.rule);
    expect(parsed.rule).toBeUndefined();
    expect(parsed.problems).toMatchObject([row.expect]);
    for (const problem of parsed.problems) expect(problem.message && problem.remedy).toBeTruthy();
  });
});

describe("the table", () => {
  it("has no name twice", () => {
    const names = [...table.decide, ...table.save].map((row) => row.name);
    expect(new Set(names).size).toBe(names.length);
  });
});

function layersOf(row: Table["decide"][number]): CompileOptions {
  if (row.managed === "unreadable") return { managed: "unreadable", default: row.default };
  if (row.managed === undefined) return { default: row.default };
  const { document, problems } = parseManaged(row.managed);
  expect(problems).toEqual([]);
  return { managed: document, default: row.default };
}

function factsOf(changes: Readonly<Record<string, unknown>>): Facts {
  const merged = Object.entries({ ...table.base, ...changes }).filter(([, value]) => value !== null);
  return Object.fromEntries(merged) as unknown as Facts;
}
