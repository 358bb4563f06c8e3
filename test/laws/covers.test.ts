/**
 * “Wherever the one rule holds, the other does too”, clause by clause and against a search: for every pair of values of a
 * clause that is said to cover, no facts are found for which the narrow one holds and the wide one does not. The facts lie
 * close around the values, so that a comparison turned round is found out.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compile } from "../../src/core/policy/compile.ts";
import { covers, obliges } from "../../src/core/policy/covers.ts";
import { decide } from "../../src/core/policy/decide.ts";
import { ruleTest } from "../../src/core/policy/match.ts";
import { parseRule } from "../../src/core/policy/parse.ts";
import { CLAUSE_PHASES } from "../../src/core/policy/phases.ts";
import type { ArgumentCondition, Facts, Obligations, Rule, Verdict, When } from "../../src/core/policy/policy.ts";
import type { PastCall } from "../../src/core/policy/usage.ts";

const NOW = Date.UTC(2026, 10, 30, 12);
const MINUTE = 60_000;
const VERDICTS = ["allow", "ask", "deny"] as const satisfies readonly Verdict[];

const conditions: readonly ArgumentCondition[] = [
  { equals: 5 },
  { equals: "5" },
  { pattern: "5" },
  { exists: true },
  { exists: false },
  { range: { atLeast: 5 } },
  { range: { above: 5 } },
  { range: { atMost: 5 } },
  { range: { below: 5 } },
  { range: { atLeast: 4, atMost: 6 } },
  { range: { above: 4, below: 6 } },
  { range: { above: 5, atMost: 6 } },
  { path: { inside: ["/a"] } },
  { path: { inside: ["/a", "/b"] } },
  { path: { inside: ["/a/c"] } },
  { url: { net: ["private"] } },
  { not: { equals: 5 } },
  { not: { exists: true } },
  { not: { range: { above: 5 } } },
];

const VALUES: { readonly [Clause in keyof When]-?: readonly NonNullable<When[Clause]>[] } = {
  origin: [
    ["https://a.example"],
    ["https://b.a.example"],
    ["https://*.a.example"],
    ["https://*.b.a.example"],
    ["https://a.example", "https://*.a.example"],
    ["http://localhost:*"],
    ["http://localhost:3000"],
  ],
  topSite: [["https://a.example"], ["https://*.a.example"], ["https://b.a.example", "https://a.example"]],
  frame: ["top", "embedded"],
  private: [true, false],
  direction: ["out", "back"],
  era: ["legacy", "modern"],
  server: [["s1"], ["s2"], ["s1", "s2"]],
  tool: [["send"], ["send_*"], ["s*"], ["*"], ["send_mail"], ["*mail"], ["send_mail", "list"]],
  prompt: [["p"], ["p*"], ["*"]],
  uri: [["file:///a/b"], ["file:///a/*"], ["file:///*"]],
  method: [["tools/call"], ["tools/*"], ["*"], ["prompts/get", "tools/call"]],
  class: [["read"], ["write"], ["read", "write"], ["external"]],
  annotations: [{ readOnlyHint: true }, { readOnlyHint: true, openWorldHint: false }, { openWorldHint: false }],
  pin: [["approved"], ["new"], ["approved", "new"]],
  args: [
    ...conditions.map((condition) => ({ "/v": condition })),
    { "/v": { equals: 5 }, "/w": { exists: true } },
    { "/w": { exists: true } },
  ],
  labels: [
    { integrity: "untrusted" },
    { integrity: "trusted" },
    { confidentiality: "sensitive" },
    { confidentiality: "pii" },
    { confidentiality: "pii", integrity: "untrusted" },
    { sources: "other" },
    { sources: ["s1"] },
    { sources: ["s1", "s2"] },
  ],
  findings: [["secret"], ["secret.link-key"], ["secret.link-key", "hidden-text"], ["hidden-text"]],
  size: [
    { over: 100 },
    { over: 101 },
    { under: 100 },
    { under: 101 },
    { over: 50, under: 150 },
    { over: 99, under: 102 },
  ],
  time: [{ from: "11:00", to: "13:00" }, { from: "11:30", to: "12:30" }, { days: ["mon"] }],
  rate: [
    { over: "1/min", of: "tool" },
    { over: "2/min", of: "tool" },
    { over: "2/min", of: "server" },
    { over: "2/min", of: "site" },
    { over: "2/5min", of: "site" },
  ],
  after: [
    { within: "1min", class: ["read"] },
    { within: "5min", class: ["read"] },
    { within: "5min", server: ["s2"] },
    { within: "5min", tool: ["send_*"] },
  ],
  inARow: [1, 2, 3],
  refusals: [
    { atLeast: 1, within: "5min" },
    { atLeast: 2, within: "5min" },
    { atLeast: 2, within: "1min" },
  ],
};

const past: fc.Arbitrary<PastCall> = fc.record({
  callId: fc.constant("c"),
  at: fc.constantFrom(NOW - 1_000, NOW - 2 * MINUTE, NOW - 6 * MINUTE),
  serverId: fc.constantFrom("s1", "s1", "s2"),
  method: fc.constant("tools/call"),
  tool: fc.constantFrom("send_mail", "send_mail", "list"),
  class: fc.constantFrom("read" as const, "write" as const),
  end: fc.constantFrom("passed" as const, "passed" as const, "refused" as const),
  rated: fc.constant([]),
});
const VALUE = [
  4,
  5,
  6,
  4.5,
  5.5,
  "5",
  2 ** 60,
  null,
  "/a",
  "/a/c/d",
  "/b/x",
  "/a/../b",
  ["/a", "/c"],
  [5, 7],
  { x: 5 },
];
const args = fc.record(
  { v: fc.constantFrom(...VALUE, "http://10.0.0.1/"), w: fc.constant(1) },
  { requiredKeys: [] },
) as fc.Arbitrary<NonNullable<Facts["args"]>>;
const finding = (kind: "secret" | "hidden-text", type: string) =>
  ({ kind, type, path: "", start: 0, end: 1, confidence: "high" }) as const;

/** Not only facts that can be: covering is about the clauses alone. */
const facts: fc.Arbitrary<Facts> = fc
  .record({
    phase: fc.constant("request" as const),
    now: fc.constantFrom(NOW, NOW - 45 * MINUTE, NOW + 24 * 60 * MINUTE),
    direction: fc.constantFrom("out" as const, "back" as const),
    origin: fc.constantFrom(
      "https://a.example",
      "https://b.a.example",
      "https://c.b.a.example",
      "http://localhost:3000",
    ),
    topSite: fc.constantFrom("https://a.example", "https://b.a.example"),
    private: fc.boolean(),
    serverId: fc.constantFrom("s1", "s2"),
    method: fc.constantFrom("tools/call", "tools/list", "prompts/get"),
    era: fc.constantFrom("legacy" as const, "modern" as const),
    tool: fc.constantFrom("send", "send_mail", "list", "xmail"),
    prompt: fc.constantFrom("p", "pq", "q"),
    uri: fc.constantFrom("file:///a/b", "file:///a/%62", "file:///a/c", "file:///c", "FILE:///a/../c"),
    class: fc.constantFrom("read" as const, "write" as const, "external" as const),
    annotations: fc.record({ readOnlyHint: fc.boolean(), openWorldHint: fc.boolean() }, { requiredKeys: [] }),
    args,
    findings: fc.subarray([
      finding("secret", "secret.link-key"),
      finding("secret", "secret.other"),
      finding("hidden-text", "hidden-text.bidi"),
    ]),
    labels: fc.record({
      integrity: fc.constantFrom("trusted" as const, "untrusted" as const),
      confidentiality: fc.constantFrom("public" as const, "sensitive" as const, "pii" as const, "secret" as const),
      sources: fc.subarray(["s1", "s2", "s3"]),
    }),
    pin: fc.constantFrom("approved" as const, "new" as const, "changed" as const),
    bytes: fc.constantFrom(49, 50, 51, 99, 100, 101, 102, 150),
    usage: fc.array(past, { maxLength: 5 }).map((list) => list.toSorted((a, b) => a.at - b.at)),
  })
  .map((one) => one as Facts);
