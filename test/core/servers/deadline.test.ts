import { describe, expect, it } from "vitest";
import { createDeadline } from "../../../src/core/servers/deadline.ts";
import { createFakeClock } from "../../fakes/clock.ts";

describe("a deadline", () => {
  it("begins anew with each sign of life", () => {
    const clock = createFakeClock();
    const { signal, alive } = createDeadline(clock, { ms: 1_000, mostMs: 10_000 });
    for (let count = 0; count < 5; count += 1) {
      clock.advance(900);
      alive();
    }
    expect(signal.aborted).toBe(false);
    clock.advance(999);
    expect(signal.aborted).toBe(false);
    clock.advance(1);
    expect(signal.reason).toMatchObject({ fault: "timed-out" });
  });

  it("has an end that no sign of life moves", () => {
    const clock = createFakeClock();
    const { signal, alive } = createDeadline(clock, { ms: 1_000, mostMs: 3_000 });
    for (let at = 0; at < 2_900; at += 100) {
      clock.advance(100);
      alive();
    }
    expect(signal.aborted).toBe(false);
    clock.advance(100);
    expect(signal.aborted).toBe(true);
  });

  it("does not move where no longer time was given, and never after it was stopped", () => {
    const clock = createFakeClock();
    const fixed = createDeadline(clock, { ms: 1_000 });
    clock.advance(900);
    fixed.alive();
    clock.advance(100);
    expect(fixed.signal.aborted).toBe(true);
    const stopped = createDeadline(clock, { ms: 1_000, mostMs: 5_000 });
    stopped.alive();
    stopped.stop();
    clock.advance(60_000);
    expect(stopped.signal.aborted).toBe(false);
  });
});
