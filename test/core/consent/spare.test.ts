/** Remedies that a press applies: never wider than the answers they are made of. */
import { describe, expect, it } from "vitest";
import { answers } from "../../../src/core/consent/grants.ts";
import { SPARED_MS, type Spare, spare } from "../../../src/core/consent/spare.ts";
import { parseRule } from "../../../src/core/policy/parse.ts";
import { principalKey } from "../../../src/core/principal.ts";
import type { RecordEntry } from "../../../src/core/recorder/entry.ts";
import { SITE } from "../../fakes/gateway.ts";
import { question } from "./sample.ts";

interface More {
  readonly args?: object;
  readonly tool?: string;
  readonly rules?: readonly string[];
  readonly findings?: readonly object[];
  readonly principal?: typeof SITE;
}

const entry = (answer: string, { args = { to: "ada" }, tool = "send", ...more }: More = {}): RecordEntry =>
  ({
    method: "tools/call",
    principal: more.principal ?? SITE,
    serverId: "s1",
    tool,
    labels: { integrity: "trusted", confidentiality: "public", sources: ["s9"] },
    decisions: [
      {
        phase: "request",
        reasons: (more.rules ?? ["default:other"]).map((rule) => ({ rule, verdict: "ask", mode: "enforce" })),
      },
    ],
    request: { text: JSON.stringify({ params: { arguments: args } }), cut: false, findings: more.findings ?? [] },
    answered: { answer },
  }) as unknown as RecordEntry;
const three = (answer: string, more: More = {}) => [0, 1, 2].map(() => entry(answer, more));
const apply = (rows: readonly RecordEntry[], more: Partial<Spare> = {}) =>
  spare({ answers: rows, pinText: "{}", priority: 50, id: "0123456789abcdef", now: 1_000, ...more });

describe("sparing the person a question", () => {
  it("grants exactly the values that were always allowed, for thirty days, for the tool as it is pinned", () => {
    const made = apply([
      entry("allowed", { args: { to: "ada", body: "one" } }),
      entry("allowed", { args: { to: "ada", body: "two" } }),
      entry("allowed", { args: { to: "ada", body: "three" } }),
    ]);
    if (!made || !("grant" in made)) throw new Error("No grant was made.");
    const { grant } = made;
    expect(grant).toMatchObject({ scope: "values", expiresAt: 1_000 + SPARED_MS, principalKey: principalKey(SITE) });
    expect(answers(grant, question({ argumentsText: '{"to":"ada","body":"four"}' }))).toBe(true);
    expect(answers(grant, question({ argumentsText: '{"to":"eve","body":"one"}' }))).toBe(false);
    expect(answers(grant, question({ argumentsText: '{"to":"ada","bcc":"eve"}' }))).toBe(false);
    expect(answers(grant, question({ argumentsText: '{"to":"ada"}', pinText: '{"x":1}' }))).toBe(false);
    expect(answers(grant, question({ argumentsText: '{"to":"ada"}', rules: ["r9"] }))).toBe(false);
  });

  it("denies by a rule what was always denied: this tool of this server for this site, and nothing else", () => {
    const framed = { ...SITE, topSite: "https://top.example" };
    const made = apply(three("denied", { principal: framed }), { priority: 70 });
    if (!made || !("rule" in made)) throw new Error("No rule was made.");
    expect(made.rule).toMatchObject({
      verdict: "deny",
      priority: 70,
      when: { origin: [SITE.origin], topSite: ["https://top.example"], server: ["s1"], tool: ["send"] },
    });
    expect(parseRule(made.rule).problems).toEqual([]);
  });

  it.each<[string, ReturnType<typeof apply>]>([
    ["nothing was asked", apply([])],
    ["the answers differ", apply([...three("allowed"), entry("denied")])],
    ["it was asked twice only", apply(three("denied").slice(1))],
    ["the tool changed or is not pinned", apply(three("allowed"), { pinText: undefined })],
    ["no value was always the same", apply([1, 2, 3].map((n) => entry("allowed", { args: { n } })))],
    [
      "the session had read something that nobody vouches for",
      apply(three("allowed", { rules: ["flow:untrusted-write"] })),
    ],
    [
      "a value holds a secret",
      apply(three("allowed", { findings: [{ kind: "secret", type: "s", path: "/arguments/to" }] })),
    ],
    ["a value is a page of text", apply(three("allowed", { args: { to: "x".repeat(3_000) } }))],
    ["a rule would speak of other tools too", apply(three("denied", { tool: "send_*" }))],
  ])("does nothing where %s", (_why, made) => {
    expect(made).toBeUndefined();
  });
});
