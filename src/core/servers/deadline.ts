/**
 * A signal that aborts with `timed-out` when its time is over, and with another signal; `stop` lets go of both. A sign of
 * life begins the time anew, up to an end that nothing moves, so that a server which only ever reports progress is given up some day too.
 *
 * @see MCP 2025-11-25 · Lifecycle · Timeouts
 */
import { GatewayError } from "../errors.ts";
import type { Clock } from "../ports.ts";
import { abortWith } from "../transports/abortable.ts";

export interface Deadline {
  readonly signal: AbortSignal;
  /** A sign of life. */
  readonly alive: () => void;
  readonly stop: () => void;
}

export interface DeadlineOptions {
  readonly ms: number;
  /** From the beginning, whatever signs of life there are; without it they change nothing. */
  readonly mostMs?: number;
  /** Ends it too. */
  readonly signal?: AbortSignal;
}

export function createDeadline(clock: Clock, { ms, mostMs = ms, signal }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  const release = abortWith(controller, signal ? [signal] : []);
  const end = clock.monotonic() + Math.max(ms, mostMs);
  let due = clock.monotonic() + ms;
  let stop = clock.after(ms, check);

  /** Signs of life only move the time; the timer is set once for each stretch, however many there were. */
  function check(): void {
    const left = due - clock.monotonic();
    if (left > 0) stop = clock.after(left, check);
    else controller.abort(timedOut(ms));
  }

  return {
    signal: controller.signal,
    alive() {
      due = Math.min(clock.monotonic() + ms, end);
    },
    stop() {
      stop();
      release();
    },
  };
}

function timedOut(ms: number): GatewayError {
  return new GatewayError(
    "timed-out",
    `The server did not answer within ${Math.round(ms / 1000)} seconds. The call may have happened: look before you send it again.`,
  );
}
