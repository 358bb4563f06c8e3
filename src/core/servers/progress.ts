/**
 * What a request's progress may be: numbers that grow, and not a flood of them. A server that repeats itself or goes back
 * tells an agent nothing, and one that reports without pause would make every page that listens pay for it.
 *
 * @see MCP 2025-11-25 · Utilities · Progress (the value MUST increase; both sides SHOULD limit the rate)
 */
import type { Clock } from "../ports.ts";
import type { JsonObject } from "../wire/json.ts";

/** Reports in a row that pass, and how many a second after that. */
const BURST = 2_000;
const PER_MS = 2;

/** Gives the question whether this report goes on; one for each request. */
export function createProgressGate(clock: Clock): (params: JsonObject | undefined) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  let left = BURST;
  let at = clock.monotonic();
  return (params) => {
    const progress = params?.progress;
    if (typeof progress !== "number" || progress <= last) return false;
    last = progress;
    const now = clock.monotonic();
    left = Math.min(BURST, left + (now - at) * PER_MS);
    at = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
