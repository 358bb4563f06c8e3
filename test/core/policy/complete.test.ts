/**
 * Nothing of the language is forgotten anywhere: each clause, condition and obligation that the types name is read, decided
 * by, put into words, compared, known to the editors' schema and the reference, and stands in the tables. A clause that is
 * added without one of these fails here.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compile } from "../../../src/core/policy/compile.ts";
import { covers } from "../../../src/core/policy/covers.ts";
import { decide } from "../../../src/core/policy/decide.ts";
import { diff } from "../../../src/core/policy/diff.ts";
import { describeRule } from "../../../src/core/policy/explain.ts";
import { parseRule } from "../../../src/core/policy/parse.ts";
import { CLAUSE_PHASES, OBLIGATION_PHASES, PHASES } from "../../../src/core/policy/phases.ts";
import type { ArgumentCondition, Facts, Obligations, Rule, When } from "../../../src/core/policy/policy.ts";
import { trace } from "../../../src/core/policy/trace.ts";
import type { PastCall } from "../../../src/core/policy/usage.ts";
import { otherClauses, wordsAt } from "../../../src/ui/dashboard/rule-draft.ts";
import { facts, rule } from "./fixtures.ts";

interface Sample<Value> {
  readonly good: Value;
  /** Looks like it and cannot be saved. */
  readonly bad: unknown;
  readonly holds: Partial<Facts>;
  readonly fails: Partial<Facts>;
}

const NOW = 1_796_000_000_000;
const PROMPT = { method: "prompts/get", tool: undefined, class: undefined } as unknown as Partial<Facts>;
const RESOURCE = { method: "resources/read", tool: undefined, class: undefined } as unknown as Partial<Facts>;
const past = (more: Partial<PastCall> = {}): PastCall => ({
  callId: "1",
  at: NOW - 1_000,
  serverId: "s1",
  method: "tools/call",
  tool: "list_mail",
  end: "passed",
  rated: [],
  ...more,
});
const finding = { kind: "secret", type: "secret.x", path: "", start: 0, end: 1, confidence: "high" } as const;
const SECRET = { integrity: "untrusted", confidentiality: "secret", sources: ["s9"] } as const;

const CLAUSES: { readonly [Clause in keyof When]-?: Sample<NonNullable<When[Clause]>> } = {
  origin: {
    good: ["https://*.a.example"],
    bad: ["https://*.com"],
    holds: { origin: "https://b.a.example" },
    fails: { origin: "https://a.example" },
  },
  topSite: {
    good: ["https://top.example"],
    bad: ["top.example"],
    holds: { topSite: "https://top.example" },
    fails: { topSite: "https://other.example" },
  },
  frame: {
    good: "embedded",
    bad: "iframe",
    holds: { topSite: "https://top.example" },
    fails: { topSite: "https://chat.example" },
  },
  private: { good: true, bad: "yes", holds: { private: true }, fails: { private: false } },
  direction: { good: "back", bad: "in", holds: { direction: "back" }, fails: { direction: "out" } },
  era: { good: "modern", bad: "new", holds: { era: "modern" }, fails: { era: "legacy" } },
  server: { good: ["s1"], bad: [], holds: { serverId: "s1" }, fails: { serverId: "s2" } },
  tool: { good: ["send_*"], bad: [""], holds: { tool: "send_mail" }, fails: { tool: "list" } },
  prompt: { good: ["rev*"], bad: [1], holds: { ...PROMPT, prompt: "review" }, fails: { ...PROMPT, prompt: "plan" } },
  uri: {
    good: ["file:///a/*"],
    bad: ["no address"],
    holds: { ...RESOURCE, uri: "file:///a/%62" },
    fails: { ...RESOURCE, uri: "file:///c" },
  },
  method: { good: ["tools/call"], bad: ["tools/cal"], holds: {}, fails: PROMPT },
  class: { good: ["write"], bad: ["writes"], holds: { class: "write" }, fails: { class: "read" } },
  annotations: {
    good: { destructiveHint: true },
    bad: { destructive: true },
    holds: {},
    fails: { annotations: { destructiveHint: false } },
  },
  pin: { good: ["new"], bad: ["old"], holds: { pin: "new" }, fails: { pin: "approved" } },
  args: {
    good: { "/to": { equals: "a" } },
    bad: { to: { equals: "a" } },
    holds: { args: { to: "a" } },
    fails: { args: { to: "b" } },
  },
  labels: {
    good: { integrity: "untrusted", confidentiality: "pii", sources: "other" },
    bad: { integrity: "low" },
    holds: { labels: SECRET },
    fails: { labels: { ...SECRET, sources: ["s1"] } },
  },
  findings: { good: ["secret"], bad: ["secrets"], holds: { findings: [finding] }, fails: { findings: [] } },
  size: { good: { over: 100 }, bad: { over: -1 }, holds: { bytes: 101 }, fails: { bytes: 100 } },
  time: {
    good: { from: "22:00", to: "06:00" },
    bad: { from: "25:00" },
    holds: { now: Date.UTC(2026, 10, 30, 23) },
    fails: { now: Date.UTC(2026, 10, 30, 12) },
  },
  rate: {
    good: { over: "1/min", of: "tool" },
    bad: { over: "1/moment", of: "tool" },
    holds: { usage: [past()] },
    fails: { usage: [past({ at: NOW - 61_000 })] },
  },
  after: {
    good: { server: ["s9"], within: "10min" },
    bad: { server: ["s9"] },
    holds: { usage: [past({ serverId: "s9" })] },
    fails: { usage: [past()] },
  },
  inARow: {
    good: 2,
    bad: 0,
    holds: { usage: [past(), past()] },
    fails: { usage: [past(), past(), past({ tool: "other" })] },
  },
  refusals: {
    good: { atLeast: 2, within: "10min" },
    bad: { atLeast: 2, within: "always" },
    holds: { usage: [past({ end: "refused" }), past({ end: "refused" })] },
    fails: { usage: [past({ end: "refused" }), past()] },
  },
};

