/**
 * One server's circuit: after several failures to reach it in a row, calls fail at once for a while instead of each waiting
 * for the network, and then one call is let through to see. Only failures to reach the server count: an answer, however
 * unfriendly, is one. A server that says when it wants to be asked again is left alone until then. Full jitter; failures
 * that lie far back are forgotten, so that a machine that slept, or whose clock was set, starts afresh.
 *
 * @see RFC 9110 · 10.2.3 Retry-After
 */
import { GatewayError } from "../errors.ts";
import type { Ports } from "../ports.ts";
import { type Backoff, backoffMs, randomFraction } from "../transports/backoff.ts";
import { retryAfterMs, StatusFault } from "../transports/http-status.ts";

export interface Circuit {
  /** Runs the work if the circuit lets it. @throws GatewayError `upstream-unreachable` at once while it is open */
  through<T>(work: () => Promise<T>): Promise<T>;
  /** Somebody reached the server. */
  reached(): void;
}

const MOST_FAILURES = 3;
const FORGET_MS = 5 * 60_000;
const OPEN: Backoff = { firstMs: 2_000, mostMs: 60_000 };

export function createCircuit({ clock, randomId }: Pick<Ports, "clock" | "randomId">): Circuit {
  let failures = 0;
  let failedAt = 0;
  let openUntil = 0;
  let trying = false;

  const isOpen = (): boolean => {
    // The clock was set back: what was noted by the old one says nothing any more.
    if (clock.now() < failedAt) failures = openUntil = failedAt = 0;
    return clock.now() < openUntil || (failures >= MOST_FAILURES && trying);
  };

  const failed = (problem: GatewayError): void => {
    failures = clock.now() - failedAt > FORGET_MS ? 1 : failures + 1;
    failedAt = clock.now();
    const asked = problem instanceof StatusFault ? retryAfterMs(problem.retryAfter, clock.now()) : undefined;
    const waits =
      failures < MOST_FAILURES ? 0 : backoffMs(failures - MOST_FAILURES + 1, OPEN, randomFraction(randomId));
    openUntil = clock.now() + Math.max(waits, asked ?? 0);
  };

  const reached = (): void => {
    failures = 0;
    openUntil = 0;
  };

  return {
    reached,
    async through(work) {
      if (isOpen()) throw notNow(openUntil - clock.now());
      const alone = failures >= MOST_FAILURES;
      if (alone) trying = true;
      try {
        const value = await work();
        reached();
        return value;
      } catch (problem) {
        if (problem instanceof GatewayError && problem.fault === "upstream-unreachable") failed(problem);
        else if (!(problem instanceof GatewayError && problem.fault === "cancelled")) reached();
        throw problem;
      } finally {
        if (alone) trying = false;
      }
    },
  };
}

function notNow(ms: number): GatewayError {
  return new GatewayError(
    "upstream-unreachable",
    "The server could not be reached, or asked to be left alone for a while, so navra waits before it tries again. This call was not sent; try again later.",
    { retryAfterMs: Math.max(0, Math.round(ms)) },
  );
}
