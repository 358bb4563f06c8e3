/**
 * How long to wait before trying again: a random time up to a bound that doubles with each failure. Full jitter, because
 * clients that lost one server at the same moment must not come back at the same moment.
 *
 * @see RFC 8961 · 4 Requirements (exponential back-off)
 */

export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** `failures` counts from 1; `random` is in [0, 1). */
export function backoffMs(failures: number, { firstMs, mostMs }: Backoff, random: number): number {
  const bound = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(bound * random);
}

/** A number in [0, 1) from the port's random hex digits. */
export function randomFraction(randomId: () => string): number {
  return Number.parseInt(randomId().slice(0, 8), 16) / 2 ** 32;
}