const NAMES = Object.keys(CLAUSE_PHASES) as readonly (keyof When)[];
const sampleOf = (clause: keyof When): Sample<unknown> => CLAUSES[clause];
const written = (clause: keyof When, value: unknown, more: object = {}) => ({
  id: "r",
  verdict: "deny",
  when: { [clause]: value },
  on: [CLAUSE_PHASES[clause][0]],
  ...more,
});
const ruled = (clause: keyof When): Rule =>
  rule({ id: "r", verdict: "deny", when: { [clause]: sampleOf(clause).good } });

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const reference = read("../../../src/core/policy/README.md");
const schema = JSON.parse(read("../../../src/core/policy/policy.schema.json"));
const table = JSON.parse(read("../../vectors/policy.json")) as {
  readonly decide: readonly {
    readonly rules: readonly Written[];
    readonly managed?: { readonly rules: readonly Written[] };
  }[];
  readonly save: readonly { readonly rule: Written; readonly expect: unknown }[];
};
const conditionTable = JSON.parse(read("../../vectors/policy-conditions.json")) as {
  readonly conditions: readonly { readonly condition: Record<string, unknown> }[];
};
interface Written {
  readonly when?: Record<string, unknown>;
  readonly do?: Record<string, unknown>;
}

/** The members of an interface as the source has them. */
function membersOf(name: string): readonly string[] {
  const source = read("../../../src/core/policy/policy.ts");
  const body = new RegExp(`interface ${name} \\{([\\s\\S]*?)\\n\\}`).exec(source)?.[1] ?? "";
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, member = ""]) => member);
}

describe("the types and the tables of moments", () => {
  it("name the same clauses and obligations", () => {
    expect(membersOf("When").toSorted()).toEqual(NAMES.toSorted());
    expect(membersOf("Obligations").toSorted()).toEqual(Object.keys(OBLIGATION_PHASES).toSorted());
  });
});

