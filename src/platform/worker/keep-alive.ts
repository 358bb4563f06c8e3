/**
 * Keeps the worker alive while calls are open. Neither a pending fetch, nor a stream, nor a timer counts as life for the
 * browser; an extension API call every 20 seconds does, in Chromium and in Firefox. With nothing open the worker may sleep.
 */

const EVERY_MS = 20_000;
/** A touch this recent still holds when a call begins: 5 and 20 seconds stay below the 30 after which a worker ends. */
const RECENT_MS = 5_000;

export interface KeepAlive {
  /** How many calls are open now. */
  set(open: number): void;
}

export interface KeepAliveOptions {
  /** Any cheap extension API call. */
  readonly touch: () => Promise<unknown>;
}

export function createKeepAlive({ touch }: KeepAliveOptions): KeepAlive {
  let timer: ReturnType<typeof setInterval> | undefined;
  let touchedAt = Number.NEGATIVE_INFINITY;
  const tick = () => {
    touchedAt = performance.now();
    void touch().catch(() => {});
  };
  return {
    set(open) {
      if (open <= 0) {
        clearInterval(timer);
        timer = undefined;
      } else if (timer === undefined) {
        timer = setInterval(tick, EVERY_MS);
        if (performance.now() - touchedAt > RECENT_MS) tick();
      }
    },
  };
}
