/** The part of the policy language that Cedar can say too: the same verdicts, over generated policies and requests. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONFIDENTIALITY, INTEGRITY } from "../../src/core/flow/labels.ts";
import { compile } from "../../src/core/policy/compile.ts";
import { decide } from "../../src/core/policy/decide.ts";
import { parseRules } from "../../src/core/policy/parse.ts";
import type { ArgumentCondition, Facts, Rule, Verdict, When } from "../../src/core/policy/policy.ts";
import { loadEngines } from "./engines.ts";

const some = <T>(...items: readonly T[]): fc.Arbitrary<T[]> =>
  fc.uniqueArray(fc.constantFrom(...items), { minLength: 1, maxLength: 2 });

const SITES = [
  "https://a.example",
  "https://b.a.example",
  "https://a.example.evil.test",
  "http://localhost:3000",
] as const;
const SERVERS = ["mail", "files"] as const;
const TOOLS = ["send_mail", "send_", "list", "xsend_mail"] as const;

const text: fc.Arbitrary<ArgumentCondition> = fc.oneof(
  fc.constantFrom("a", "b").map((equals) => ({ equals })),
  fc.boolean().map((exists) => ({ exists })),
);
const number: fc.Arbitrary<ArgumentCondition> = fc.oneof(
  fc.integer({ min: -1, max: 3 }).map((equals) => ({ equals })),
  fc.constantFrom({ atLeast: 1 }, { above: 0, atMost: 2 }, { below: 2 }).map((range) => ({ range })),
);
const maybeNot = (plain: fc.Arbitrary<ArgumentCondition>): fc.Arbitrary<ArgumentCondition> =>
  fc.oneof(
    plain,
    plain.map((not) => ({ not })),
  );

const clauses: { readonly [Clause in keyof When]?: fc.Arbitrary<NonNullable<When[Clause]>> } = {
  origin: some<string>(...SITES, "https://*.a.example"),
  topSite: some<string>(...SITES),
  frame: fc.constantFrom("top" as const, "embedded" as const),
  private: fc.boolean(),
  era: fc.constantFrom("legacy" as const, "modern" as const),
  server: some(...SERVERS),
  tool: some<string>(...TOOLS, "send_*", "*mail", "s*l"),
  method: some("tools/call", "prompts/get", "*/call"),
  class: some("read" as const, "write" as const, "external" as const),
  pin: some("approved" as const, "new" as const),
  labels: fc.oneof(
    fc.constantFrom(...INTEGRITY).map((integrity) => ({ integrity })),
    fc.constantFrom("sensitive" as const, "pii" as const).map((confidentiality) => ({ confidentiality })),
    some(...SERVERS).map((sources) => ({ sources })),
  ),
  findings: some("secret", "secret.link-key", "hidden-text"),
  size: fc.constantFrom({ over: 100 }, { under: 100 }, { over: 10, under: 1_000 }),
  args: fc.oneof(
    maybeNot(text).map((condition) => ({ "/to": condition })),
    maybeNot(number).map((condition) => ({ "/n": condition })),
    fc.tuple(maybeNot(text), maybeNot(number)).map(([to, n]) => ({ "/to": to, "/n": n })),
  ),
};

const rule: fc.Arbitrary<Rule> = fc
  .tuple(
    fc.constantFrom<Verdict>("allow", "allow", "ask", "deny"),
    fc.subarray(Object.keys(clauses) as (keyof When)[], { maxLength: 2 }),
    fc.record(clauses as Record<string, fc.Arbitrary<unknown>>),
  )
  .map(([verdict, kept, all]) => ({
    id: "r",
    verdict,
    priority: 0,
    on: ["request" as const],
    when: Object.fromEntries(kept.map((clause) => [clause, all[clause]])) as When,
    mode: "enforce" as const,
  }));
const rules = fc
  .array(rule, { minLength: 1, maxLength: 6 })
  .map((list) => list.map((one, at) => ({ ...one, id: `r${at}` })))
  .filter((list) => parseRules(list).problems.length === 0);

const facts: fc.Arbitrary<Facts> = fc
  .record({
    origin: fc.constantFrom(...SITES),
    topSite: fc.constantFrom(...SITES),
    private: fc.boolean(),
    serverId: fc.constantFrom(...SERVERS),
    era: fc.constantFrom("legacy" as const, "modern" as const),
    tool: fc.constantFrom(...TOOLS),
    class: fc.constantFrom("read" as const, "write" as const, "external" as const),
    pin: fc.constantFrom("approved" as const, "new" as const),
    args: fc.record({ to: fc.constantFrom("a", "b", "c"), n: fc.integer({ min: -1, max: 3 }) }, { requiredKeys: [] }),
    kinds: fc.subarray(["link-key", "github-token"]),
    labels: fc.record({
      integrity: fc.constantFrom(...INTEGRITY),
      confidentiality: fc.constantFrom(...CONFIDENTIALITY),
      sources: fc.subarray([...SERVERS]),
    }),
    bytes: fc.constantFrom(10, 100, 101, 5_000),
  })
  .map(({ kinds, ...rest }) => ({
    ...rest,
    phase: "request" as const,
    now: 1_796_000_000_000,
    direction: "out" as const,
    method: "tools/call",
    findings: kinds.map((kind) => ({
      kind: "secret" as const,
      type: `secret.${kind}`,
      path: "",
      start: 0,
      end: 1,
      confidence: "high" as const,
    })),
  }));

const engines = await loadEngines();
const DENY = { read: "deny", other: "deny" } as const;

describe("on what both can say", () => {
  it("our verdicts are Cedar's, and those of one CEL expression for each rule", () => {
    const seen: Record<Verdict, number> = { allow: 0, ask: 0, deny: 0 };
    fc.assert(
      fc.property(rules, fc.array(facts, { minLength: 12, maxLength: 12 }), (list, requests) => {
        const ours = compile(list, { default: DENY });
        const cedar = engines.cedar(list);
        const cel = engines.cel(list);
        for (const request of requests) {
          const { verdict } = decide(ours, request);
          seen[verdict]++;
          expect(cedar.decide(request)).toBe(verdict);
          expect(cel.decide({ ...request, ...wholes(request) })).toBe(verdict);
        }
      }),
      { numRuns: 250 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(150);
  }, 120_000);
});

/** CEL tells integers and floating-point numbers apart. */
function wholes({ args }: Facts): Pick<Facts, "args"> {
  const { n, ...rest } = args as { readonly n?: number };
  return { args: n === undefined ? rest : { ...rest, n: BigInt(n) } } as unknown as Pick<Facts, "args">;
}
