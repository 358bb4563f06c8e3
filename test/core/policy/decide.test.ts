import { describe, expect, it } from "vitest";
import { compile } from "../../../src/core/policy/compile.ts";
import { decide } from "../../../src/core/policy/decide.ts";
import type { Facts, Rule } from "../../../src/core/policy/policy.ts";
import { spentMs } from "../../spent.ts";
import { facts, rule } from "./fixtures.ts";

const broken = { args: { "/to": { pattern: "(" } } } as const;

describe("a rule that cannot be read", () => {
  it("is named as the reason of a refusal, and hides nothing", () => {
    const broken = { id: "broken", when: null } as unknown as Rule;
    const { verdict, reasons, hidden } = decide(compile([broken]), facts({ tool: "send_mail" }));
    expect([verdict, reasons[0]?.rule, hidden]).toEqual(["deny", "error:broken", undefined]);
    expect(decide(compile([broken]), facts({ phase: "list", method: "tools/list" })).verdict).toBe("deny");
  });
});

describe("a rule that errs", () => {
  it("denies and names itself", () => {
    const decision = decide(compile([rule({ id: "x", verdict: "allow", when: broken })]), facts({}));
    expect(decision.verdict).toBe("deny");
    expect(decision.reasons.map((reason) => reason.rule)).toEqual(["error:x"]);
  });

  it("denies only where its other clauses match", () => {
    const decision = decide(compile([rule({ when: { ...broken, server: ["s2"] } })]), facts({}));
    expect(decision.reasons.map((reason) => reason.rule)).toEqual(["default:read"]);
  });

  it("denies at its own priority", () => {
    const rules = [
      rule({ id: "low", verdict: "allow", when: broken }),
      rule({ id: "high", verdict: "allow", priority: 1 }),
    ];
    expect(decide(compile(rules), facts({})).verdict).toBe("allow");
  });

  it("is only noted in audit mode", () => {
    const decision = decide(compile([rule({ id: "x", mode: "audit", when: broken })]), facts({}));
    expect(decision.verdict).toBe("allow");
    expect(decision.reasons.map((reason) => reason.rule)).toEqual(["default:read", "error:x"]);
  });

  it("denies for a last day that does not exist", () => {
    expect(decide(compile([rule({ verdict: "allow", expires: "soon" })]), facts({})).verdict).toBe("deny");
  });

  it("denies everything in every phase when nothing of it can be read", () => {
    const policy = compile([{ id: "x" } as unknown as Rule, rule({ id: "y", verdict: "allow", priority: 999 })]);
    for (const phase of ["request", "reply", "event", "list"] as const) {
      expect(decide(policy, facts({ phase })).verdict).toBe("deny");
    }
  });
});

describe("an ask where nobody can be asked", () => {
  it.each(["event", "list"] as const)("denies in the %s phase", (phase) => {
    expect(decide(compile([rule({ verdict: "ask", on: [phase] })]), facts({ phase })).verdict).toBe("deny");
  });
});

describe("facts that make no sense", () => {
  it("are denied with a reason", () => {
    const decision = decide(compile([]), { phase: "never" } as unknown as Facts);
    expect(decision).toMatchObject({ verdict: "deny", reasons: [{ rule: "error:decide" }], redact: [] });
  });

  it("are denied when there are none", () => {
    expect(() => decide(compile([]), undefined as unknown as Facts)).not.toThrow();
  });
});

describe("reasons", () => {
  it("carry the person's own words for a rule", () => {
    const decision = decide(compile([rule({ note: "Never delete mail" })]), facts({}));
    expect(decision.reasons[0]?.sentence).toBe("Your rule: Never delete mail");
  });

  it("name audit rules as such", () => {
    const decision = decide(compile([rule({ mode: "audit" })]), facts({}));
    expect(decision.reasons[1]?.mode).toBe("audit");
  });

  it("are the same rule once, however many names it is filed under", () => {
    const decision = decide(compile([rule({ when: { tool: ["list_mail", "send_mail", "list_mail"] } })]), facts({}));
    expect(decision.reasons).toHaveLength(1);
  });
});

describe("what came before", () => {
  const now = 1_796_000_000_000;
  const past = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      callId: String(at),
      at: now - count + at,
      serverId: "s1",
      method: "tools/call",
      tool: "harmless",
      class: "read" as const,
      end: "passed" as const,
      rated: [],
    }));
  const holds = (changes: Partial<Rule>, count: number, at = now) =>
    decide(compile([rule(changes)]), facts({ now: at, usage: past(count) })).reasons[0]?.rule === "r";
  const after = { after: { server: ["mail"], within: "30min" } };

  it("is not washed out of memory by a thousand calls that do no harm", () => {
    expect(holds({ when: after }, 998)).toBe(false);
    expect(holds({ when: after }, 1_000)).toBe(true);
    expect(holds({ when: { refusals: { atLeast: 3, within: "10min" } } }, 1_000)).toBe(true);
  });

  it("is known again once those calls are older than the rule asks about", () => {
    expect(holds({ when: after }, 1_000, now + 31 * 60_000)).toBe(false);
  });

  it("is nothing that a rule may allow by when it may be forgotten", () => {
    expect(holds({ verdict: "allow", when: after }, 1_000)).toBe(false);
  });
});

describe("time", () => {
  it("does not grow with rules for other tools", () => {
    const others = Array.from({ length: 5_000 }, (_, i) => rule({ id: `r${i}`, when: { tool: [`tool_${i}`] } }));
    const index = compile(others).person.request;
    expect(index.lists(facts({ tool: "tool_7" })).flat()).toHaveLength(1);
    expect(index.lists(facts({ tool: "another" })).flat()).toHaveLength(0);
  });

  it("stays linear for a pattern that would backtrack", () => {
    const policy = compile([rule({ when: { args: { "/t": { pattern: "^(a+)+$" } } } })]);
    const spent = spentMs(() => {
      expect(decide(policy, facts({ args: { t: `${"a".repeat(100_000)}!` } })).verdict).toBe("allow");
    });
    expect(spent).toBeLessThan(2_000);
  });
});
