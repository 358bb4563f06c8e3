/**
 * The standing event stream of a session up to 2025-11-25: what the server says outside any call comes here. Servers may
 * have none, and say so in many ways; any refusal ends the asking for this session. A stream that opens and ends without a
 * word is opened again a few times only, because some servers do that for ever.
 *
 * @see MCP 2025-11-25 · Transports · Streamable HTTP · Listening for messages from the server
 */
import type { Clock } from "../ports.ts";
import { type Backoff, backoffMs } from "../transports/backoff.ts";
import type { EventMark } from "../transports/channel.ts";
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

const MOST_SILENT = 5;
/** A stream that stood this long was a good one, whatever ended it. */
const LONG_MS = 30_000;
const PAUSE: Backoff = { firstMs: 1_000, mostMs: 60_000 };

/** Resolves when there is no stream any more; never rejects. */
export async function stand(options: StandingOptions): Promise<void> {
  const { channel, clock, budget, random, signal, frame } = options;
  let silent = 0;
  let lastId: string | undefined;
  let retryMs: number | undefined;
  const mark = ({ id, retry }: EventMark): void => {
    if (id !== undefined && id !== "") lastId = id;
    if (retry !== undefined) retryMs = retry;
  };

  while (!signal.aborted) {
    const began = clock.monotonic();
    let heard = false;
    const take = (text: string): void => {
      heard = true;
      frame(text);
    };
    const headers = lastId === undefined ? options.headers : { ...options.headers, "Last-Event-ID": lastId };
    try {
      await channel.listen(headers, { signal, sent: () => undefined, frame: take, mark });
    } catch (problem) {
      if (!mayResume(problem)) return;
    }
    silent = heard || clock.monotonic() - began >= LONG_MS ? 1 : silent + 1;
    if (silent > MOST_SILENT || signal.aborted || (silent > 1 && !budget.take())) return;
    const wait = pause(clock, retryMs ?? backoffMs(silent, PAUSE, random()), signal);
    if (await wait.catch(() => false)) silent = 0;
  }
}
