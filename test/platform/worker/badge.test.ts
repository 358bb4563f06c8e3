import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type BadgeApi, badgeView, createBadge } from "../../../src/platform/worker/badge.ts";

describe("what the badge shows", () => {
  it.each([
    [
      { paused: false, waiting: 0 },
      { state: "normal", text: "" },
    ],
    [
      { paused: true, waiting: 0 },
      { state: "paused", text: "" },
    ],
    [
      { paused: false, waiting: 3 },
      { state: "attention", text: "3" },
    ],
    [
      { paused: true, waiting: 1 },
      { state: "attention", text: "1" },
    ],
    [
      { paused: false, waiting: 120 },
      { state: "attention", text: "99+" },
    ],
  ])("%j is %j", (input, view) => {
    expect(badgeView(input)).toEqual(view);
  });
});

describe("the badge", () => {
  it("sets icon, text and title together, once for each change, from icons that exist", async () => {
    const calls: unknown[] = [];
    const action: BadgeApi = {
      setIcon: async (details) => void calls.push(details),
      setBadgeText: async (details) => void calls.push(details),
      setBadgeBackgroundColor: async () => {},
      setTitle: async (details) => void calls.push(details),
    };
    const badge = createBadge({ action, title: ({ state }) => `title of ${state}` });
    await badge.set({ paused: false, waiting: 2 });
    await badge.set({ paused: true, waiting: 2 });
    const path = { 16: "/icons/attention-16.png", 32: "/icons/attention-32.png", 48: "/icons/attention-48.png" };
    expect(calls).toEqual([{ path }, { text: "2" }, { title: "title of attention" }]);
    for (const state of ["normal", "paused", "attention"]) {
      for (const size of [16, 32, 48]) expect(existsSync(`public/icons/${state}-${size}.png`)).toBe(true);
    }
  });
});
