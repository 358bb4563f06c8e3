/** Rates and lengths of time as people write them in rules: `20/min`, `5/10s`, `30min`. Nothing is guessed and nothing is zero. */
import { LONGEST_MEMORY_MS, MOST_PAST_CALLS } from "./usage.ts";

export interface Rate {
  readonly most: number;
  readonly ms: number;
}

/** Nothing for a text that is no rate, or one that needs a longer memory than there is. */
export function readRate(text: string): Rate | undefined {
  const match = /^([1-9][0-9]{0,3})\/([1-9][0-9]{0,3})?(s|min|h|day)$/.exec(text);
  if (!match) return undefined;
  const most = Number(match[1]);
  const ms = Number(match[2] ?? 1) * (UNITS.get(match[3] ?? "") ?? Number.NaN);
  return most < MOST_PAST_CALLS && ms <= LONGEST_MEMORY_MS ? { most, ms } : undefined;
}

/** Milliseconds, or nothing. */
export function readDuration(text: string): number | undefined {
  const match = /^([1-9][0-9]{0,4})(s|min|h)$/.exec(text);
  if (!match) return undefined;
  const ms = Number(match[1]) * (UNITS.get(match[2] ?? "") ?? Number.NaN);
  return ms <= LONGEST_MEMORY_MS ? ms : undefined;
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ["s", 1_000],
  ["min", 60_000],
  ["h", 3_600_000],
  ["day", 86_400_000],
]);
