import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createKeepAlive } from "../../../src/platform/worker/keep-alive.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the keep-alive", () => {
  it("touches the browser at once and every 20 seconds while calls are open", () => {
    let touched = 0;
    const alive = createKeepAlive({ touch: async () => void touched++ });
    alive.set(1);
    expect(touched).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(touched).toBe(4);
  });

  it("lets the worker sleep when the last call ended, whatever happened between", () => {
    let touched = 0;
    const alive = createKeepAlive({ touch: async () => void touched++ });
    for (const open of [1, 2, 3, 2, 0, 0]) alive.set(open);
    vi.advanceTimersByTime(600_000);
    expect([touched, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it("has one timer however many calls are open", () => {
    const alive = createKeepAlive({ touch: async () => {} });
    alive.set(1);
    alive.set(2);
    expect(vi.getTimerCount()).toBe(1);
  });

  it("goes on when the browser refuses to be touched", async () => {
    let touched = 0;
    const alive = createKeepAlive({
      touch: async () => {
        touched += 1;
        throw new Error("no");
      },
    });
    alive.set(1);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(touched).toBe(2);
  });
});
