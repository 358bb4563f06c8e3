import { describe, expect, it } from "vitest";
import type { DeclarativeNetRequest } from "webextension-polyfill";
import { createFence, FENCE_IDS, fenceRules } from "../../../src/platform/worker/fence.ts";
import { createRuleSet, type RulesApi } from "../../../src/platform/worker/rule-set.ts";

type Rule = DeclarativeNetRequest.Rule;

function fakeApi(standing: Rule[] = []) {
  const changes: { removeRuleIds: number[]; addRules: Rule[] }[] = [];
  let rules = standing;
  let failure: Error | undefined;
  const api: RulesApi = {
    ResourceType: { XMLHTTPREQUEST: "xmlhttprequest", WEBSOCKET: "websocket", MAIN_FRAME: "main_frame" },
    isRegexSupported: async () => ({ isSupported: true }),
    getDynamicRules: async () => structuredClone(rules),
    updateDynamicRules: async (change) => {
      if (failure) throw failure;
      changes.push(change);
      rules = [...rules.filter(({ id }) => !change.removeRuleIds.includes(id)), ...change.addRules];
    },
  };
  return {
    api,
    changes,
    rules: () => rules,
    fail: (error: Error | undefined) => {
      failure = error;
    },
  };
}

describe("the fence's rules", () => {
  const input = { ownHost: "own", resourceTypes: ["xmlhttprequest", "websocket"] as const };

  it("block all our own traffic while nothing is registered", () => {
    expect(fenceRules({ ...input, origins: [] })).toEqual([
      {
        id: 1000,
        priority: 1,
        action: { type: "block" },
        condition: {
          initiatorDomains: ["own"],
          resourceTypes: ["xmlhttprequest", "websocket"],
          regexFilter: "^(https?|wss?)://",
        },
      },
    ]);
  });

  it.each([
    ["https://mcp.example", "xmlhttprequest", ["|https://mcp.example/"]],
    ["https://mcp.example:8443", "xmlhttprequest", ["|https://mcp.example:8443/"]],
    ["http://127.0.0.1:3001", "xmlhttprequest", ["|http://127.0.0.1:3001/"]],
    ["http://[::1]:3001", "xmlhttprequest", ["|http://[::1]:3001/"]],
    ["wss://mcp.example", "websocket", ["|wss://mcp.example/", "|https://mcp.example/"]],
    ["ws://localhost:3001", "websocket", ["|ws://localhost:3001/", "|http://localhost:3001/"]],
  ])("let requests to %s through as %s only, and to nothing that only begins like it", (origin, type, filters) => {
    const [block, ...allowed] = fenceRules({ ...input, origins: [origin] });
    expect(allowed).toEqual(
      filters.map((urlFilter, index) => ({
        id: 1001 + index,
        priority: 2,
        action: { type: "allow" },
        condition: { initiatorDomains: ["own"], resourceTypes: [type], urlFilter },
      })),
    );
    expect(allowed.every(({ priority }) => (priority ?? 0) > (block?.priority ?? 0))).toBe(true);
  });

  it("take the Origin header from our requests to the origins that are named so, and from no others", () => {
    const rules = fenceRules({
      ...input,
      origins: ["https://a.example", "https://b.example"],
      withoutOrigin: ["https://b.example"],
    });
    expect(rules.filter(({ action }) => action.type === "modifyHeaders")).toEqual([
      {
        id: 1003,
        priority: 3,
        action: { type: "modifyHeaders", requestHeaders: [{ header: "origin", operation: "remove" }] },
        condition: { initiatorDomains: ["own"], resourceTypes: ["xmlhttprequest"], urlFilter: "|https://b.example/" },
      },
    ]);
  });

  it("are the same whatever the order and number of the origins", () => {
    const sorted = fenceRules({ ...input, origins: ["https://a.example", "https://b.example"] });
    expect(fenceRules({ ...input, origins: ["https://b.example", "https://a.example", "https://b.example"] })).toEqual(
      sorted,
    );
    expect(new Set(sorted.map(({ id }) => id)).size).toBe(3);
  });
});

