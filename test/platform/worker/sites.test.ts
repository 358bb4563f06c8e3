import { describe, expect, it } from "vitest";
import type { Tabs } from "webextension-polyfill";
import { createSites, isSessionsAlarm } from "../../../src/platform/worker/sites.ts";

const SITE = {
  origin: "https://agent.example:8443",
  topSite: "https://agent.example:8443",
  cookieStore: "default",
  private: false,
};

function setUp(tabs: readonly Partial<Tabs.Tab>[] = []) {
  const alarms: unknown[] = [];
  const stored: Record<string, unknown> = {};
  const sites = createSites({
    tabs: { query: async () => tabs as Tabs.Tab[] },
    session: { get: async () => stored, set: async (values) => void Object.assign(stored, values) },
    alarms: {
      create: ((name: string, info: unknown) => void alarms.push([name, info])) as never,
      clear: async (name) => alarms.push([name]) > 0,
    },
  });
  return { sites, alarms };
}

describe("sites", () => {
  it.each([
    ["the site itself", { url: "https://agent.example:8443/chat", incognito: false }, true],
    ["another port", { url: "https://agent.example/chat", incognito: false }, false],
    ["a private window", { url: "https://agent.example:8443/chat", incognito: true }, false],
    ["another container", { url: "https://agent.example:8443/", incognito: false, cookieStoreId: "work" }, false],
    ["a tab that hides its address", { incognito: false }, false],
  ])("are open by what a tab shows: %s", async (_what, tab, isOpen) => {
    expect(await setUp([tab]).sites.isOpen(SITE)).toBe(isOpen);
  });

  it("count an embedded frame by the site around it", async () => {
    const { sites } = setUp([{ url: "https://agent.example:8443/", incognito: false }]);
    expect(await sites.isOpen({ ...SITE, origin: "https://frame.example" })).toBe(true);
  });

  it("tell the browser's first worker from the next", async () => {
    const { sites } = setUp();
    expect(await sites.browserStarted()).toBe(true);
    expect(await sites.browserStarted()).toBe(false);
  });

  it("wake the worker every five minutes, asked for once, until nothing is left to watch", () => {
    const { sites, alarms } = setUp();
    sites.watch(true);
    sites.watch(true);
    sites.watch(false);
    expect(alarms).toEqual([["sessions", { periodInMinutes: 5 }], ["sessions"]]);
    expect(["sessions", "other"].map((name) => isSessionsAlarm({ name }))).toEqual([true, false]);
  });
});
