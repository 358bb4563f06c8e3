/** Lints, beside the servers and tools there are. */
import { describe, expect, it } from "vitest";
import { type Live, lint } from "../../../src/core/policy/lint.ts";
import type { Rule } from "../../../src/core/policy/policy.ts";
import type { JsonObject } from "../../../src/core/wire/json.ts";
import { rule } from "./fixtures.ts";

const tool = (name: string, inputSchema: JsonObject) => ({ name, value: { name, inputSchema }, text: "" });
const LIVE: Live = {
  servers: [
    { id: "s1", name: "mail" },
    { id: "s2", name: "files" },
  ],
  catalogues: [
    {
      serverId: "s1",
      tools: [
        tool("send_mail", {
          type: "object",
          properties: {
            to: { type: "string" },
            count: { type: "integer" },
            kind: { enum: ["html", "text"] },
            attachments: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
          },
        }),
        tool("list_mail", { type: "object", properties: { folder: { type: "string" } } }),
      ],
    },
    { serverId: "s2", tools: [tool("anything", { type: "object" })] },
  ],
  now: 1_796_000_000_000,
};

function kinds(...rules: readonly Partial<Rule>[]): readonly string[] {
  return lint({ rules: rules.map((one, at) => rule({ id: `r${at}`, ...one })) }, LIVE).map(
    ({ kind, rule: id, path }) => `${kind} ${id}${path}`,
  );
}

describe("names", () => {
  it("of servers that are gone are told", () => {
    expect(kinds({ when: { server: ["s1", "s9"] } })).toEqual(["unknown-server r0/when/server/1"]);
  });

  it("of servers that are gone are told wherever a rule names one", () => {
    expect(kinds({ when: { after: { server: ["s9"], within: "5min" }, labels: { sources: ["s8"] } } })).toEqual([
      "unknown-server r0/when/after/server/0",
      "unknown-server r0/when/labels/sources/0",
    ]);
    expect(kinds({ when: { labels: { sources: "other" } } })).toEqual([]);
  });

  it("of tools that went before are looked for where the rule says", () => {
    const after = { server: ["s1"], tool: ["send_mial", "send_*"], within: "5min" };
    expect(kinds({ when: { after } })).toEqual(["unknown-tool r0/when/after/tool/0"]);
  });

  it("of tools that no server lists are told, with the nearest one", () => {
    const [found] = lint({ rules: [rule({ when: { server: ["s1"], tool: ["send_mial"] } })] }, LIVE);
    expect(found).toMatchObject({ kind: "unknown-tool", remedy: "Did you mean “send_mail”?" });
  });

  it("with a star are fine when they fit one tool", () => {
    expect(kinds({ when: { tool: ["send_*"] } })).toEqual([]);
    expect(kinds({ when: { tool: ["delete_*"] } })).toEqual(["unknown-tool r0/when/tool/0"]);
  });

  it("of tools are not doubted while a server was never listed", () => {
    const rules = [rule({ when: { tool: ["x"] } })];
    expect(lint({ rules }, { ...LIVE, catalogues: LIVE.catalogues.slice(0, 1) })).toEqual([]);
  });
});

describe("arguments", () => {
  const at = (pointer: string, condition: NonNullable<Rule["when"]["args"]>[string]) =>
    kinds({ when: { server: ["s1"], tool: ["send_mail"], args: { [pointer]: condition } } });

  it("that no tool has are told, with the nearest one", () => {
    expect(at("/too", { exists: true })).toEqual(["unknown-argument r0/when/args/~1too"]);
    expect(at("/attachments/0/nam", { exists: true })).toHaveLength(1);
    expect(at("/to/deep", { exists: true })).toHaveLength(1);
  });

  it("that tools have are fine, at any depth", () => {
    expect(at("/attachments/0/name", { pattern: "x" })).toEqual([]);
    expect(at("", { exists: true })).toEqual([]);
  });

  it("are not doubted where a tool takes anything", () => {
    expect(kinds({ when: { args: { "/whatever": { exists: true } } } })).toEqual([]);
  });

  it("that no tool could be given are told", () => {
    expect(at("/count", { equals: "5" })).toEqual(["impossible-argument r0/when/args/~1count"]);
    expect(at("/kind", { equals: "pdf" })).toEqual(["impossible-argument r0/when/args/~1kind"]);
    expect(at("/count", { path: { inside: ["/"] } })).toEqual(["impossible-argument r0/when/args/~1count"]);
    expect(at("/count", { equals: 5 })).toEqual([]);
    expect(at("/kind", { equals: "html" })).toEqual([]);
  });
});

