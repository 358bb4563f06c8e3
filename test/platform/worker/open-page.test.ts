/** Pages that servers want opened: a plain tab beside the one that asked, and nowhere else. */
import { describe, expect, it } from "vitest";
import { createPageOpener } from "../../../src/platform/worker/open-page.ts";

const SITE = { origin: "https://chat.example", topSite: "https://chat.example", cookieStore: "d", private: false };
const PLACE = { tabId: 7, frameId: 0, documentId: "d" };

function browserWith(tab: { readonly windowId: number; readonly index: number } | undefined) {
  const done: unknown[] = [];
  const open = createPageOpener({
    tabs: {
      get: async () => {
        if (!tab) throw new Error("No tab with id");
        return tab as never;
      },
      create: async (about) => {
        done.push(about);
        return {} as never;
      },
    },
    windows: {
      update: async (id, change) => {
        done.push([id, change]);
        return {} as never;
      },
    },
  });
  return { open, done };
}

describe("opening a page", () => {
  it("makes a tab beside the one that asked, in its window, and brings that window to the front", async () => {
    const { open, done } = browserWith({ windowId: 3, index: 4 });
    await open("https://auth.example/go?x=1", { place: PLACE, principal: SITE });
    expect(done).toEqual([
      { url: "https://auth.example/go?x=1", active: true, windowId: 3, index: 5 },
      [3, { focused: true }],
    ]);
  });

  it("makes it anywhere when the tab is gone, but never a private window's outside of one", async () => {
    const { open, done } = browserWith(undefined);
    await open("https://auth.example/", { place: PLACE, principal: SITE });
    expect(done).toEqual([{ url: "https://auth.example/", active: true }]);
    await expect(
      open("https://auth.example/", { place: PLACE, principal: { ...SITE, private: true } }),
    ).rejects.toThrow("private tab");
    expect(done).toHaveLength(1);
  });

  it.each(["http://auth.example/", "javascript:alert(1)", "chrome://settings/", "file:///etc/passwd"])(
    "never opens %s",
    async (url) => {
      const { open, done } = browserWith({ windowId: 3, index: 4 });
      await expect(open(url, { place: PLACE, principal: SITE })).rejects.toThrow("does not open");
      expect(done).toEqual([]);
    },
  );
});
