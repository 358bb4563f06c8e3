/** A clock that moves only when told. Callbacks run in the order of their times, synchronously within `advance`. */
import type { Clock } from "../../src/core/ports.ts";

export interface FakeClock extends Clock {
  /** Moves time on and runs what came due. */
  advance(ms: number): void;
}

export function createFakeClock(start = Date.UTC(2026, 10, 1, 12)): FakeClock {
  let now = start;
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    now: () => now,
    monotonic: () => now - start,
    utcOffsetMinutes: () => 0,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        timers.delete(due);
        now = Math.max(now, due.at);
        due.run();
      }
      now = end;
    },
  };
}