describe("a rule beside others", () => {
  it("with a rate may decide before one that asks beside it, and never before a higher one", () => {
    const few = { verdict: "allow", when: { tool: ["send_*"] }, do: { rate: "1/min" } } as const;
    const ask = { verdict: "ask", when: { tool: ["send_*"] }, do: { rate: "1/min" } } as const;
    expect(kinds(ask, few)).not.toContain("never-decides r1");
    expect(kinds({ ...ask, priority: 1 }, few)).toContain("never-decides r1");
  });

  it("that another one always outranks never decides", () => {
    expect(
      kinds({ priority: 1, when: { server: ["s1"] } }, { verdict: "ask", when: { server: ["s1"], tool: ["send_*"] } }),
    ).toEqual(["never-decides r1"]);
  });

  it("that still takes something out does not count as idle", () => {
    expect(
      kinds(
        { priority: 1, when: { server: ["s1"] } },
        { verdict: "ask", when: { server: ["s1"] }, do: { redact: ["secret"] } },
      ),
    ).toEqual([]);
  });

  it("that says the same again is told once", () => {
    expect(kinds({ when: { server: ["s1"] } }, { when: { server: ["s1"] } })).toEqual(["repeated r1"]);
  });

  it("that takes a denial away is told, and so is the denial", () => {
    expect(
      kinds({ when: { server: ["s1"] } }, { verdict: "allow", priority: 5, when: { server: ["s1", "s2"] } }),
    ).toEqual(["never-decides r0", "cancels r1/priority"]);
  });
});

describe("a rule alone", () => {
  it.each<readonly [string, Partial<Rule>, string]>([
    ["a day that is over", { expires: "2026-11-28" }, "never-matches r0/expires"],
    [
      "a tool where only prompts are meant",
      { on: ["list"], when: { tool: ["a*"], method: ["prompts/*"] } },
      "never-matches r0/when/tool",
    ],
    ["a prompt under tools/call", { when: { prompt: ["a"], method: ["tools/call"] } }, "never-matches r0/when/prompt"],
    [
      "a tool that a server asks for",
      { when: { direction: "back", tool: ["send_mail"] } },
      "never-matches r0/when/direction",
    ],
    [
      "a reading tool that says it writes",
      { when: { class: ["read"], annotations: { readOnlyHint: false } } },
      "never-matches r0/when/annotations",
    ],
    ["a tool that is none", { when: { tool: ["send_mail"], pin: ["none"] } }, "never-matches r0/when/pin"],
    [
      "a value below one that must not be",
      { when: { args: { "/a": { exists: false }, "/a/b": { equals: 1 } } } },
      "never-matches r0/when/args/~1a~1b",
    ],
    [
      "an old method in the new era",
      { when: { era: "modern", method: ["logging/setLevel"] } },
      "never-matches r0/when/era",
    ],
    ["a question before everything", { verdict: "ask" }, "always-asks r0/when"],
    ["an allowance of everything", { verdict: "allow" }, "widens r0/when"],
  ])("with %s is told", (_, one, wanted) => expect(kinds(one)).toEqual([wanted]));

  it("that is switched off is left alone", () => {
    expect(kinds({ verdict: "allow", mode: "off" })).toEqual([]);
  });
});
