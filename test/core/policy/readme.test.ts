/** The policy reference: every example in it is executed, and nothing of the language is missing from it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compile } from "../../../src/core/policy/compile.ts";
import { decide } from "../../../src/core/policy/decide.ts";
import { parseDocument } from "../../../src/core/policy/document.ts";
import { lint } from "../../../src/core/policy/lint.ts";
import { parseRule } from "../../../src/core/policy/parse.ts";
import { CLAUSE_PHASES, OBLIGATION_PHASES } from "../../../src/core/policy/phases.ts";
import type { Facts, PolicyDocument } from "../../../src/core/policy/policy.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import type { PastCall } from "../../../src/core/policy/usage.ts";
import { facts } from "./fixtures.ts";

const text = readFileSync(new URL("../../../src/core/policy/README.md", import.meta.url), "utf8");

interface Example {
  readonly json: string;
  readonly rows: readonly (readonly string[])[];
}

/** Each block of JSON with the table that follows it, if that is a table of calls or of lints. */
const examples: readonly Example[] = [...text.matchAll(/```json\n([\s\S]*?)```\n+((?:\|[^\n]*\n)*)/g)].map(
  ([, json = "", table = ""]) => ({ json, rows: rowsOf(table) }),
);
const called = examples.filter(({ rows }) => rows[0]?.[0] === "call");
const linted = examples.filter(({ rows }) => rows[0]?.[0] === "lint");

describe("an example", () => {
  it.each(examples.map(({ json }) => [json.trim().slice(0, 60), json] as const))("can be saved: %s", (_, json) => {
    expect(documentOf(json).rules.length).toBeGreaterThanOrEqual(0);
  });

  it.each(
    called.flatMap(({ json, rows }) =>
      rows.slice(1).map(([call = "", verdict, by]) => [call, { json, verdict, by }] as const),
    ),
  )("decides as it says: %s", (call, { json, verdict, by }) => {
    const { rules, default: row } = documentOf(json);
    const decision = decide(compile(rules, { default: row }), factsOf(call));
    expect([decision.verdict, decision.reasons[0]?.rule]).toEqual([verdict, by]);
  });

  it.each(
    linted.flatMap(({ json, rows }) => rows.slice(1).map(([kind = "", rule]) => [kind, { json, rule }] as const)),
  )("is linted as it says: %s", (kind, { json, rule }) => {
    const live = { servers: [{ id: "mail", name: "mail" }], catalogues: [] };
    expect(lint(documentOf(json), live).map((one) => [one.kind, one.rule])).toEqual([[bare(kind), bare(rule ?? "")]]);
  });

  it("is there for every kind of table", () => {
    expect(called.length).toBeGreaterThan(5);
    expect(linted).toHaveLength(1);
  });
});

describe("the reference", () => {
  it.each([
    ...Object.keys(CLAUSE_PHASES),
    ...Object.keys(OBLIGATION_PHASES),
    ...["equals", "pattern", "range", "schema", "url", "path", "exists", "not"],
    ...PRESETS.map(({ id }) => id),
    ...["id", "verdict", "priority", "on", "when", "do", "mode", "expires", "note"],
  ])("has a row for %s", (word) => expect(text).toMatch(new RegExp(`^\\| \`${word}\` `, "m")));

  it("names the moments of every clause", () => {
    const clauses = text.slice(text.indexOf("## Clauses"), text.indexOf("## Conditions"));
    for (const [clause, phases] of Object.entries(CLAUSE_PHASES)) {
      const row = rowsOf(clauses).find(([name]) => name === `\`${clause}\``) ?? [];
      const said = row.at(-1) ?? "";
      expect(said === "all" ? ["request", "reply", "event", "list"] : said.split(", ")).toEqual(phases);
    }
  });
});

function documentOf(json: string): PolicyDocument {
  const value: unknown = JSON.parse(json);
  const input = typeof value === "object" && value !== null && "verdict" in value ? [value] : value;
  if (Array.isArray(input)) for (const rule of input) expect(parseRule(rule).problems).toEqual([]);
  const { document, problems } = parseDocument(input);
  if (!document) throw new Error(JSON.stringify(problems));
  return document;
}

/** Times of past calls are written as milliseconds before now; a null member is left out. */
function factsOf(call: string): Facts {
  const changes = JSON.parse(bare(call)) as Partial<Facts>;
  const base = facts({ tool: "send_mail", class: "write" });
  const usage = changes.usage?.map((past: PastCall) => ({ ...past, at: base.now + past.at }));
  const merged = { ...base, ...changes, ...(usage && { usage }) };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as unknown as Facts;
}

function bare(cell: string): string {
  return cell.replace(/^`|`$/g, "");
}

function rowsOf(table: string): readonly (readonly string[])[] {
  return table
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^[|\s-]+$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split(" | ")
        .map((cell) => cell.trim()),
    );
}