const POOL = fc.sample(facts, { numRuns: 700, seed: 11 });

const ruleOf = (verdict: Verdict, when: When, more: Partial<Rule> = {}): Rule => ({
  id: "r",
  verdict,
  priority: 0,
  on: ["request"],
  when,
  mode: "enforce",
  ...more,
});
const isSavable = (rule: Rule): boolean =>
  parseRule({ ...rule, on: rule.on }).problems.every(({ path }) => path === "/when/method");

describe.each(Object.keys(CLAUSE_PHASES) as (keyof When)[])("covering by %s", (clause) => {
  const rules = VERDICTS.flatMap((verdict) =>
    VALUES[clause].map((value) => ruleOf(verdict, { [clause]: value })).filter(isSavable),
  );
  const holding = new Map(rules.map((rule) => [rule, new Set(POOL.filter(ruleTest(rule)))]));

  it("is never said of a pair for which the search finds otherwise", () => {
    let said = 0;
    let denied = 0;
    for (const wide of rules) {
      for (const narrow of rules) {
        const outside = [...(holding.get(narrow) ?? [])].filter((fact) => !holding.get(wide)?.has(fact));
        if (outside.length > 0) denied++;
        if (!covers(wide, narrow)) continue;
        said++;
        expect(outside, `${JSON.stringify([wide, narrow])}`).toEqual([]);
      }
    }
    // The search tells values apart, and covering is said of more than a rule and itself.
    expect(denied).toBeGreaterThan(0);
    expect(said).toBeGreaterThanOrEqual(rules.length);
  });

  it("needs the clause to be there", () => {
    for (const rule of rules) {
      const bare = { ...rule, when: {} };
      expect([covers(bare, rule), covers(rule, bare)]).toEqual([true, false]);
    }
  });
});

