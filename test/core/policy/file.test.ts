import { describe, expect, it } from "vitest";
import { policyOfFile, policyToFile, type ReadFile, readPolicyFile } from "../../../src/core/policy/file.ts";
import type { Rule } from "../../../src/core/policy/policy.ts";

const MAIL = { id: "s1", name: "mail", url: "https://mcp.example.org/mcp", trust: "trusted" } as const;
const RULE: Rule = {
  id: "a",
  verdict: "deny",
  priority: 50,
  on: ["request"],
  when: { server: ["s1"], tool: ["send"] },
  mode: "enforce",
};
const HEAD = { default: { read: "ask", other: "deny" }, profile: "strict" } as const;
const FILE = policyToFile({ head: HEAD, rules: [RULE] }, [MAIL]);

function whole(text: string): ReadFile {
  const file = readPolicyFile(text);
  if ("problems" in file) throw new Error(JSON.stringify(file.problems));
  return file;
}

describe("a policy file", () => {
  it("names servers and holds no id of this browser's", () => {
    expect(FILE).not.toContain("s1");
    expect(JSON.parse(FILE)).toMatchObject({
      navra: 1,
      servers: [{ name: "mail", url: MAIL.url, trust: "trusted" }],
      policy: { default: HEAD.default, rules: [{ when: { server: ["mail"] } }] },
    });
  });

  it("comes back with the ids its servers have there", () => {
    const file = whole(FILE);
    expect(file.servers).toEqual([{ name: "mail", url: MAIL.url, trust: "trusted" }]);
    expect(policyOfFile(file, [{ name: "mail", id: "elsewhere" }])).toEqual({
      policy: { head: HEAD, rules: [{ ...RULE, when: { ...RULE.when, server: ["elsewhere"] } }] },
    });
  });

  it.each([
    ["records", { records: [] }],
    ["grants", { grants: [] }],
    ["pins", { pins: [] }],
    ["a managed policy", { managed: { version: 1, rules: [] } }],
  ])("never brings %s", (_what, more) => {
    expect(readPolicyFile(JSON.stringify({ ...JSON.parse(FILE), ...more }))).toMatchObject({ problems: [{}] });
  });

  it.each([
    ["not JSON", "{"],
    ["of somebody else", "{}"],
    ["a list", "[]"],
    ["with a server that brings more than its address", FILE.replace('"trust":', '"token": "x", "trust":')],
    [
      "with two servers of one name",
      FILE.replace(
        '"servers": [',
        `"servers": [${JSON.stringify({ name: "mail", url: "https://b.example/", trust: "trusted" })},`,
      ),
    ],
  ])("is refused when it is %s", (_what, text) => {
    expect(readPolicyFile(text)).toHaveProperty("problems.0.message");
  });

  it.each([
    ["its rules", FILE.replace('"tool":', '"tol":'), "/policy/rules/0/when/tol"],
    ["its default row", FILE.replace('"other": "deny"', '"other": "maybe"'), "/policy/default/other"],
  ])("tells what is wrong with %s", (_what, text, path) => {
    expect(policyOfFile(whole(text), [{ name: "mail", id: "x" }])).toMatchObject({ problems: [{ path }] });
  });
});
