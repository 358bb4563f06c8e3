/** A signal that aborts with `timed-out` when its time is over; `stop` gives the timer back. */
import { GatewayError } from "../errors.ts";
import type { Clock } from "../ports.ts";

export interface Deadline {
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

export function createDeadline(clock: Clock, ms: number): Deadline {
  const controller = new AbortController();
  const stop = clock.after(ms, () =>
    controller.abort(
      new GatewayError(
        "timed-out",
        `The server did not answer within ${Math.round(ms / 1000)} seconds. The call may have happened: look before you send it again.`,
      ),
    ),
  );
  return { signal: controller.signal, stop };
}
