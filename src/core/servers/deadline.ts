/** A signal that aborts with `timed-out` when its time is over, or with the given one; `stop` lets go of both. */
import { GatewayError } from "../errors.ts";
import type { Clock } from "../ports.ts";
import { abortWith } from "../transports/abortable.ts";

export interface Deadline {
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

export function createDeadline(clock: Clock, ms: number, signal?: AbortSignal): Deadline {
  const controller = new AbortController();
  const release = abortWith(controller, signal ? [signal] : []);
  const cancel = clock.after(ms, () =>
    controller.abort(
      new GatewayError(
        "timed-out",
        `The server did not answer within ${Math.round(ms / 1000)} seconds. The call may have happened: look before you send it again.`,
      ),
    ),
  );
  const stop = (): void => {
    cancel();
    release();
  };
  return { signal: controller.signal, stop };
}
