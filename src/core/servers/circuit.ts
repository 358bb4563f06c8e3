/**
 * One server's circuit: after several failures to reach it in a row, calls fail at once for a while instead of each waiting
 * for the network, and then one call is let through to see. Only failures to reach the server count: an answer, however
 * unfriendly, is one. Full jitter; failures that lie far back are forgotten, so that a machine that slept starts afresh.
 */
import { GatewayError } from "../errors.ts";
import type { Ports } from "../ports.ts";
import { type Backoff, backoffMs, randomFraction } from "../transports/backoff.ts";

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

  const isOpen = (): boolean => failures >= MOST_FAILURES && (trying || clock.now() < openUntil);

  const failed = (): void => {
    failures = clock.now() - failedAt > FORGET_MS ? 1 : failures + 1;
    failedAt = clock.now();
    if (failures < MOST_FAILURES) return;
    openUntil = clock.now() + backoffMs(failures - MOST_FAILURES + 1, OPEN, randomFraction(randomId));
  };

  const reached = (): void => {
    failures = 0;
  };

  return {
    reached,
    async through(work) {
      if (isOpen()) throw notNow();
      const alone = failures >= MOST_FAILURES;
      if (alone) trying = true;
      try {
        const value = await work();
        reached();
        return value;
      } catch (problem) {
        if (problem instanceof GatewayError && problem.fault === "upstream-unreachable") failed();
        else if (!(problem instanceof GatewayError && problem.fault === "cancelled")) reached();
        throw problem;
      } finally {
        if (alone) trying = false;
      }
    },
  };
}

function notNow(): GatewayError {
  return new GatewayError(
    "upstream-unreachable",
    "The server could not be reached several times in a row, so navra waits a moment before it tries again. This call was not sent; try again in a minute.",
  );
}
