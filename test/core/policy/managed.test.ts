import { describe, expect, it } from "vitest";
import { compile } from "../../../src/core/policy/compile.ts";
import { decide } from "../../../src/core/policy/decide.ts";
import { managedLayer, readManaged } from "../../../src/core/policy/managed.ts";
import { facts } from "./fixtures.ts";

const MAIL = { id: "s1", name: "mail", url: "https://mcp.example.org/mcp" };
const rule = (more: object = {}) => ({ id: "r", verdict: "deny", on: ["request"], when: { tool: ["send"] }, ...more });
const text = (...rules: readonly object[]) => JSON.stringify({ version: 1, rules }, null, 2);
const read = (policy: string | null, servers = [MAIL]) => readManaged({ text: policy }, servers);

describe("a managed policy", () => {
  it("is none where none is set", () => {
    expect(readManaged(null, [MAIL])).toEqual({ state: "none" });
  });

  it("is in force when it has no problem, an empty one too", () => {
    expect(read(text())).toEqual({ state: "in-force", rules: [] });
    expect(read(text(rule()))).toMatchObject({ state: "in-force", rules: [{ id: "r", verdict: "deny" }] });
  });

  it.each([
    ["not a text", null],
    ["not JSON", "{"],
    ["empty", ""],
    ["a list", "[]"],
    ["of another version", '{"version":2,"rules":[]}'],
    ["without rules", '{"version":1}'],
    [
      "with a default row, which it has no say in",
      '{"version":1,"default":{"read":"allow","other":"allow"},"rules":[]}',
    ],
    ["with one bad rule among good ones", text(rule(), rule({ id: "b", verdct: "deny" }))],
    ["with a name written twice", '{"version":1,"rules":[],"rules":[]}'],
  ])("is unreadable when it is %s, and then everything is denied", (_what, policy) => {
    const state = read(policy);
    expect(state.state).toBe("unreadable");
    for (const tool of ["send", "anything"]) {
      const decision = decide(compile([], { managed: managedLayer(state) }), facts({ tool, class: "read" }));
      expect(decision).toMatchObject({ verdict: "deny", reasons: [{ rule: "managed:*" }] });
    }
  });

  it("says in which line it is wrong", () => {
    expect(read(text(rule({ verdct: "deny" })))).toMatchObject({ problems: [{ path: "/rules/0/verdct", line: 15 }] });
  });

  it("finds a server by its address, however it is spelled, or by its name", () => {
    for (const server of ["https://mcp.example.org/mcp", "HTTPS://MCP.example.org:443/mcp", "mail"]) {
      expect(read(text(rule({ when: { server: [server] } })))).toMatchObject({ rules: [{ when: { server: ["s1"] } }] });
    }
  });

  it("finds it wherever a rule names a server, and by one text as in a list of one", () => {
    const url = "https://mcp.example.org/mcp";
    for (const server of [url, [url]]) {
      const when = { server, after: { server, within: "5min" }, labels: { sources: server } };
      expect(read(text(rule({ when })))).toMatchObject({
        rules: [{ when: { server: ["s1"], after: { server: ["s1"] }, labels: { sources: ["s1"] } } }],
      });
    }
    expect(read(text(rule({ when: { labels: { sources: "other" } } })))).toMatchObject({
      rules: [{ when: { labels: { sources: "other" } } }],
    });
  });

  it("keeps a rule of a server that nobody added, which then matches nothing", () => {
    const state = read(text(rule({ when: { server: ["https://other.example/mcp"] } })));
    expect(
      decide(compile([], { managed: managedLayer(state) }), facts({ serverId: "s1", class: "read" })).verdict,
    ).toBe("allow");
  });

  it("narrows what the person allows and never widens what the person denies", () => {
    const allow = { managed: managedLayer(read(text(rule({ verdict: "allow" })))) };
    const deny = { managed: managedLayer(read(text(rule()))) };
    const mine = (verdict: "allow" | "deny") => ({ ...rule({ verdict }), priority: 0, mode: "enforce" }) as never;
    expect(decide(compile([mine("deny")], allow), facts({ tool: "send" })).verdict).toBe("deny");
    expect(decide(compile([mine("allow")], deny), facts({ tool: "send" })).verdict).toBe("deny");
  });
});
