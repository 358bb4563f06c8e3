import { describe, expect, it } from "vitest";
import type { Tabs, Windows } from "webextension-polyfill";
import { createTabReader, type TabsApi } from "../../../src/platform/worker/tabs.ts";

const TABS: Record<number, Partial<Tabs.Tab>> = {
  1: { url: "https://agent.example:8443/x", active: true, windowId: 10, incognito: false },
  2: { url: "http://plain.example/", active: true, windowId: 11, incognito: false },
  3: { active: false, windowId: 10, incognito: false },
  4: { url: "https://agent.example/", active: true, windowId: 99, incognito: false },
};

function reader(granted = true) {
  const asked: unknown[] = [];
  const api: TabsApi = {
    tabs: {
      get: async (id) => {
        const tab = TABS[id];
        if (!tab) throw new Error("No tab with id");
        return tab as Tabs.Tab;
      },
    },
    windows: {
      get: async (id) => {
        if (id === 99) throw new Error("No window with id");
        return { focused: id === 10 } as Windows.Window;
      },
    },
    permissions: {
      contains: async (wanted) => {
        asked.push(wanted);
        return granted;
      },
    },
  };
  return { reader: createTabReader(api), asked };
}

describe("the tab reader", () => {
  it("says whose site a tab shows and whether the browser lets us work there", async () => {
    const { reader: read, asked } = reader();
    expect(await read.siteOf(1)).toMatchObject({
      url: "https://agent.example:8443/x",
      access: true,
      principal: { origin: "https://agent.example:8443", topSite: "https://agent.example:8443" },
    });
    expect(asked).toEqual([{ origins: ["https://agent.example/*"] }]);
  });

  it("says so where the person narrowed our access", async () => {
    expect(await reader(false).reader.siteOf(1)).toMatchObject({ access: false, principal: {} });
  });

  it.each([2, 3, 404])("has no principal for tab %d, where no agent can connect", async (tabId) => {
    const site = await reader().reader.siteOf(tabId);
    expect([site.access, site.principal]).toEqual([false, undefined]);
  });

  it.each([
    [1, true, true],
    [2, false, true],
    [3, false, false],
    [4, false, true],
    [404, false, false],
  ])("tab %d: watched %s, shown %s", async (tabId, watched, shown) => {
    const { reader: read } = reader();
    expect([await read.isWatched(tabId), await read.isShown(tabId)]).toEqual([watched, shown]);
  });
});
