/** Laws of comparing, linting, replaying and layering policies, over random rules and coherent facts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Labels } from "../../src/core/flow/labels.ts";
import { compile } from "../../src/core/policy/compile.ts";
import { covers } from "../../src/core/policy/covers.ts";
import { decide, STRICTNESS } from "../../src/core/policy/decide.ts";
import { diff } from "../../src/core/policy/diff.ts";
import { lint } from "../../src/core/policy/lint.ts";
import { listedAs } from "../../src/core/policy/listed-as.ts";
import { ruleTest } from "../../src/core/policy/match.ts";
import { parseRules } from "../../src/core/policy/parse.ts";
import { CLAUSE_PHASES } from "../../src/core/policy/phases.ts";
import type { ArgumentCondition, DefaultRow, Facts, Rule, Verdict, When } from "../../src/core/policy/policy.ts";
import { factsOf } from "../../src/core/policy/record-facts.ts";
import { simulate } from "../../src/core/policy/simulate.ts";
import { trace } from "../../src/core/policy/trace.ts";
import type { PastCall } from "../../src/core/policy/usage.ts";
import type { RecordEntry } from "../../src/core/recorder/entry.ts";
import type { ToolClass } from "../../src/core/servers/server.ts";
import type { JsonValue } from "../../src/core/wire/json.ts";

const NOW = 1_796_000_000_000;
const SITES = ["https://a.example", "https://b.a.example", "http://localhost:3000"] as const;
const VERDICTS = ["allow", "ask", "deny"] as const satisfies readonly Verdict[];
const CLASSES = ["read", "write", "external"] as const satisfies readonly ToolClass[];

const some = <T>(...items: readonly T[]): fc.Arbitrary<T[]> =>
  fc.uniqueArray(fc.constantFrom(...items), { minLength: 1, maxLength: 2 });
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined, freq: 2 });
const defined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;

const value: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
  ...[
    "/work/a",
    "/work/../etc",
    "work",
    "http://127.0.0.1/",
    "https://a.example/",
    "in@a.example",
    1,
    5,
    50,
    "5",
    null,
  ],
  ...[["/work/a"], ["/work/a", "/etc"], { x: "/work/a" }, [5, 50], true],
);
const plain: fc.Arbitrary<ArgumentCondition> = fc.oneof(
  value.map((equals) => ({ equals })),
  fc.constantFrom("a", "^/work", "[0-9]").map((pattern) => ({ pattern })),
  fc.boolean().map((exists) => ({ exists })),
  fc.constantFrom({ atLeast: 1 }, { above: 1 }, { atLeast: 5, atMost: 50 }, { below: 5 }).map((range) => ({ range })),
  fc.constantFrom("/work", "/", ".").map((folder) => ({ path: { inside: [folder] } })),
  fc.constantFrom({ net: ["loopback" as const] }, { host: ["a.example"] }).map((url) => ({ url })),
  fc.constantFrom({ type: "string" }, { type: "integer", minimum: 5 }).map((schema) => ({ schema })),
);
const condition: fc.Arbitrary<ArgumentCondition> = fc.oneof(
  plain,
  plain.map((not) => ({ not })),
);
const past: fc.Arbitrary<PastCall> = fc.record({
  callId: fc.constant("c"),
  at: fc.constantFrom(NOW - 1_000, NOW - 30_000, NOW - 120_000),
  serverId: fc.constantFrom("s1", "s2"),
  method: fc.constant("tools/call"),
  tool: fc.constantFrom("send_mail", "send_mail", "list_mail"),
  class: fc.constantFrom(...CLASSES),
  end: fc.constantFrom("passed" as const, "refused" as const),
  rated: fc.constantFrom<string[]>([], ["r0"], ["r1"]),
});
const usage = fc.array(past, { maxLength: 4 }).map((list) => [...list].sort((a, b) => a.at - b.at));

/** Facts as the gateway gives them: a tool only with `tools/call`, class `read` only for a tool that says so. */
const facts: fc.Arbitrary<Facts> = fc
  .record({
    origin: fc.constantFrom(...SITES),
    topSite: fc.constantFrom(...SITES),
    private: fc.boolean(),
    serverId: fc.constantFrom("s1", "s2"),
    era: fc.constantFrom("legacy" as const, "modern" as const),
    subject: fc.constantFrom("tool", "tool", "tool", "prompt", "resource"),
    tool: fc.constantFrom("send_mail", "list_mail", "x"),
    class: fc.constantFrom(...CLASSES),
    pin: fc.constantFrom("approved" as const, "new" as const),
    args: fc.record({ v: value }, { requiredKeys: [] }),
    secret: fc.boolean(),
    labels: fc.record({
      integrity: fc.constantFrom("trusted" as const, "untrusted" as const),
      confidentiality: fc.constantFrom("public" as const, "sensitive" as const, "pii" as const, "secret" as const),
      sources: fc.uniqueArray(fc.constantFrom("s1", "s2"), { maxLength: 2 }),
    }) satisfies fc.Arbitrary<Labels>,
    bytes: fc.constantFrom(10, 1_000, 100_000),
    now: fc.constantFrom(NOW, NOW + 12 * 3_600_000),
    usage,
  })
  .map(({ subject, secret, tool, class: toolClass, pin, args, ...rest }): Facts => {
    const common = {
      ...rest,
      phase: "request" as const,
      direction: "out" as const,
      findings: secret
        ? [
            {
              kind: "secret" as const,
              type: "secret.link-key",
              path: "/v",
              start: 0,
              end: 1,
              confidence: "high" as const,
            },
          ]
        : [],
    };
    if (subject === "prompt") return { ...common, method: "prompts/get", prompt: "p", args, pin: "none" };
    if (subject === "resource") {
      return {
        ...common,
        method: "resources/read",
        uri: "file:///work/a",
        args: { uri: "file:///work/a" },
        pin: "none",
      };
    }
    const reads = toolClass === "read";
    const hints = { readOnlyHint: reads, openWorldHint: toolClass === "external" };
    return {
      ...common,
      method: "tools/call",
      tool,
      class: toolClass,
      annotations: hints,
      args,
      pin: reads ? "approved" : pin,
    };
  });

