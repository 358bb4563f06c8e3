import { describe, expect, it } from "vitest";
import { createProgressGate } from "../../../src/core/servers/progress.ts";
import { createFakeClock } from "../../fakes/clock.ts";

describe("the progress of a request", () => {
  it("grows with each report; what repeats, goes back or is no number is left out", () => {
    const passes = createProgressGate(createFakeClock());
    const reports = [0, 0, 0.5, 0.25, "1", undefined, 1, 1e300];
    expect(reports.filter((progress) => passes({ progress: progress as number }))).toEqual([0, 0.5, 1, 1e300]);
    expect(passes(undefined)).toBe(false);
  });

  it("is no flood", () => {
    const clock = createFakeClock();
    const passes = createProgressGate(clock);
    const count = (from: number) =>
      Array.from({ length: 10_000 }, (_, at) => passes({ progress: from + at })).filter(Boolean);
    expect(count(0)).toHaveLength(2_000);
    clock.advance(100);
    expect(count(10_000)).toHaveLength(200);
  });
});