describe.each(NAMES)("the clause %s", (clause) => {
  const { good, bad, holds, fails } = sampleOf(clause);

  it("is read as it is meant, and refused with its place where it is not", () => {
    const accepted = parseRule(written(clause, good));
    expect(accepted.problems).toEqual([]);
    expect(accepted.rule?.when[clause]).toEqual(good);
    const refused = parseRule(written(clause, bad));
    expect(refused.problems.length).toBeGreaterThan(0);
    for (const { path, message, remedy } of refused.problems) {
      expect(path.startsWith(`/when/${clause}`)).toBe(true);
      expect(message && remedy).toBeTruthy();
    }
  });

  it("cannot be written for a moment that does not know of it", () => {
    for (const phase of PHASES.filter((one) => !CLAUSE_PHASES[clause].includes(one))) {
      expect(parseRule(written(clause, good, { on: [phase] })).problems.length).toBeGreaterThan(0);
    }
  });

  it("decides, and is named where it fails", () => {
    const decides = (more: Partial<Facts>): boolean =>
      decide(compile([ruled(clause)]), facts({ now: NOW, ...more })).reasons.some((reason) => reason.rule === "r");
    expect([decides(holds), decides(fails)]).toEqual([true, false]);
    expect(trace({ rules: [ruled(clause)] }, facts({ now: NOW, ...fails }))).toMatchObject([
      { matched: false, clause, failed: expect.stringMatching(/\.$/) },
    ]);
  });

  it("is put into words, and a rule without it is the wider one", () => {
    const bare = rule({ id: "r", verdict: "deny", when: {} });
    expect(describeRule(ruled(clause), { s1: "mail", s9: "files" })).not.toBe(describeRule(bare, {}));
    expect(describeRule(ruled(clause), { s1: "mail", s9: "files" })).not.toMatch(/undefined|\[object/);
    expect([covers(bare, ruled(clause)), covers(ruled(clause), bare)]).toEqual([true, false]);
    expect(covers(ruled(clause), ruled(clause))).toBe(true);
    const open = { read: "allow", other: "allow" } as const;
    expect(diff({ default: open, rules: [bare] }, { default: open, rules: [ruled(clause)] }).wider).toBe(true);
  });

  it("is in the form or named beside it, in the schema, in the reference, and in the table, accepted and refused", () => {
    const draft = { when: { [clause]: good } };
    expect(wordsAt(draft, ["when", clause]) !== "" || otherClauses(draft).includes(clause)).toBe(true);
    expect(schema.$defs.rule.properties.when.properties).toHaveProperty(clause);
    expect(reference).toMatch(new RegExp(`^\\| \`${clause}\` `, "m"));
    const has = (one: Written): boolean => Object.hasOwn(one.when ?? {}, clause);
    expect(table.decide.some(({ rules, managed }) => [...rules, ...(managed?.rules ?? [])].some(has))).toBe(true);
    expect(table.save.some((row) => row.expect === "accepted" && has(row.rule))).toBe(true);
    expect(table.save.some((row) => row.expect !== "accepted" && has(row.rule))).toBe(true);
  });
});

type Test = ArgumentCondition extends infer One ? (One extends unknown ? keyof One : never) : never;
const CONDITIONS: Readonly<Record<Test, { readonly good: ArgumentCondition; readonly bad: unknown }>> = {
  equals: { good: { equals: "a" }, bad: { equals: 2 ** 60 } },
  pattern: { good: { pattern: "^a" }, bad: { pattern: "(?=a)" } },
  range: { good: { range: { above: 1 } }, bad: { range: { above: 2, below: 1 } } },
  schema: { good: { schema: { type: "string" } }, bad: { schema: { $ref: "#" } } },
  url: { good: { url: { net: ["private"] } }, bad: { url: { host: ["HTTP://x"] } } },
  path: { good: { path: { inside: ["/a"] } }, bad: { path: { inside: ["/a/../b"] } } },
  exists: { good: { exists: true }, bad: { exists: "yes" } },
  not: { good: { not: { equals: "a" } }, bad: { not: { not: { equals: "a" } } } },
};

describe.each(Object.entries(CONDITIONS))("the condition %s", (name, { good, bad }) => {
  it("is read, refused, put into words, in the schema, the reference and the table", () => {
    expect(parseRule(written("args", { "/to": good })).problems).toEqual([]);
    expect(parseRule(written("args", { "/to": bad })).problems.length).toBeGreaterThan(0);
    const words = describeRule(rule({ when: { args: { "/to": good } } }), {});
    expect(words).toContain("“to” ");
    expect(words).not.toMatch(/undefined|\[object/);
    expect(JSON.stringify(schema.$defs.condition)).toContain(`"${name}"`);
    expect(reference).toMatch(new RegExp(`^\\| \`${name}\` `, "m"));
    expect(conditionTable.conditions.some(({ condition }) => Object.hasOwn(condition, name))).toBe(true);
  });
});

const OBLIGATIONS: {
  readonly [Name in keyof Obligations]-?: { readonly good: Obligations[Name]; readonly bad: unknown };
} = {
  redact: { good: ["secret"], bad: [] },
  rate: { good: "5/min", bad: "0/min" },
  grant: { good: "once", bad: "ever" },
  timeout: { good: 30, bad: 0 },
  say: { good: "Ask me first.", bad: "" },
};

describe.each(Object.entries(OBLIGATIONS))("the obligation %s", (name, { good, bad }) => {
  it("is read, refused, put into words, in the schema, the reference and the table", () => {
    const obliged = (value: unknown) => ({ id: "r", verdict: "ask", when: {}, do: { [name]: value } });
    expect(parseRule(obliged(good)).problems).toEqual([]);
    expect(parseRule(obliged(bad)).problems[0]?.path).toMatch(new RegExp(`^/do/${name}`));
    const verdict = "ask" as const;
    expect(describeRule(rule({ verdict, do: { [name]: good } }), {})).not.toBe(describeRule(rule({ verdict }), {}));
    expect(schema.$defs.rule.properties.do.properties).toHaveProperty(name);
    expect(reference).toMatch(new RegExp(`^\\| \`${name}\` `, "m"));
    expect(table.decide.some(({ rules }) => rules.some((one) => Object.hasOwn(one.do ?? {}, name)))).toBe(true);
  });
});