const when = (verdict: Verdict): fc.Arbitrary<When> =>
  fc
    .record({
      origin: maybe(some<string>(...SITES, "https://*.a.example", "http://localhost:*")),
      frame: maybe(fc.constantFrom("top" as const, "embedded" as const)),
      private: maybe(fc.boolean()),
      era: maybe(fc.constantFrom("legacy" as const, "modern" as const)),
      server: maybe(some("s1", "s2")),
      tool: maybe(some("send_mail", "send_*", "list_mail", "*")),
      method: maybe(some("tools/call", "prompts/get", "*")),
      class: maybe(some(...CLASSES)),
      pin: maybe(some("approved" as const, "new" as const, "none" as const)),
      annotations:
        verdict === "allow"
          ? fc.constant(undefined)
          : maybe(fc.constantFrom({ readOnlyHint: false }, { openWorldHint: true })),
      args: maybe(fc.dictionary(fc.constantFrom("/v", "/v/0"), condition, { minKeys: 1, maxKeys: 2 })),
      labels: maybe(
        fc.constantFrom<NonNullable<When["labels"]>>(
          { integrity: "untrusted" },
          { confidentiality: "pii" },
          { confidentiality: "sensitive" },
          { sources: "other" },
          { sources: ["s1"] },
        ),
      ),
      findings: maybe(some("secret", "secret.link-key")),
      size: maybe(fc.constantFrom({ over: 100 }, { over: 10_000 }, { under: 500 })),
      time: maybe(fc.constantFrom({ from: "00:00", to: "06:00" }, { days: ["mon" as const] })),
      rate:
        verdict === "allow"
          ? fc.constant(undefined)
          : maybe(fc.constantFrom({ over: "2/min", of: "site" as const }, { over: "1/min", of: "tool" as const })),
      after: maybe(fc.constantFrom({ server: ["s2"], within: "1min" }, { class: ["read" as const], within: "5min" })),
      inARow: verdict === "allow" ? fc.constant(undefined) : maybe(fc.constantFrom(1, 2)),
      refusals:
        verdict === "allow"
          ? fc.constant(undefined)
          : maybe(fc.constantFrom({ atLeast: 1, within: "5min" }, { atLeast: 2, within: "5min" })),
    })
    .chain((clauses) => fc.subarray(Object.entries(clauses), { minLength: 0, maxLength: 3 }))
    .map((entries) => defined(Object.fromEntries(entries)) as When);

/** Most speak of calls, some of lists too or alone. */
const on = (verdict: Verdict): fc.Arbitrary<Rule["on"]> =>
  verdict === "ask"
    ? fc.constantFrom<Rule["on"]>(["request"], ["request"], ["request"], ["reply"])
    : fc.constantFrom<Rule["on"]>(["request"], ["request"], ["request"], ["list"], ["request", "list"], ["reply"]);
