import { describe, expect, it } from "vitest";
import type { ManagedPolicy } from "../../../src/core/policy/managed.ts";
import { createManagedSource, type ManagedOptions } from "../../../src/platform/worker/managed.ts";
import { createFakeClock } from "../../fakes/clock.ts";

const OLD = { text: '{"version":1,"rules":[]}' };
const NEW = { text: '{"version":1,"rules":[ ]}' };

type Read = () => Promise<Record<string, unknown>>;

function setUp({ reads, kept }: { readonly reads: readonly Read[]; readonly kept?: ManagedPolicy }) {
  const clock = createFakeClock();
  const local = new Map<string, unknown>(kept ? [["managedPolicy", kept]] : []);
  const told: (ManagedPolicy | null)[] = [];
  const listeners: ((changes: Record<string, { newValue?: unknown }>, area: string) => void)[] = [];
  let read = 0;
  const area = {
    get: async (key: string) => (local.has(key) ? { [key]: local.get(key) } : {}),
    set: async (items: Record<string, unknown>) =>
      Object.entries(items).forEach(([key, row]) => void local.set(key, row)),
    remove: async (key: string) => void local.delete(key),
  };
  const source = createManagedSource({
    managed: { get: () => (reads[Math.min(read++, reads.length - 1)] ?? none)() },
    local: area as ManagedOptions["local"],
    onChanged: { addListener: (listener: never) => listeners.push(listener) } as unknown as ManagedOptions["onChanged"],
    after: clock.after,
    tell: (policy) => told.push(policy),
  });
  source.listen();
  return {
    source,
    clock,
    told,
    local: area,
    remembered: () => local.get("managedPolicy"),
    news: (newValue: unknown, area = "managed") =>
      listeners.forEach((hear) => void hear({ policy: { newValue } }, area)),
  };
}

const holds = (policy: unknown) => async () => ({ policy });
const none: Read = async () => ({});
const fails: Read = () => Promise.reject(new Error("The disk is on fire."));
const notSetUp: Read = () => Promise.reject(new Error("Managed storage manifest not found"));
const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

describe("managed policy", () => {
  it("is none where nothing was set, in either browser's way of saying so", async () => {
    for (const read of [none, notSetUp]) {
      const { source, told } = setUp({ reads: [read] });
      await source.start();
      expect(told).toEqual([null]);
    }
  });

  it("is told and remembered", async () => {
    const { source, told, remembered } = setUp({ reads: [holds(OLD.text)] });
    await source.start();
    expect([told, remembered()]).toEqual([[OLD], OLD]);
  });

  it("rules also where it cannot be remembered, and waits for nothing but its own reading", async () => {
    const { source, told, local } = setUp({ reads: [holds(OLD.text)] });
    local.set = () => new Promise(() => undefined);
    await source.start();
    expect(told).toEqual([OLD]);
  });

  it("is the last known one until the first read", async () => {
    const { source, told } = setUp({ reads: [holds(NEW.text)], kept: OLD });
    await source.start();
    expect(told).toEqual([OLD, NEW]);
  });

  it("goes on when the first read is empty, and ends when the second is too", async () => {
    const { source, told, clock, remembered } = setUp({ reads: [none], kept: OLD });
    await source.start();
    expect([told, remembered()]).toEqual([[OLD], OLD]);
    clock.advance(10_000);
    await settled();
    expect([told, remembered()]).toEqual([[OLD, null], undefined]);
  });

  it("comes late where a browser hands it over late", async () => {
    const { source, told, news } = setUp({ reads: [none] });
    await source.start();
    news(NEW.text);
    expect(told).toEqual([null, NEW]);
  });

  it("ends at once when the browser says that it was removed", async () => {
    const { source, told, news, remembered } = setUp({ reads: [holds(OLD.text)] });
    await source.start();
    news(undefined);
    await settled();
    expect([told, remembered()]).toEqual([[OLD, null], undefined]);
  });

  it("never ends because it could not be read", async () => {
    const { source, told, clock } = setUp({ reads: [fails], kept: OLD });
    await source.start();
    clock.advance(10_000);
    await settled();
    expect(told).toEqual([OLD]);
  });

  it("cannot be read when it is anything but a text", async () => {
    const { source, told, news } = setUp({ reads: [holds({ rules: [] })] });
    await source.start();
    news(7);
    expect(told).toEqual([{ text: null }, { text: null }]);
  });

  it("does not listen to other storage", async () => {
    const { source, told, news } = setUp({ reads: [holds(OLD.text)] });
    await source.start();
    news("x", "local");
    expect(told).toEqual([OLD]);
  });
});
