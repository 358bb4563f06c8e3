/** Trying policies out: tracing rules on one call, replaying records, comparing two policies. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../src/core/policy/compile.ts";
import { decide } from "../../../src/core/policy/decide.ts";
import { diff } from "../../../src/core/policy/diff.ts";
import type { Rule } from "../../../src/core/policy/policy.ts";
import { impact, simulate } from "../../../src/core/policy/simulate.ts";
import { trace } from "../../../src/core/policy/trace.ts";
import type { RecordEntry } from "../../../src/core/recorder/entry.ts";
import { facts, rule } from "./fixtures.ts";

const AT = 1_796_000_000_000;
const NO_FINDINGS = { cut: false, digest: "", findings: [] } as const;

function record(seq: number, changes: Partial<RecordEntry> = {}): RecordEntry {
  const params = { name: "send_mail", arguments: { to: "a@example.org" } };
  const text = JSON.stringify({ jsonrpc: "2.0", id: seq, method: "tools/call", params });
  return {
    callId: `c${seq}`,
    direction: "out",
    at: AT + seq * 1_000,
    ms: 1,
    principal: {
      origin: "https://chat.example",
      topSite: "https://chat.example",
      cookieStore: "default",
      private: false,
    },
    place: { tabId: 1, frameId: 0, documentId: "d" },
    agent: "",
    serverId: "s1",
    serverName: "mail",
    revision: "2025-11-25",
    method: "tools/call",
    tool: "send_mail",
    class: "write",
    request: { ...NO_FINDINGS, text, bytes: text.length },
    decisions: [{ phase: "request", verdict: "ask", reasons: [], redact: [] }],
    answered: { answer: "allowed", waitedMs: 1 },
    pin: "approved",
    stages: [],
    outcome: { kind: "answered", error: false },
    count: 1,
    seq,
    prev: "",
    hash: "",
    ...changes,
  };
}

describe("trace", () => {
  it("says of each rule whether it matched, and which clause failed first", () => {
    const rules = [
      rule({ id: "a", when: { tool: ["list_*"] } }),
      rule({ id: "b", when: { server: ["s1"], class: ["write"] } }),
      rule({ id: "c", mode: "off" }),
      rule({ id: "d", on: ["reply"] }),
      rule({ id: "e", expires: "2020-01-01" }),
    ];
    const traced = trace({ rules, managed: { version: 1, rules: [rule({ id: "m" })] } }, facts({}));
    expect(traced.map(({ rule: name, matched, clause }) => [name, matched, clause])).toEqual([
      ["managed:m", true, undefined],
      ["a", true, undefined],
      ["b", false, "class"],
      ["c", false, "mode"],
      ["d", false, "on"],
      ["e", false, "expires"],
    ]);
    expect(traced.filter(({ matched }) => !matched).every(({ failed }) => failed !== undefined)).toBe(true);
  });

  it("names a clause that cannot be read", () => {
    const broken = rule({ when: { args: { "/a": { pattern: "(" } } } });
    expect(trace({ rules: [broken] }, facts({}))).toMatchObject([{ matched: true, clause: "args" }]);
    expect(decide(compile([broken]), facts({})).verdict).toBe("deny");
  });
});

describe("simulate", () => {
  it("looks into the arguments of a record", () => {
    const policy = compile([rule({ when: { args: { "/to": { pattern: "@example" } } } })]);
    expect(simulate(policy, [record(1)])[0]?.decision.verdict).toBe("deny");
  });

  it("says where a payload is on record only in part", () => {
    const whole = record(1);
    const cut = record(2, { request: { ...whole.request, cut: true } });
    expect(simulate(compile([]), [whole, cut]).map(({ doubt }) => doubt)).toEqual([undefined, "cut"]);
  });

  it("counts what would have passed, in the order of the records", () => {
    const policy = compile([rule({ verdict: "allow", do: { rate: "2/min" } })]);
    const verdicts = simulate(policy, [record(3), record(1), record(2)]).map(({ record: { seq }, decision }) => [
      seq,
      decision.verdict,
    ]);
    expect(verdicts).toEqual([
      [1, "allow"],
      [2, "allow"],
      [3, "deny"],
    ]);
  });

  it("counts a call of something hidden as little as the gateway does", () => {
    const policy = compile([
      rule({ id: "hide", on: ["list"], when: { tool: ["send_mail"] } }),
      rule({ id: "cool", when: { refusals: { atLeast: 1, within: "10min" } } }),
    ]);
    const simulated = simulate(policy, [record(1, { tool: "send_mail" }), record(2, { tool: "other" })]);
    expect(simulated.map(({ decision }) => decision.reasons[0]?.rule)).toEqual(["hide", "default:other"]);
  });

  it("leaves out what policy never saw", () => {
    expect(simulate(compile([]), [record(1, { decisions: [] })])).toEqual([]);
  });

  it("judges answers too", () => {
    const reply = { ...NO_FINDINGS, text: "{}", bytes: 9_000 };
    const both = record(1, {
      reply,
      decisions: [
        { phase: "request", verdict: "ask", reasons: [], redact: [] },
        { phase: "reply", verdict: "allow", reasons: [], redact: [] },
      ],
    });
    const policy = compile([rule({ on: ["reply"], when: { size: { over: 8_000 } } })]);
    expect(simulate(policy, [both]).map(({ decision }) => decision.verdict)).toEqual(["ask", "deny"]);
  });
});

describe("impact", () => {
  it("counts the calls that would end otherwise, newest first", () => {
    const after: Rule[] = [rule({ when: { args: { "/to": { equals: "b@example.org" } } } })];
    const other = record(2, {
      request: { ...record(2).request, text: record(2).request.text.replace("a@", "b@") },
    });
    const found = impact({ before: compile([]), after: compile(after) }, [record(1), other, record(3)]);
    expect(found.calls).toBe(3);
    expect(found.changed).toMatchObject([
      { record: { seq: 2 }, before: { verdict: "ask" }, after: { verdict: "deny" }, wider: false },
    ]);
  });

  it("says which become wider", () => {
    const found = impact({ before: compile([]), after: compile([rule({ verdict: "allow" })]) }, [record(1)]);
    expect(found.changed).toMatchObject([{ wider: true }]);
  });
});

describe("diff", () => {
  const row = { read: "allow", other: "ask" } as const;
  const wider = (before: readonly Rule[], after: readonly Rule[]) =>
    diff({ default: row, rules: before }, { default: row, rules: after }).differences.map((one) => [
      one.rule,
      one.kind,
      one.wider,
    ]);
  const mail = rule({ id: "mail", when: { server: ["s1"] } });

  it.each<readonly [string, readonly Rule[], readonly Rule[], boolean]>([
    ["a denial more", [], [mail], false],
    ["a denial less", [mail], [], true],
    ["a denial of more", [mail], [{ ...mail, when: { server: ["s1", "s2"] } }], false],
    ["a denial of less", [mail], [{ ...mail, when: { server: ["s1"], tool: ["x"] } }], true],
    ["a denial that turns into a question", [mail], [{ ...mail, verdict: "ask" }], true],
    ["a denial that is only noted", [mail], [{ ...mail, mode: "audit" }], true],
    ["a denial that ends", [mail], [{ ...mail, expires: "2027-01-01" }], true],
    ["a question more", [], [{ ...mail, verdict: "ask" }], false],
    ["an allowance more", [], [{ ...mail, verdict: "allow" }], true],
    ["an allowance less", [{ ...mail, verdict: "allow" }], [], false],
    [
      "a longer reach of an answer",
      [{ ...mail, verdict: "ask", do: { grant: "once" } }],
      [{ ...mail, verdict: "ask", do: { grant: "tool" } }],
      true,
    ],
    ["another note", [mail], [{ ...mail, note: "x" }], false],
  ])("calls %s rightly", (_, before, after, wanted) => {
    const found = wider(before, after);
    expect(found.map(([, , one]) => one)).toEqual([wanted]);
  });

  it("calls a question above a denial wider", () => {
    expect(wider([mail], [mail, rule({ id: "ask", verdict: "ask", priority: 5, when: { server: ["s1"] } })])).toEqual([
      ["ask", "added", true],
    ]);
  });

  it("calls a rate that begins to count afresh wider", () => {
    const few = rule({ id: "few", verdict: "ask", do: { rate: "1/min" } });
    expect(wider([few], [{ ...few, id: "other" }])).toContainEqual(["few", "removed", true]);
  });

  it("calls a looser default row wider", () => {
    const found = diff({ default: row, rules: [] }, { default: { ...row, other: "allow" }, rules: [] });
    expect(found).toMatchObject({ wider: true, differences: [{ rule: "default" }] });
  });
});

describe("a number that was too large to read", () => {
  it.each([Number.POSITIVE_INFINITY, 2 ** 53])("counts against the call: %d", (amount) => {
    const small = { args: { "/amount": { range: { atMost: 10 } } } };
    const verdict = (one: Partial<Rule>) =>
      decide(compile([rule(one)]), facts({ class: "write", args: { amount } })).verdict;
    expect(verdict({ verdict: "deny", when: small })).toBe("deny");
    expect(verdict({ verdict: "allow", when: small })).toBe("ask");
  });
});