const rule: fc.Arbitrary<Rule> = fc.constantFrom(...VERDICTS).chain((verdict) =>
  fc
    .record({
      id: fc.constantFrom("r0", "r1", "r2", "r3"),
      verdict: fc.constant(verdict),
      priority: fc.integer({ min: -1, max: 1 }),
      on: on(verdict),
      when: when(verdict),
      do: maybe(
        fc
          .record({
            redact: maybe(some("secret", "hidden-text")),
            rate: verdict === "deny" ? fc.constant(undefined) : maybe(fc.constantFrom("1/min", "2/min")),
          })
          .map(defined),
      ),
      mode: fc.constantFrom("enforce" as const, "enforce" as const, "enforce" as const, "audit" as const),
      expires: maybe(fc.constantFrom("2026-11-30", "2026-11-29")),
    })
    .map((one) => {
      const { do: obligations, when: clauses, ...others } = defined(one);
      const { on: phases } = others;
      // Of a list less is known; what else the rule would say is left out.
      const known = Object.fromEntries(
        Object.entries(clauses).filter(([clause]) =>
          phases.every((phase) => CLAUSE_PHASES[clause as keyof When].includes(phase)),
        ),
      );
      const rest = { ...others, when: known };
      if (phases.includes("list")) return rest as Rule;
      if (phases.includes("reply")) {
        const redact = obligations?.redact;
        return (redact ? { ...rest, do: { redact } } : rest) as Rule;
      }
      return (obligations && Object.keys(obligations).length > 0 ? { ...rest, do: obligations } : rest) as Rule;
    }),
);
/** Only rules that could be saved. */
const savable = rule.filter((one) => parseRules([one]).problems.length === 0);
const rules = fc.uniqueArray(savable, { maxLength: 4, selector: ({ id }) => id });
const row: fc.Arbitrary<DefaultRow> = fc.record({
  read: fc.constantFrom(...VERDICTS),
  other: fc.constantFrom(...VERDICTS),
});
/** Drawn once: making facts costs more than judging them. */
const POOL = fc.sample(facts, { numRuns: 1_000, seed: 5 });
const from = (count: number): fc.Arbitrary<Facts[]> =>
  fc.nat(POOL.length - count).map((at) => POOL.slice(at, at + count));
const some30 = from(30);

/** The call, its answer, and the item that a list would show of it. */
function inEachPhase(fact: Facts): readonly Facts[] {
  const { usage: _usage, args: _args, ...answered } = fact;
  const listed = listedAs(fact);
  return [fact, { ...answered, phase: "reply" }, ...(listed ? [listed] : [])];
}
const policy = fc.record({ rules, default: row });

describe("comparing two policies", () => {
  it("never calls a policy not wider that lets more through", () => {
    let proved = 0;
    fc.assert(
      fc.property(policy, policy, from(5), fc.integer({ min: 0, max: 4 }), (a, b, list, kept) => {
        // Most of the rules stay, as when somebody edits.
        const mixed = {
          ...b,
          rules: [...a.rules.slice(0, kept), ...b.rules].filter(
            (one, at, all) => all.findIndex(({ id }) => id === one.id) === at,
          ),
        };
        const next = kept > 1 ? { ...mixed, default: a.default } : mixed;
        if (diff(a, next).wider) return;
        proved++;
        const [was, is] = [compile(a.rules, a), compile(next.rules, next)];
        for (const fact of list.flatMap(inEachPhase)) {
          const [before, after] = [decide(was, fact), decide(is, fact)];
          expect(STRICTNESS[after.verdict]).toBeGreaterThanOrEqual(STRICTNESS[before.verdict]);
          for (const kind of before.redact) expect(after.redact).toContain(kind);
        }
      }),
      { numRuns: 500 },
    );
    expect(proved).toBeGreaterThan(10);
  });

  it("never calls an edit of one rule not wider that lets more through", () => {
    let proved = 0;
    fc.assert(
      fc.property(
        policy,
        savable,
        fc.nat(),
        fc.constantFrom("priority", "verdict", "when", "do", "mode", "expires"),
        some30,
        (a, b, pick, member, list) => {
          const old = a.rules[pick % Math.max(1, a.rules.length)];
          if (!old) return;
          const edited = defined({ ...old, [member]: b[member as keyof Rule] }) as Rule;
          if (parseRules([edited]).problems.length > 0) return;
          const next = { ...a, rules: a.rules.map((one) => (one === old ? edited : one)) };
          if (diff(a, next).wider) return;
          proved++;
          const [was, is] = [compile(a.rules, a), compile(next.rules, next)];
          for (const fact of list.flatMap(inEachPhase)) {
            const [before, after] = [decide(was, fact), decide(is, fact)];
            expect(STRICTNESS[after.verdict]).toBeGreaterThanOrEqual(STRICTNESS[before.verdict]);
            for (const kind of before.redact) expect(after.redact).toContain(kind);
          }
        },
      ),
      { numRuns: 1_500 },
    );
    expect(proved).toBeGreaterThan(150);
  });

  it("finds nothing between a policy and itself", () => {
    fc.assert(
      fc.property(policy, (one) => {
        expect(diff(one, one)).toEqual({ differences: [], wider: false });
      }),
    );
  });

  it("takes one more denial, and one allowance less without obligations, for not wider", () => {
    fc.assert(
      fc.property(policy, savable, (one, extra) => {
        const rest = one.rules.filter(({ id }) => id !== extra.id);
        const deny: Rule = { ...extra, verdict: "deny", do: {} };
        const allow: Rule = { ...extra, verdict: "allow", do: {} };
        expect(diff({ ...one, rules: rest }, { ...one, rules: [...rest, deny] }).wider).toBe(false);
        expect(diff({ ...one, rules: [...rest, allow] }, { ...one, rules: rest }).wider).toBe(false);
      }),
    );
  });
});

