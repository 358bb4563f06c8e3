import { describe, expect, it } from "vitest";
import {
  createGuard,
  endpointOf,
  endpointPatterns,
  GUARD_IDS,
  guardRules,
} from "../../../src/platform/worker/guard.ts";
import type { Rule, RuleSet } from "../../../src/platform/worker/rule-set.ts";

const TYPES = ["main_frame", "sub_frame", "xmlhttprequest", "websocket", "image"] as const;

function rules(...endpoints: readonly string[]) {
  const written = endpoints.map((address) => ({ address, filter: { urlFilter: address } }));
  return guardRules({ ownHost: "own", endpoints: written, resourceTypes: TYPES });
}

describe("the guard's rules", () => {
  it("stop everything that a page sends to an endpoint, but not the tab that a person opens there, nor us", () => {
    const [within, whole] = rules("https://mcp.example/mcp");
    expect(within).toMatchObject({
      id: GUARD_IDS.first,
      action: { type: "block" },
      condition: {
        excludedInitiatorDomains: ["own", "mcp.example"],
        resourceTypes: ["sub_frame", "xmlhttprequest", "websocket", "image"],
      },
    });
    expect(within?.condition.requestMethods).toBeUndefined();
    expect(whole).toMatchObject({
      id: GUARD_IDS.first + 1,
      condition: { resourceTypes: ["main_frame"], requestMethods: ["post", "put", "patch", "delete"] },
    });
  });

  it("take no name on this computer for the server's own pages", () => {
    expect(rules("http://localhost:3001/mcp")[0]?.condition.excludedInitiatorDomains).toEqual(["own"]);
  });

  it("are none for none", () => expect(rules()).toEqual([]));
});

describe("a guard", () => {
  function setUp(takes: (pattern: string) => boolean = () => true) {
    const became: (readonly Rule[])[] = [];
    const set: RuleSet = {
      resourceTypes: TYPES,
      look: () => undefined,
      takes: async (pattern) => takes(pattern),
      become: async (wanted) => void became.push(wanted),
    };
    return { set, became, guard: createGuard(set, "own") };
  }

  it("has two rules for each address, the same whatever the order and number", async () => {
    const { guard, became } = setUp();
    await guard.update(["https://a.example/mcp", "https://b.example/mcp"]);
    await guard.update(["https://b.example/mcp", "https://a.example/mcp", "https://b.example/mcp"]);
    await guard.update([]);
    expect(became[0]).toHaveLength(4);
    expect(became[1]).toEqual(became[0]);
    expect(became[2]).toEqual([]);
  });

  it("takes the best pattern that the browser has room for, and else the address as it is written", async () => {
    const address = "https://mcp.example:8443/mcp";
    const [spelt = "", plain = ""] = endpointPatterns(new URL(address));
    expect(spelt.length).toBeGreaterThan(plain.length);
    const chosen = async (takes: (pattern: string) => boolean) => (await endpointOf(address, setUp(takes).set)).filter;
    expect(await chosen(() => true)).toEqual({ regexFilter: spelt });
    expect(await chosen((pattern) => pattern !== spelt)).toEqual({ regexFilter: plain });
    expect(await chosen(() => false)).toEqual({ urlFilter: "||mcp.example:8443/mcp" });
  });
});

describe("the pattern of an endpoint", () => {
  const matches = (endpoint: string, address: string): boolean =>
    // Network rules ignore case unless they say otherwise.
    new RegExp(endpointPatterns(new URL(endpoint))[0] ?? "", "i").test(new URL(address).href);

  it.each([
    ["https://mcp.example/mcp", "https://mcp.example/mcp"],
    ["https://mcp.example/mcp", "https://mcp.example/mcp/"],
    ["https://mcp.example/mcp", "https://mcp.example/mcp?session=1"],
    ["https://mcp.example/mcp", "https://mcp.example/mcp/messages"],
    ["https://mcp.example/mcp", "https://mcp.example//mcp"],
    ["https://mcp.example/mcp", "https://mcp.example/x/%2e%2e/mcp"],
    ["https://mcp.example/mcp", "https://mcp.example/%6Dcp"],
    ["https://mcp.example/mcp", "https://mcp.example/MCP"],
    ["https://mcp.example/mcp", "https://mcp.example./mcp"],
    ["https://mcp.example/mcp", "https://MCP.example:443/mcp"],
    ["https://mcp.example/mcp", "wss://mcp.example/mcp"],
    ["https://mcp.example/", "https://mcp.example/?x"],
    ["http://127.0.0.1:3001/mcp", "http://localhost:3001/mcp"],
    ["http://127.0.0.1:3001/mcp", "http://0x7f.1:3001/mcp"],
    ["http://127.0.0.1:3001/mcp", "http://[::ffff:127.0.0.1]:3001/mcp"],
    ["http://127.0.0.1:3001/mcp", "http://rebound.evil.example:3001/mcp"],
    ["http://localhost/mcp", "http://127.0.0.1/mcp"],
    ["http://localhost/mcp", "http://foo.localhost/mcp"],
    ["http://localhost/mcp", "http://0.0.0.0/mcp"],
    ["ws://localhost:3001/mcp", "http://localhost:3001/mcp"],
  ])("%s is met by %s", (endpoint, address) => expect(matches(endpoint, address)).toBe(true));

  it.each([
    ["https://mcp.example/mcp", "https://mcp.example/"],
    ["https://mcp.example/mcp", "https://mcp.example/mcpx"],
    ["https://mcp.example/mcp", "https://mcp.example/docs/mcp"],
    ["https://mcp.example/mcp", "https://www.mcp.example/mcp"],
    ["https://mcp.example/mcp", "https://mcpxexample/mcp"],
    ["https://mcp.example/mcp", "https://other.example/?https://mcp.example/mcp"],
    ["https://mcp.example/mcp", "https://mcp.example:8443/mcp"],
    ["https://mcp.example/", "https://mcp.example/login"],
    ["http://127.0.0.1:3001/mcp", "http://127.0.0.1:3000/mcp"],
    ["http://127.0.0.1:3001/mcp", "http://127.0.0.1:3001/"],
    ["http://localhost/mcp", "http://news.example/mcp"],
    ["http://localhost/mcp", "http://localhost.example/mcp"],
  ])("%s is not met by %s", (endpoint, address) => expect(matches(endpoint, address)).toBe(false));
});
