/** Back-off and the crash-loop stop, on a clock that the test moves. */
import { describe, expect, it } from "vitest";
import { CRASH_WINDOW_MS, CRASHES_TO_STOP, createCrashes, FIRST_WAIT_MS } from "../../src/host/run/crashes.ts";

describe("A server that dies", () => {
  it("is started again at once after its first death, because an era probe may kill it", () => {
    const crashes = createCrashes();
    crashes.died(1000);
    expect(crashes.at(1000)).toEqual({ kind: "start", afterMs: 0 });
  });

  it("waits twice as long after each further death", () => {
    const crashes = createCrashes();
    const waits = [0, 0, 0, 0].map(() => {
      crashes.died(1000);
      const verdict = crashes.at(1000);
      return verdict.kind === "start" ? verdict.afterMs : -1;
    });
    expect(waits).toEqual([0, FIRST_WAIT_MS, FIRST_WAIT_MS * 2, FIRST_WAIT_MS * 4]);
    expect(crashes.at(1000 + FIRST_WAIT_MS * 4)).toEqual({ kind: "start", afterMs: 0 });
  });

  it("is stopped after too many deaths in a short time, until a person restarts it", () => {
    const crashes = createCrashes();
    for (let count = 0; count < CRASHES_TO_STOP; count += 1) crashes.died(count);
    expect(crashes.at(CRASH_WINDOW_MS * 10)).toEqual({ kind: "stopped" });
    crashes.forget();
    expect(crashes.at(0)).toEqual({ kind: "start", afterMs: 0 });
  });

  it("is forgiven deaths that are long ago", () => {
    const crashes = createCrashes();
    for (let count = 0; count < CRASHES_TO_STOP * 3; count += 1) crashes.died(count * CRASH_WINDOW_MS);
    expect(crashes.at(CRASHES_TO_STOP * 3 * CRASH_WINDOW_MS)).toEqual({ kind: "start", afterMs: 0 });
  });

  it("is not held for ever by a clock that was set back", () => {
    const crashes = createCrashes();
    for (let count = 0; count < 4; count += 1) crashes.died(1_000_000);
    expect(crashes.at(0)).toEqual({ kind: "start", afterMs: 0 });
  });
});
