/** A rule made in the popup is narrow and counts before what was there. */
import { describe, expect, it } from "vitest";
import type { Rule } from "../../../src/core/policy/policy.ts";
import { newRule, type RuleDraft } from "../../../src/ui/popup/new-rule.ts";

const DRAFT: RuleDraft = { verdict: "deny", serverId: "s1", tool: "send_email", origin: "https://chat.example" };

function existing(priority: number): Rule {
  return { id: "r", verdict: "allow", priority, on: ["request"], when: {}, mode: "enforce" };
}

describe("a new rule of the popup", () => {
  it("names the site, the server and the tool, and judges requests", () => {
    expect(newRule("new", DRAFT, [])).toEqual({
      id: "new",
      verdict: "deny",
      priority: 50,
      on: ["request"],
      when: { origin: ["https://chat.example"], server: ["s1"], tool: ["send_email"] },
      mode: "enforce",
    });
  });

  it("leaves out what it does not narrow, because an empty list is an error", () => {
    expect(newRule("new", { ...DRAFT, tool: "", origin: undefined }, []).when).toEqual({ server: ["s1"] });
  });

  it("goes before every rule that applies here", () => {
    expect(newRule("new", DRAFT, [existing(10), existing(80)]).priority).toBe(81);
    expect(newRule("new", DRAFT, [existing(10)]).priority).toBe(50);
  });

  it("stays within the highest priority there is", () => {
    expect(newRule("new", DRAFT, [existing(1000)]).priority).toBe(1000);
  });
});
