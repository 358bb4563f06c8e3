/**
 * What trying again may cost one server: a small stock of attempts that fills up slowly, shared by everything that would
 * reconnect to it by itself. However many sites use a server and however it fails, it is not hammered; a request of an agent's
 * is always tried, because that is not a retry.
 *
 * @see https://sre.google/sre-book/handling-overload/ (retry budgets)
 */
import type { Clock } from "../ports.ts";
import { untilAborted } from "../transports/abortable.ts";

export interface Budget {
  /** Takes one attempt; false where there is none left. */
  take(): boolean;
}

export const MOST_RETRIES = 20;
export const REFILL_MS = 3_000;

export function createBudget(clock: Clock): Budget {
  let left = MOST_RETRIES;
  let since = clock.monotonic();
  return {
    take() {
      const filled = Math.floor((clock.monotonic() - since) / REFILL_MS);
      left = Math.min(MOST_RETRIES, left + filled);
      since = left === MOST_RETRIES ? clock.monotonic() : since + filled * REFILL_MS;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

/** A wait that ends this much late was slept through. */
const SLEPT_MS = 10_000;

/**
 * Waits; resolves to whether the machine slept meanwhile, after which earlier failures say nothing: the network is another
 * one. Rejects when the signal is aborted.
 */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  const due = clock.now() + ms;
  let stop = (): void => undefined;
  const waited = new Promise<boolean>((resolve) => {
    stop = clock.after(ms, () => resolve(clock.now() - due >= SLEPT_MS));
  });
  return untilAborted(signal, waited).finally(() => stop());
}
