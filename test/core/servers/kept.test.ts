import { describe, expect, it } from "vitest";
import { createKept } from "../../../src/core/servers/kept.ts";

describe("a kept value", () => {
  it("is made once, whoever asks while it is being made", async () => {
    let made = 0;
    const kept = createKept({ make: async () => ({ at: ++made }), fresh: () => true });
    const [first, second] = await Promise.all([kept.get(), kept.get()]);
    expect(first).toBe(second);
    expect(await kept.get()).toBe(first);
  });

  it("is not kept where the making failed", async () => {
    let tries = 0;
    const make = async () => {
      if (++tries === 1) throw new Error("no");
      return { tries };
    };
    const kept = createKept({ make, fresh: () => true });
    await expect(kept.get()).rejects.toThrow("no");
    expect(await kept.get()).toEqual({ tries: 2 });
  });

  it("is forgotten by whoever had it, never by someone who had an earlier one", async () => {
    const kept = createKept({ make: async () => ({}), fresh: () => true });
    const first = await kept.get();
    kept.forget(first);
    const second = await kept.get();
    kept.forget(first);
    expect(kept.current()).toBe(second);
  });

  it("is made again when it is no longer fresh", async () => {
    let fresh = true;
    const kept = createKept({ make: async () => ({}), fresh: () => fresh });
    const first = await kept.get();
    fresh = false;
    expect(kept.current()).toBeUndefined();
    expect(await kept.get()).not.toBe(first);
  });
});
