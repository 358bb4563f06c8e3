/**
 * An event stream of 2025 that ended before its reply is taken up again with GET and `Last-Event-ID`: the server goes on
 * where it was, and nothing is sent twice. Only a stream that gave event ids can be, the wait before it is exactly the one
 * the server named, and streams that bring nothing new end the trying, so that a broken server is not asked for ever.
 *
 * @see MCP 2025-11-25 · Transports · Streamable HTTP · Resumability and redelivery
 * @see WHATWG HTML · Server-sent events (retry)
 */
import { type FaultName, GatewayError } from "../errors.ts";
import type { Clock } from "../ports.ts";
import { type Backoff, backoffMs } from "../transports/backoff.ts";
import { BrokenStream } from "../transports/body.ts";
import type { EventMark } from "../transports/channel.ts";
import { type Budget, pause } from "./budget.ts";

export interface Resumption {
  /** Takes note of an event id or a `retry`. */
  readonly mark: (mark: EventMark) => void;
  /** Follows the stream until the call is settled; gives the problem where it cannot go on. */
  follow(ended: unknown): Promise<unknown>;
}

export interface ResumptionOptions {
  readonly clock: Clock;
  /** Pays for what follows a failure; a server that ends its streams on purpose is only polled. */
  readonly budget: Budget;
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly settled: () => boolean;
  readonly get: (lastEventId: string) => Promise<void>;
}

/** Streams in a row that bring no new event, and streams of one call. */
const MOST_IDLE = 5;
const MOST_STREAMS = 100;
/** Where the server names no time. */
const PAUSE: Backoff = { firstMs: 1_000, mostMs: 30_000 };

export function createResumption(options: ResumptionOptions): Resumption {
  const { clock, budget, signal, random, settled, get } = options;
  let lastId: string | undefined;
  let retryMs: number | undefined;
  let idle = 0;

  return {
    mark({ id, retry }) {
      if (id !== undefined && id !== "" && id !== lastId) {
        lastId = id;
        idle = 0;
      }
      if (retry !== undefined) retryMs = retry;
    },
    async follow(ended) {
      let problem = ended;
      for (let streams = 0; streams < MOST_STREAMS; streams += 1) {
        if (settled() || signal.aborted || lastId === undefined || idle >= MOST_IDLE || !mayResume(problem)) break;
        if ((problem !== undefined || idle > 0) && !budget.take()) break;
        try {
          const slept = await pause(clock, retryMs ?? backoffMs(idle + 1, PAUSE, random()), signal);
          idle = slept ? 1 : idle + 1;
          await get(lastId);
          problem = undefined;
        } catch (caught) {
          problem = caught;
        }
      }
      return problem;
    },
  };
}

/** It ended by itself, it broke, or the server could not be reached for a moment; anything else is an answer. */
export function mayResume(problem: unknown): boolean {
  return problem === undefined || isTransient(problem);
}

/**
 * Whether the same thing may go well a moment later. A refusal (401, 403, 404, a revision nobody speaks, a redirect, a web
 * page) does not change by asking again.
 */
export function isTransient(problem: unknown): boolean {
  if (problem instanceof BrokenStream) return true;
  return problem instanceof GatewayError && TRANSIENT.has(problem.fault);
}

const TRANSIENT: ReadonlySet<FaultName> = new Set(["upstream-unreachable", "timed-out"]);
