/**
 * Waiting that ends the moment its signal is aborted, whatever the thing waited for does. A server, or a port that ignores
 * signals, can therefore never hold a call open after the person or the agent gave it up.
 */
import { GatewayError } from "../errors.ts";

export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(abortFault(signal));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** The fault an aborted signal stands for: the one it was aborted with, else `cancelled`. */
export function abortFault(signal: AbortSignal): GatewayError {
  const { reason } = signal;
  return reason instanceof GatewayError ? reason : new GatewayError("cancelled", "The call was cancelled.");
}
