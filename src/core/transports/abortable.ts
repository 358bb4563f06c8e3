/**
 * Waiting that ends the moment its signal is aborted, whatever the thing waited for does. A server, or a port that ignores
 * signals, can therefore never hold a call open after the person or the agent gave it up.
 *
 * Signals are joined by listeners that are taken back, and not by `AbortSignal.any`: what that makes stays with all its
 * sources until it is collected, and each fetch is registered with every one of them again. With a thousand calls open this
 * was most of what they cost.
 */
import { GatewayError } from "../errors.ts";

/** Aborts the controller too when one of the sources is aborted, until the returned function is called. */
export function abortWith(controller: AbortController, sources: readonly AbortSignal[]): () => void {
  const releases = sources.map((source) => {
    const stop = () => controller.abort(source.reason);
    if (source.aborted) stop();
    else source.addEventListener("abort", stop, { once: true });
    return () => source.removeEventListener("abort", stop);
  });
  return () => {
    for (const release of releases) release();
  };
}

/** Runs with a signal that any of the sources aborts; begins nothing where one is aborted already. */
export async function linked<T>(sources: readonly AbortSignal[], run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const release = abortWith(controller, sources);
  try {
    if (controller.signal.aborted) throw abortFault(controller.signal);
    return await run(controller.signal);
  } finally {
    release();
  }
}

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