describe("the fence", () => {
  it("leaves whole tabs out: a page that the person had opened is no traffic of ours", async () => {
    const { api, rules } = fakeApi();
    await createFence(createRuleSet(api, FENCE_IDS), "own").update(["https://a.example"]);
    for (const { condition } of rules()) expect(condition.resourceTypes).not.toContain("main_frame");
  });

  it("replaces its own rules at once and leaves others alone", async () => {
    const other: Rule = { id: 5, action: { type: "block" }, condition: { urlFilter: "x" } };
    const { api, changes, rules } = fakeApi([other]);
    const fence = createFence(createRuleSet(api, FENCE_IDS), "own");
    await fence.update(["https://a.example"]);
    await fence.update(["https://b.example"]);
    expect(changes[1]?.removeRuleIds).toEqual([1000, 1001]);
    expect(rules().map(({ id, condition }) => [id, condition.urlFilter])).toEqual([
      [5, "x"],
      [1000, undefined],
      [1001, "|https://b.example/"],
    ]);
    expect(rules()[1]?.condition.resourceTypes).toEqual(["xmlhttprequest", "websocket"]);
  });

  it("does not touch rules that stand already", async () => {
    const { api, changes } = fakeApi();
    await createFence(createRuleSet(api, FENCE_IDS), "own").update(["https://a.example"]);
    await createFence(createRuleSet(api, FENCE_IDS), "own").update(["https://a.example"]);
    expect(changes.length).toBe(1);
  });

  it("knows its rules again as Firefox gives them back, with null for what is absent", async () => {
    const nulls = { urlFilter: null, regexFilter: null, excludedInitiatorDomains: null };
    const { api, changes, rules } = fakeApi();
    await createFence(createRuleSet(api, FENCE_IDS), "own").update(["https://a.example"]);
    const given = rules().map((rule) => ({ ...rule, condition: { ...nulls, ...rule.condition } })) as unknown as Rule[];
    await createFence(createRuleSet({ ...api, getDynamicRules: async () => given }, FENCE_IDS), "own").update([
      "https://a.example",
    ]);
    expect(changes.length).toBe(1);
  });

  it("ends with the rules of the last update when several come at once", async () => {
    const { api, rules } = fakeApi();
    const fence = createFence(createRuleSet(api, FENCE_IDS), "own");
    await Promise.all([fence.update(["https://a.example"]), fence.update([]), fence.update(["https://c.example"])]);
    expect(rules().map(({ condition }) => condition.urlFilter)).toEqual([undefined, "|https://c.example/"]);
  });

  it("answers in code what its rules say", async () => {
    const fence = createFence(createRuleSet(fakeApi().api, FENCE_IDS), "own");
    expect(fence.allows("https://a.example/mcp")).toBe(false);
    await fence.update(["https://a.example", "ws://localhost:3001"]);
    const asked = [
      "https://a.example/mcp",
      "ws://localhost:3001/x",
      "http://a.example/",
      "https://a.example.org/",
      "a",
    ];
    expect(asked.map((url) => fence.allows(url))).toEqual([true, true, false, false, false]);
  });

  it("reports a browser that refuses, and works again afterwards", async () => {
    const { api, fail, rules } = fakeApi();
    const fence = createFence(createRuleSet(api, FENCE_IDS), "own");
    fail(new Error("quota"));
    await expect(fence.update([])).rejects.toThrow("quota");
    fail(undefined);
    await fence.update([]);
    expect(rules().length).toBe(1);
  });

  it("refuses more servers than it has rules for, and leaves what stands", async () => {
    const { api, rules } = fakeApi();
    const fence = createFence(createRuleSet(api, FENCE_IDS), "own");
    await fence.update([]);
    const many = Array.from({ length: FENCE_IDS.last - FENCE_IDS.first }, (_, n) => `https://s${n}.example`);
    await expect(fence.update(many)).rejects.toThrow("Too many servers");
    expect(rules().length).toBe(1);
  });

  it("takes what was looked up before it was needed, and later looks again", async () => {
    const { api, changes } = fakeApi();
    let reads = 0;
    const getDynamicRules = async () => {
      reads += 1;
      return api.getDynamicRules();
    };
    const fence = createFence(createRuleSet({ ...api, getDynamicRules }, FENCE_IDS), "own");
    fence.look();
    expect(reads).toBe(1);
    await fence.update(["https://a.example"]);
    expect([reads, changes.length]).toEqual([1, 1]);
    await fence.update(["https://a.example"]);
    expect([reads, changes.length]).toEqual([2, 1]);
  });

  it("looks again where the early look failed", async () => {
    const { api, rules } = fakeApi();
    const answers = [() => Promise.reject(new Error("busy"))];
    const getDynamicRules = () => (answers.shift() ?? api.getDynamicRules)();
    const fence = createFence(createRuleSet({ ...api, getDynamicRules }, FENCE_IDS), "own");
    fence.look();
    await fence.update(["https://a.example"]);
    expect(rules().length).toBe(2);
  });

  it("does not ask whether there is room for a pattern that stands", async () => {
    const standing: Rule = { id: 2000, action: { type: "block" }, condition: { regexFilter: "^stands$" } };
    const { api } = fakeApi([standing]);
    const asked: string[] = [];
    const isRegexSupported = async ({ regex }: { regex: string }) => {
      asked.push(regex);
      return { isSupported: false };
    };
    const set = createRuleSet({ ...api, isRegexSupported }, FENCE_IDS);
    set.look();
    expect([await set.takes("^stands$"), await set.takes("^new$")]).toEqual([true, false]);
    expect(asked).toEqual(["^new$"]);
  });

  it("names the types that both browsers know where the browser has no table", async () => {
    const { api, rules } = fakeApi();
    const { ResourceType: _table, ...bare } = api;
    await createFence(createRuleSet(bare, FENCE_IDS), "own").update([]);
    expect(rules()[0]?.condition.resourceTypes).toContain("xmlhttprequest");
  });
});
