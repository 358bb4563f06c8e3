/**
 * The standing event stream of a session up to 2025-11-25: what the server says outside any call comes here. Servers may
 * have none, and say so in many ways; any refusal ends the asking for this session. A stream that opens and ends without a
 * word is opened again a few times only, because some servers do that for ever. How it ended tells what may still be done.
 *
 * @see MCP 2025-11-25 · Transports · Streamable HTTP · Listening for messages from the server
 */
import type { Clock } from "../ports.ts";
import { type Backoff, backoffMs } from "../transports/backoff.ts";
import { BrokenStream } from "../transports/body.ts";
import type { EventMark } from "../transports/channel.ts";
import { StatusFault } from "../transports/http-status.ts";
import type { HttpChannel } from "../transports/streamable-http.ts";
import { type Budget, pause } from "./budget.ts";
import { mayResume } from "./resume.ts";

export interface StandingOptions {
  readonly channel: HttpChannel;
  readonly clock: Clock;
  readonly budget: Budget;
  readonly random: () => number;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly frame: (text: string) => void;
}

/**
 * `none`: there is no stream, or nobody wants it. `lost`: the server could not be reached any more. `refused`: the server
 * does not know the address or the session; `forgotten`: the same, after there had been a stream.
 */
export type StandingEnd = "none" | "lost" | "refused" | "forgotten";

const MOST_SILENT = 5;
/** A stream that stood this long was a good one, whatever ended it. */
const LONG_MS = 30_000;
const PAUSE: Backoff = { firstMs: 1_000, mostMs: 60_000 };

/** Resolves when there is no stream any more; never rejects. */
export async function stand(options: StandingOptions): Promise<StandingEnd> {
  const { channel, clock, budget, random, signal, frame } = options;
  let silent = 0;
  let lastId: string | undefined;
  let retryMs: number | undefined;
  let opened = false;
  const mark = ({ id, retry }: EventMark): void => {
    if (id !== undefined && id !== "") lastId = id;
    if (retry !== undefined) retryMs = retry;
  };

  while (!signal.aborted) {
    const began = clock.monotonic();
    let heard = false;
    let end: StandingEnd = "none";
    const take = (text: string): void => {
      heard = true;
      frame(text);
    };
    const headers = lastId === undefined ? options.headers : { ...options.headers, "Last-Event-ID": lastId };
    try {
      await channel.listen(headers, { signal, sent: () => undefined, frame: take, mark });
      opened = true;
    } catch (problem) {
      opened ||= heard || problem instanceof BrokenStream;
      if (!mayResume(problem)) return isUnsure(problem) ? (opened ? "forgotten" : "refused") : "none";
      end = "lost";
    }
    silent = heard || clock.monotonic() - began >= LONG_MS ? 1 : silent + 1;
    if (silent > MOST_SILENT || signal.aborted || (silent > 1 && !budget.take())) return end;
    const wait = pause(clock, retryMs ?? backoffMs(silent, PAUSE, random()), signal);
    if (await wait.catch(() => false)) silent = 0;
  }
  return "none";
}

/** Servers say this of a session they do not know, and some of a method they do not have. */
function isUnsure(problem: unknown): boolean {
  return problem instanceof StatusFault && (problem.status === 404 || problem.status === 400);
}
