import { describe, expect, it } from "vitest";
import { createBudget, MOST_RETRIES, pause, REFILL_MS } from "../../../src/core/servers/budget.ts";
import { createFakeClock } from "../../fakes/clock.ts";

describe("a budget of retries", () => {
  it("is spent after so many at once, and fills up slowly", () => {
    const clock = createFakeClock();
    const budget = createBudget(clock);
    const taken = () => Array.from({ length: MOST_RETRIES * 2 }, () => budget.take()).filter(Boolean).length;
    expect(taken()).toBe(MOST_RETRIES);
    clock.advance(REFILL_MS - 1);
    expect(taken()).toBe(0);
    clock.advance(1);
    expect(taken()).toBe(1);
    clock.advance(REFILL_MS * 3);
    expect(taken()).toBe(3);
  });

  it("never holds more than that, however long nothing failed", () => {
    const clock = createFakeClock();
    const budget = createBudget(clock);
    clock.advance(24 * 60 * 60_000);
    expect(Array.from({ length: 100 }, () => budget.take()).filter(Boolean)).toHaveLength(MOST_RETRIES);
  });
});

describe("a pause", () => {
  const live = () => new AbortController().signal;

  it("tells when the machine slept through it", async () => {
    let now = 0;
    let wake = (): void => undefined;
    const clock = {
      ...createFakeClock(),
      now: () => now,
      after: (_ms: number, run: () => void) => {
        wake = run;
        return () => undefined;
      },
    };
    const short = pause(clock, 1_000, live());
    now += 1_200;
    wake();
    expect(await short).toBe(false);
    const slept = pause(clock, 1_000, live());
    now += 60_000;
    wake();
    expect(await slept).toBe(true);
  });

  it("ends at once when it is given up", async () => {
    const stop = new AbortController();
    const waiting = pause(createFakeClock(), 1_000, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ fault: "cancelled" });
  });
});