describe("covering", () => {
  it("is so for all facts", () => {
    let covered = 0;
    fc.assert(
      fc.property(savable, savable, fc.nat(), some30, (a, b, pick, list) => {
        // The same rule but for one clause, else one hardly ever covers another.
        const clauses = Object.keys(b.when) as (keyof When)[];
        const clause = clauses[pick % Math.max(1, clauses.length)];
        const narrow: Rule = {
          ...a,
          verdict: b.verdict,
          when: { ...a.when, ...(clause && { [clause]: b.when[clause] }) },
        };
        if (parseRules([narrow]).problems.length > 0 || !covers(a, narrow)) return;
        covered++;
        const [wide, inner] = [ruleTest(a), ruleTest(narrow)];
        for (const fact of list) if (inner(fact)) expect(wide(fact)).toBe(true);
      }),
      { numRuns: 1_500 },
    );
    expect(covered).toBeGreaterThan(200);
  });
});

describe("lint", () => {
  const live = {
    servers: [
      { id: "s1", name: "mail" },
      { id: "s2", name: "files" },
    ],
    catalogues: [],
    now: NOW + 12 * 3_600_000,
  };

  it("says “never matches” only of rules for which a search finds nothing", () => {
    let seen = 0;
    fc.assert(
      fc.property(savable, from(30), (one, list) => {
        if (!lint({ rules: [one] }, live).some(({ kind }) => kind === "never-matches")) return;
        seen++;
        const later = list.map((fact) => ({ ...fact, now: live.now }));
        expect(later.filter(ruleTest(one))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
    expect(seen).toBeGreaterThan(10);
  });

  it("says “never decides” only of rules without which nothing changes", () => {
    let seen = 0;
    fc.assert(
      fc.property(policy, from(10), (one, list) => {
        const idle = lint(one, live).filter(({ kind }) => kind === "never-decides");
        for (const { rule: id } of idle) {
          seen++;
          const rest = one.rules.filter((other) => other.id !== id);
          for (const fact of list) {
            expect(decide(compile(rest, one), fact).verdict).toBe(decide(compile(one.rules, one), fact).verdict);
          }
        }
      }),
      { numRuns: 1_000 },
    );
    expect(seen).toBeGreaterThan(10);
  });
});

describe("a managed layer", () => {
  it("never widens, whatever it says and whatever the person set", () => {
    fc.assert(
      fc.property(policy, rules, facts, (one, above, fact) => {
        const alone = decide(compile(one.rules, one), fact);
        const both = decide(compile(one.rules, { ...one, managed: { version: 1, rules: above } }), fact);
        expect(STRICTNESS[both.verdict]).toBeGreaterThanOrEqual(STRICTNESS[alone.verdict]);
        for (const kind of alone.redact) expect(both.redact).toContain(kind);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is not weakened by anything the person sets", () => {
    fc.assert(
      fc.property(policy, policy, rules, facts, (one, other, above, fact) => {
        const managed = { version: 1 as const, rules: above };
        const open = { read: "allow", other: "allow" } as const;
        const least = decide(
          compile([{ id: "all", verdict: "allow", priority: 1000, on: ["request"], when: {}, mode: "enforce" }], {
            managed,
            default: open,
          }),
          fact,
        );
        for (const person of [one, other]) {
          const both = decide(compile(person.rules, { ...person, managed }), fact);
          expect(STRICTNESS[both.verdict]).toBeGreaterThanOrEqual(STRICTNESS[least.verdict]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("closes when nobody can read it", () => {
    fc.assert(
      fc.property(
        policy,
        facts,
        fc.constantFrom("request", "reply", "event", "list") as fc.Arbitrary<Facts["phase"]>,
        (one, fact, phase) => {
          expect(decide(compile(one.rules, { ...one, managed: "unreadable" }), { ...fact, phase }).verdict).toBe(
            "deny",
          );
        },
      ),
    );
  });
});

describe("trace", () => {
  it("says of each rule what decide found", () => {
    fc.assert(
      fc.property(policy, facts, (one, fact) => {
        const traced = trace({ rules: one.rules }, fact);
        const named = new Set(
          decide(compile(one.rules, one), fact).reasons.map(({ rule: name }) => name.replace("rate:", "")),
        );
        for (const { rule: name, matched, failed } of traced) {
          expect(matched).toBe(named.has(name));
          expect(failed === undefined).toBe(matched);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("hiding and refusing", () => {
  it("agree: what a list does not show is refused, and nothing else is refused as hidden", () => {
    const seen = { hidden: 0, shown: 0 };
    fc.assert(
      fc.property(policy, rules, from(20), (one, above, list) => {
        const compiled = compile(one.rules, { ...one, managed: { version: 1, rules: above } });
        for (const fact of list) {
          const listed = listedAs(fact);
          if (!listed) throw new Error("These facts all name something.");
          const isHidden = decide(compiled, listed).verdict === "deny";
          const { hidden = false, verdict } = decide(compiled, fact);
          expect(hidden).toBe(isHidden);
          if (hidden) expect(verdict).toBe("deny");
          seen[hidden ? "hidden" : "shown"]++;
        }
      }),
      { numRuns: 500 },
    );
    expect(Math.min(seen.hidden, seen.shown)).toBeGreaterThan(500);
  });

  it("know nothing of what a session has read, done or sends", () => {
    fc.assert(
      fc.property(policy, from(2), (one, [a, b]) => {
        if (!a || !b) return;
        const compiled = compile(one.rules, one);
        const { labels, findings, usage: done, args, bytes } = b;
        const other = { ...a, labels, findings, usage: done, args, bytes } as Facts;
        expect(decide(compiled, other).hidden).toBe(decide(compiled, a).hidden);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("simulate", () => {
  it("equals decide on the facts of the record", () => {
    fc.assert(
      fc.property(policy, facts, (one, fact) => {
        const compiled = compile(one.rules, one);
        const record = recordOf(fact);
        const decided = decide(compiled, { ...fact, usage: [] });
        const [simulated] = simulate(compiled, [record]);
        // Records hold no annotations; a rule about them sees the defaults.
        const known = decide(compiled, factsOf(record, "request", { usage: [] }));
        expect(simulated?.decision).toEqual(known);
        if (!one.rules.some((each) => each.when.annotations)) {
          expect({ ...simulated?.decision, reasons: undefined }).toEqual({ ...decided, reasons: undefined });
        }
      }),
      { numRuns: 500 },
    );
  });
});

function recordOf(fact: Facts): RecordEntry {
  const { method, tool, prompt, uri, args } = fact;
  const params = uri === undefined ? { name: tool ?? prompt, arguments: args } : { uri };
  const request = {
    text: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    cut: false,
    bytes: fact.bytes,
    digest: "",
    findings: fact.findings ?? [],
  };
  return {
    callId: "c",
    direction: "out",
    at: fact.now,
    ms: 1,
    principal: { origin: fact.origin, topSite: fact.topSite, cookieStore: "default", private: fact.private },
    place: { tabId: 1, frameId: 0, documentId: "d" },
    agent: "",
    serverId: fact.serverId,
    serverName: "",
    revision: fact.era === "modern" ? "2026-07-28" : "2025-11-25",
    method,
    ...(tool === undefined ? {} : { tool }),
    ...(fact.class === undefined ? {} : { class: fact.class }),
    request,
    decisions: [{ phase: "request", verdict: "allow", reasons: [], redact: [] }],
    ...(fact.labels ? { labels: fact.labels } : {}),
    pin: fact.pin,
    stages: [],
    outcome: { kind: "answered", error: false },
    count: 1,
    seq: 1,
    prev: "",
    hash: "",
  };
}
