/**
 * Refusals of what was never admitted, and notifications that were dropped, counted per document and recorded once per
 * burst: a page that floods navra with frames gets its answers, and the record gets one line with a number instead of a flood.
 */
import type { FaultName } from "./errors.ts";
import type { Clock } from "./ports.ts";

/** How long refusals of one kind are gathered into one record, in milliseconds. */
export const BURST_MS = 1_000;

export interface Bursts<About> {
  count(key: string, about: About, name: FaultName): void;
}

export function createBursts<About>(
  clock: Clock,
  write: (burst: {
    readonly about: About;
    readonly name: FaultName;
    readonly count: number;
    readonly at: number;
  }) => void,
): Bursts<About> {
  const bursts = new Map<string, { count: number }>();
  return {
    count(key, about, name) {
      const id = `${key} ${name}`;
      const running = bursts.get(id);
      if (running) {
        running.count++;
        return;
      }
      const burst = { count: 1 };
      const at = clock.now();
      bursts.set(id, burst);
      clock.after(BURST_MS, () => {
        bursts.delete(id);
        write({ about, name, count: burst.count, at });
      });
    },
  };
}
