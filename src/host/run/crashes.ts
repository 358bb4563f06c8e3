/**
 * How long a server that died is held back, and when it is not started any more. The first new start is at once, because
 * servers of the older era end when they are asked a question of the newer one; then each wait doubles. Too many deaths in
 * a short time stop it until a person restarts it.
 */

export interface Crashes {
  died(now: number): void;
  /** What applies to a start at this time. */
  at(now: number): { readonly kind: "start"; readonly afterMs: number } | { readonly kind: "stopped" };
  /** A person's act. */
  forget(): void;
  readonly count: number;
}

export const CRASH_WINDOW_MS = 60_000;
export const CRASHES_TO_STOP = 6;
export const FIRST_WAIT_MS = 500;
export const LONGEST_WAIT_MS = 10_000;

export function createCrashes(): Crashes {
  let deaths: number[] = [];
  let stopped = false;
  return {
    died(now) {
      deaths = [...recent(now), now];
      if (deaths.length >= CRASHES_TO_STOP) stopped = true;
    },
    at(now) {
      if (stopped) return { kind: "stopped" };
      const count = recent(now).length;
      if (count < 2) return { kind: "start", afterMs: 0 };
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - 2));
      const last = deaths.at(-1) ?? now;
      return { kind: "start", afterMs: Math.max(0, last + wait - now) };
    },
    forget() {
      deaths = [];
      stopped = false;
    },
    get count() {
      return deaths.length;
    },
  };

  /** A clock that was set back must not hold a server for ever. */
  function recent(now: number): number[] {
    return deaths.filter((at) => at <= now && now - at < CRASH_WINDOW_MS);
  }
}