describe("covering", () => {
  it("needs every moment and no shorter life", () => {
    const base = ruleOf("deny", {});
    const both = { ...base, on: ["request", "reply"] as const };
    expect([covers(both, base), covers(base, both)]).toEqual([true, false]);
    const until = (expires: string): Rule => ({ ...base, expires });
    expect([covers(base, until("2026-12-01")), covers(until("2026-12-01"), base)]).toEqual([true, false]);
    expect([
      covers(until("2026-12-02"), until("2026-12-01")),
      covers(until("2026-12-01"), until("2026-12-02")),
    ]).toEqual([true, false]);
  });
});

describe("obliging to at least as much", () => {
  const SETS: readonly Obligations[] = [
    {},
    { redact: ["secret"] },
    { redact: ["secret.link-key"] },
    { redact: ["secret", "hidden-text"] },
    { grant: "once" },
    { grant: "values" },
    { grant: "session" },
    { grant: "tool" },
    { timeout: 5 },
    { timeout: 10 },
    { rate: "1/min" },
    { rate: "2/min" },
  ];

  it("is only said where a decision shows no less", () => {
    const fact = { ...POOL[0], findings: [], direction: "out", pin: "approved", usage: [] } as unknown as Facts;
    const SCOPES = ["once", "values", "session", "tool"];
    for (const more of SETS) {
      for (const less of SETS) {
        if (!obliges(more, less)) continue;
        const [strong, weak] = [more, less].map((obligations) =>
          decide(compile([ruleOf("ask", {}, { do: obligations })]), fact),
        );
        for (const kind of weak?.redact ?? [])
          expect(strong?.redact.some((one) => kind === one || kind.startsWith(`${one}.`))).toBe(true);
        expect(strong?.timeout ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(
          weak?.timeout ?? Number.POSITIVE_INFINITY,
        );
        const scope = (one: typeof weak) => SCOPES.indexOf(one?.grant ?? "tool");
        expect(scope(strong)).toBeLessThanOrEqual(scope(weak));
        if (less.rate !== undefined) expect(more.rate).toBe(less.rate);
      }
    }
  });
});
