/** Laws of policy and labels, over random rules and facts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { join, raises } from "../../src/core/flow/join.ts";
import { CONFIDENTIALITY, INTEGRITY, type Labels } from "../../src/core/flow/labels.ts";
import { compile } from "../../src/core/policy/compile.ts";
import { decide } from "../../src/core/policy/decide.ts";
import { parseRule, parseRules } from "../../src/core/policy/parse.ts";
import type { ArgumentCondition, Decision, Facts, Rule, Verdict, When } from "../../src/core/policy/policy.ts";
import { rulesFromText, rulesToText } from "../../src/core/policy/text.ts";
import type { JsonValue } from "../../src/core/wire/json.ts";

const STRICTNESS: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 };
const SERVERS = ["s1", "s2"];
const TOOLS = ["send_mail", "list_mail", "x"];
const ORIGINS = ["https://a.example", "https://b.a.example", "http://localhost:3000"];

const some = <T>(items: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.uniqueArray(items, { minLength: 1, maxLength: 3 });
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined, freq: 2 });
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>("in@a.example", "out@b.example", 1, null, true),
  fc.constantFrom<JsonValue>(["in@a.example", "out@b.example"], { to: "out@b.example" }, []),
);
const plainCondition: fc.Arbitrary<ArgumentCondition> = fc.oneof(
  value.map((equals) => ({ equals })),
  fc.constantFrom("@a\\.example$", "out", ".").map((pattern) => ({ pattern })),
  fc.boolean().map((exists) => ({ exists })),
);
const condition = fc.oneof(
  plainCondition,
  plainCondition.map((not) => ({ not })),
);
const labels: fc.Arbitrary<Labels> = fc.record({
  integrity: fc.constantFrom(...INTEGRITY),
  confidentiality: fc.constantFrom(...CONFIDENTIALITY),
  sources: fc.uniqueArray(fc.constantFrom("s1", "s2", "s3")).map((sources) => sources.sort()),
});
const when: fc.Arbitrary<When> = fc
  .record({
    origin: maybe(some(fc.constantFrom(...ORIGINS, "https://*.a.example"))),
    server: maybe(some(fc.constantFrom(...SERVERS))),
    tool: maybe(some(fc.constantFrom(...TOOLS, "send_*", "*"))),
    class: maybe(some(fc.constantFrom("read" as const, "write" as const, "external" as const))),
    args: maybe(fc.dictionary(fc.constantFrom("/to", "/to/0", ""), condition, { minKeys: 1, maxKeys: 2 })),
    labels: maybe(fc.constantFrom({ integrity: "untrusted" as const }, { confidentiality: "pii" as const })),
    findings: maybe(some(fc.constantFrom("secret", "secret.link-key", "hidden-text"))),
  })
  .map((clauses) => Object.fromEntries(Object.entries(clauses).filter(([, clause]) => clause !== undefined)));
const rule: fc.Arbitrary<Rule> = fc
  .record({
    verdict: fc.constantFrom<Verdict>("allow", "ask", "deny"),
    priority: fc.integer({ min: -2, max: 2 }),
    when,
    do: maybe(fc.record({ redact: some(fc.constantFrom("secret", "hidden-text")) })),
    mode: fc.constantFrom("enforce" as const, "enforce" as const, "audit" as const, "off" as const),
  })
  .map(({ do: obligations, ...rest }) => ({
    id: "r",
    on: ["request" as const],
    ...rest,
    ...(obligations ? { do: obligations } : {}),
  }));
const rules = fc.array(rule, { maxLength: 8 }).map((list) => list.map((one, index) => ({ ...one, id: `r${index}` })));
const finding = fc.constantFrom("secret.link-key", "secret.github-token").map((type) => ({
  kind: "secret" as const,
  type,
  path: "/to",
  start: 0,
  end: 1,
  confidence: "high" as const,
}));
const facts: fc.Arbitrary<Facts> = fc.record({
  phase: fc.constant("request" as const),
  now: fc.constant(1_796_000_000_000),
  direction: fc.constantFrom("out" as const, "out" as const, "out" as const, "back" as const),
  origin: fc.constantFrom(...ORIGINS),
  topSite: fc.constantFrom(...ORIGINS),
  private: fc.boolean(),
  serverId: fc.constantFrom(...SERVERS),
  method: fc.constantFrom("tools/call", "tools/call", "resources/read"),
  tool: fc.constantFrom(...TOOLS),
  class: fc.constantFrom("read" as const, "write" as const, "external" as const),
  args: fc.record({ to: value }, { requiredKeys: [] }),
  findings: fc.array(finding, { maxLength: 1 }),
  labels,
  pin: fc.constantFrom("approved" as const, "approved" as const, "changed" as const, "none" as const),
  bytes: fc.nat(),
});

const effect = ({ verdict, redact, say }: Decision) => ({ verdict, redact, say });

describe("decide", () => {
  it("never allows more for one more deny rule", () => {
    fc.assert(
      fc.property(rules, rule, facts, fc.nat(8), (list, extra, fact, place) => {
        const deny: Rule = { ...extra, id: "extra", verdict: "deny" };
        const before = decide(compile(list), fact);
        const after = decide(compile([...list.slice(0, place), deny, ...list.slice(place)]), fact);
        expect(STRICTNESS[after.verdict]).toBeGreaterThanOrEqual(STRICTNESS[before.verdict]);
        for (const kind of before.redact) expect(after.redact).toContain(kind);
      }),
      { numRuns: 1000 },
    );
  });

  it("never allows more for one allow rule less", () => {
    fc.assert(
      fc.property(rules, facts, (list, fact) => {
        const asking = list.filter((one) => one.verdict !== "allow");
        const without = decide(compile(asking), { ...fact, direction: "out", class: "write", method: "tools/call" });
        expect(without.verdict).not.toBe("allow");
      }),
      { numRuns: 500 },
    );
  });

  it("does not care for the order of rules", () => {
    const shuffled = rules.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, facts, ([list, other], fact) => {
        expect(decide(compile(other), fact)).toEqual(decide(compile(list), fact));
      }),
      { numRuns: 500 },
    );
  });

  it("is not changed by audit rules, whatever they match", () => {
    fc.assert(
      fc.property(rules, rules, facts, (list, noted, fact) => {
        const audit = noted.map((one): Rule => ({ ...one, id: `audit-${one.id}`, mode: "audit" }));
        expect(effect(decide(compile([...audit, ...list]), fact))).toEqual(effect(decide(compile(list), fact)));
      }),
      { numRuns: 500 },
    );
  });

  it("finds through its index what a plain search of all rules finds", () => {
    fc.assert(
      fc.property(rules, facts, (list, fact) => {
        const alone = list.filter((one) =>
          decide(compile([one]), fact).reasons.some((reason) => reason.rule === one.id),
        );
        const named = decide(compile(list), fact).reasons.filter((reason) => reason.rule.startsWith("r"));
        expect(named.map((reason) => reason.rule).sort()).toEqual(alone.map((one) => one.id).sort());
      }),
      { numRuns: 500 },
    );
  });

  it("never throws and always has a reason, whatever it is given", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(rule, fc.anything())), fc.oneof(facts, fc.anything()), (list, fact) => {
        const decision = decide(compile(list as Rule[]), fact as Facts);
        expect(decision.reasons.length).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  it("lets nothing past a changed tool", () => {
    fc.assert(
      fc.property(rules, facts, (list, fact) => {
        expect(decide(compile(list), { ...fact, pin: "changed" }).verdict).toBe("deny");
      }),
    );
  });
});

describe("parse", () => {
  it("never throws, and gives either a rule or problems with a remedy", () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ when: fc.anything(), do: fc.anything() })), (input) => {
        const { rule: read, problems } = parseRule(input);
        expect(read === undefined).toBe(problems.length > 0);
        for (const problem of problems) expect(problem.message && problem.remedy).toBeTruthy();
      }),
      { numRuns: 1000 },
    );
  });

  it("accepts what it gave out, unchanged, also through the text", () => {
    fc.assert(
      fc.property(rules, (list) => {
        const read = parseRules(list);
        expect(read.problems).toEqual([]);
        expect(read.rules).toEqual(list);
        const text = rulesToText(list, { s1: "mail", s2: "tickets" });
        const named = [
          { id: "s1", name: "mail" },
          { id: "s2", name: "tickets" },
        ];
        expect(rulesFromText(text, named)).toEqual({ rules: list, problems: [] });
      }),
    );
  });

  it("never throws on any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const { rules: read, problems } = rulesFromText(text, []);
        expect(problems.length > 0 || Array.isArray(read)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("reads the same JSON as the platform does", () => {
    fc.assert(
      fc.property(fc.json(), fc.boolean(), (text, pretty) => {
        const rulesText = `[{"id":"r","verdict":"deny","when":{"args":{"/a":{"equals":${pretty ? JSON.stringify(JSON.parse(text), null, 2) : text}}}}}]`;
        const { rules: read, problems } = rulesFromText(rulesText, []);
        const condition = read[0]?.when.args?.["/a"];
        if (problems.length === 0) expect(condition).toEqual({ equals: JSON.parse(text) });
      }),
      { numRuns: 500 },
    );
  });
});

describe("joining labels", () => {
  const check = (law: (a: Labels, b: Labels, c: Labels) => void): void => {
    fc.assert(
      fc.property(labels, labels, labels, (a, b, c) => {
        law(a, b, c);
      }),
    );
  };

  it("does not care for the order", () => {
    check((a, b) => expect(join(a, b)).toEqual(join(b, a)));
  });

  it("does not care for the grouping", () => {
    check((a, b, c) => expect(join(join(a, b), c)).toEqual(join(a, join(b, c))));
  });

  it("counts nothing twice", () => {
    check((a, b) => expect(join(join(a, b), b)).toEqual(join(a, b)));
  });

  it("never lowers either side", () => {
    check((a, b) => expect([raises(join(a, b), a), raises(join(a, b), b)]).toEqual([false, false]));
  });

  it("changes something exactly when it raises", () => {
    check((a, b) => expect(join(a, b) !== a).toBe(raises(a, b)));
  });
});
