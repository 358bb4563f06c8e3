import { describe, expect, it } from "vitest";
import { openPrivateTables } from "../../../src/platform/worker/private-tables.ts";

/** Session storage, with something of others in it. */
function area() {
  const items = new Map<string, unknown>([["prompts", { window: null }]]);
  const session = {
    get: async () => Object.fromEntries(items),
    set: async (added: Record<string, unknown>) => {
      for (const [key, value] of Object.entries(added)) items.set(key, structuredClone(value));
    },
    remove: async (keys: string | string[]) => {
      for (const key of [keys].flat()) items.delete(key);
    },
  };
  return { items, tables: openPrivateTables(session) };
}

const labels = { integrity: "untrusted", confidentiality: "public", sources: ["s1"] } as const;

describe("tables of private windows", () => {
  it("give back what was put, each its own, also to the next worker", async () => {
    const { tables } = area();
    await tables.labels.put("p", { principalKey: "p", labels });
    await tables.usage.put("p", { principalKey: "p", usage: [] });
    expect(await tables.labels.all()).toEqual([{ principalKey: "p", labels }]);
    expect(await tables.usage.all()).toEqual([{ principalKey: "p", usage: [] }]);
    expect(await tables.sessions.all()).toEqual([]);
  });

  it("remove only what they were asked to", async () => {
    const { tables, items } = area();
    await tables.labels.put("p", { principalKey: "p", labels });
    await tables.labels.put("q", { principalKey: "q", labels });
    await tables.usage.put("p", { principalKey: "p", usage: [] });
    await tables.labels.remove("p");
    expect(await tables.labels.all()).toEqual([{ principalKey: "q", labels }]);
    expect(await tables.usage.all()).toHaveLength(1);
    expect(items.has("prompts")).toBe(true);
  });
});
