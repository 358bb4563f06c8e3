/** Each preset does what its sentence says, clause by clause. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../src/core/policy/compile.ts";
import { decide } from "../../../src/core/policy/decide.ts";
import { parseDocument } from "../../../src/core/policy/document.ts";
import { lint } from "../../../src/core/policy/lint.ts";
import type { Facts, Verdict } from "../../../src/core/policy/policy.ts";
import { PRESETS, type Preset } from "../../../src/core/policy/presets.ts";
import { facts } from "./fixtures.ts";

const SECRET = { kind: "secret", type: "secret.link-key", path: "/a", start: 0, end: 1, confidence: "high" } as const;
const HIDDEN = { ...SECRET, kind: "hidden-text", type: "hidden-text.tag" } as const;
const ELSEWHERE = { integrity: "trusted", confidentiality: "public", sources: ["s2"] } as const;
const OUTSIDE = { ...ELSEWHERE, integrity: "untrusted" } as const;
const LOCAL = { origin: "http://localhost:5173", topSite: "http://localhost:5173" };
const EMBEDDED = { topSite: "https://other.example" };

function verdict(id: Preset["id"], changes: Partial<Facts>): Verdict {
  const preset = PRESETS.find((one) => one.id === id);
  if (!preset) throw new Error("There is no such preset.");
  const { rules, default: row } = preset.document;
  return decide(compile(rules, { default: row }), facts(changes)).verdict;
}

type Row = readonly [says: string, changes: Partial<Facts>, verdict: Verdict];

const COMMON: readonly Row[] = [
  ["a secret leaves", { class: "read", findings: [SECRET] }, "deny"],
  ["a secret leaves in a resource's address", { method: "resources/read", findings: [SECRET] }, "deny"],
  ["an answer over 5 MB", { phase: "reply", bytes: 5_000_001 }, "deny"],
  ["an answer of 5 MB", { phase: "reply", bytes: 5_000_000 }, "allow"],
];

const SAYS: Readonly<Record<Preset["id"], readonly Row[]>> = {
  careful: [
    ["a tool that reads", { class: "read" }, "allow"],
    ["a tool that writes", { class: "write" }, "ask"],
    ["a tool that sends", { class: "external" }, "ask"],
    ["data of another server into a write", { class: "write", labels: ELSEWHERE }, "ask"],
    ["a page of this computer", { ...LOCAL, class: "write" }, "ask"],
    ...COMMON,
  ],
  "read-only": [
    ["a tool that reads", { class: "read" }, "allow"],
    ["a tool that writes", { class: "write" }, "deny"],
    ["a tool that sends", { class: "external", labels: OUTSIDE }, "deny"],
    ["an answer over 5 MB", { phase: "reply", bytes: 5_000_001 }, "deny"],
  ],
  "local-development": [
    ["a page of this computer writes", { ...LOCAL, class: "write" }, "allow"],
    [
      "a page of this computer sends what another server said",
      { ...LOCAL, class: "external", labels: OUTSIDE },
      "allow",
    ],
    ["a page of this computer sends a secret", { ...LOCAL, class: "external", findings: [SECRET] }, "deny"],
    ["a frame of this computer in another site", { ...LOCAL, topSite: "https://x.example", class: "write" }, "ask"],
    ["another site writes", { class: "write" }, "ask"],
    ["another site reads", { class: "read" }, "allow"],
    ...COMMON,
  ],
  strict: [
    ["a tool that reads", { class: "read" }, "ask"],
    ["a tool that writes", { class: "write" }, "deny"],
    ["a tool that sends", { class: "external" }, "deny"],
    ["an embedded site reads", { ...EMBEDDED, class: "read" }, "deny"],
    ["an embedded site lists", { ...EMBEDDED, method: "tools/list" }, "deny"],
    ["an answer with a secret", { phase: "reply", findings: [SECRET] }, "deny"],
    ["an answer over 1 MB", { phase: "reply", bytes: 1_000_001 }, "deny"],
    ["an answer of 1 MB", { phase: "reply", bytes: 1_000_000 }, "allow"],
  ],
};

describe.each(PRESETS)("$name", ({ id, document }) => {
  it.each(SAYS[id])("judges: %s", (_, changes, wanted) => expect(verdict(id, changes)).toBe(wanted));

  it("can be saved, and is linted clean", () => {
    expect(parseDocument(document)).toEqual({ document, problems: [] });
    expect(lint(document, { servers: [], catalogues: [] })).toEqual([]);
  });

  it("takes hidden text out of answers", () => {
    const policy = compile(document.rules, { default: document.default });
    expect(decide(policy, facts({ phase: "reply", findings: [HIDDEN] })).redact).toContain("hidden-text");
  });
});

it("asks once at a time in Strict, and remembers nothing", () => {
  const strict = PRESETS.find(({ id }) => id === "strict")?.document;
  const decision = decide(compile(strict?.rules ?? [], { default: strict?.default }), facts({ class: "read" }));
  expect(decision.grant).toBe("once");
});
