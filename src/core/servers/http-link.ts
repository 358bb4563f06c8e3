/**
 * A link over Streamable HTTP: every request has its own response, so whatever arrives in it belongs to that request or to
 * nothing. After the reply the response may end by itself for a moment, which keeps the connection for the next call, and
 * is closed then: a server cannot hold it open.
 *
 * @see MCP 2025-11-25 · Transports · Streamable HTTP · Sending messages to the server
 */
import type { Clock } from "../ports.ts";
import { abortWith } from "../transports/abortable.ts";
import { randomFraction } from "../transports/backoff.ts";
import type { HttpChannel } from "../transports/streamable-http.ts";
import { decode, type WireFault } from "../wire/decode.ts";
import type { Id, Message, NotificationMessage, Reply, RequestMessage } from "../wire/message.ts";
import { createBacks } from "./backs.ts";
import { noAnswer, PROGRESS, progressToken, unreadable } from "./incoming.ts";
import type { Ask, Link, LinkOptions } from "./link.ts";
import { createResumption } from "./resume.ts";
import { type StandingEnd, stand } from "./standing.ts";

export interface HttpLinkOptions extends LinkOptions {
  readonly channel: HttpChannel;
  readonly clock: Clock;
  readonly randomId: () => string;
  /** Headers for replies to the server's own requests. */
  readonly replyHeaders: () => Readonly<Record<string, string>>;
}

/** How long a response may stay open after its reply. */
const LINGER_MS = 2_000;

export function createHttpLink(options: HttpLinkOptions): Link {
  const { channel } = options;
  const open = new Map<Id, Ask>();
  return {
    shared: false,
    ask(ask) {
      open.set(ask.id, ask);
      return askOverHttp(options, ask).finally(() => open.delete(ask.id));
    },
    stand: (headers, signal) => standOverHttp(options, open, { headers, signal }),
    tell: ({ text, headers, kind, signal }) =>
      channel.send({ text, headers, kind }, { signal, sent: nothing, frame: nothing }),
    end: (headers, signal) => channel.end(headers, signal),
    close: () => channel.close(),
  };
}

interface Stand {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

async function standOverHttp(
  options: HttpLinkOptions,
  open: ReadonlyMap<Id, Ask>,
  { headers, signal }: Stand,
): Promise<StandingEnd> {
  const { channel, clock, budget, limits, batches, drops } = options;
  const backs = createBacks();

  const takeRequest = (item: RequestMessage): void => {
    // Only where one call is open can it be known that the server asks because of it.
    const [only, ...others] = open.values();
    const back = others.length === 0 && only?.back ? only.back : options.unsolicitedBack;
    backs
      .answer(item, back)
      .then((text) => postReply(options, text, signal))
      .catch(nothing);
  };

  const takeItem = (item: Message | WireFault): void => {
    if (item.kind === "request") takeRequest(item);
    else if (item.kind !== "notification") drops.add("foreign");
    else if (item.method === PROGRESS) open.get(progressToken(item))?.progress?.(item);
    else if (!backs.cancels(item)) options.unsolicited(item);
  };

  const frame = (text: string): void => {
    for (const item of decode(text, { limits, batches: batches() }).items) takeItem(item);
  };
  const random = () => randomFraction(options.randomId);
  const end = await stand({ channel, clock, budget, random, headers, signal, frame });
  backs.end();
  return end;
}

async function postReply(options: HttpLinkOptions, text: string | undefined, signal: AbortSignal): Promise<void> {
  if (text === undefined) return;
  const frame = { text, headers: options.replyHeaders(), kind: "reply" } as const;
  await options.channel.send(frame, { signal, sent: nothing, frame: nothing });
}

function askOverHttp(options: HttpLinkOptions, ask: Ask): Promise<Reply> {
  const { channel, clock, budget, limits, batches, ids, drops } = options;
  return new Promise<Reply>((resolve, reject) => {
    const done = new AbortController();
    const backs = createBacks();
    const { signal } = done;
    const release = abortWith(done, [ask.signal]);
    let settled = false;
    let stopLingering = nothing;

    const frame = { text: ask.text, headers: ask.headers, kind: "request" } as const;
    const stream = createResumption({
      clock,
      budget,
      signal,
      random: () => randomFraction(options.randomId),
      settled: () => settled || !ask.resumable,
      get: (lastEventId) =>
        channel.listen(
          { ...ask.headers, "Last-Event-ID": lastEventId },
          { signal, sent: nothing, frame: take, mark: stream.mark },
        ),
    });
    channel
      .send(frame, { signal, sent: ask.sent, frame: take, mark: stream.mark, ...(ask.head && { head: ask.head }) })
      .then(
        () => stream.follow(undefined),
        (problem: unknown) => stream.follow(problem),
      )
      .then((problem) => fail(problem ?? noAnswer()))
      .finally(() => {
        stopLingering();
        release();
      });

    function take(text: string): void {
      for (const item of decode(text, { limits, batches: batches() }).items) takeItem(item);
    }

    function takeItem(item: Message | WireFault): void {
      if (item.kind === "result" || item.kind === "error") takeReply(item);
      else if (settled) drops.add("late");
      else if (item.kind === "fault") takeFault(item);
      else if (item.kind === "notification") takeNotification(item);
      else if (ask.back) backs.answer(item, ask.back).then(post).catch(nothing);
      else drops.add("stray");
    }

    function post(text: string | undefined): Promise<void> {
      return postReply(options, text, ask.signal);
    }

    function takeReply(reply: Reply): void {
      // An error without an id in this response can only be about this request.
      const ours = reply.id === ask.id || (reply.kind === "error" && reply.id === null);
      if (!ours) drops.add(reply.id !== null && ids.issued(reply.id) ? "late" : "foreign");
      else if (settled) drops.add("late");
      else settle(reply);
    }

    function settle(reply: Reply): void {
      settled = true;
      backs.end();
      resolve(reply);
      stopLingering = clock.after(LINGER_MS, () => done.abort());
    }

    function takeFault(fault: WireFault): void {
      if (fault.id !== null && fault.id !== ask.id) {
        drops.add("foreign");
        return;
      }
      fail(unreadable(fault));
      done.abort();
    }

    function takeNotification(message: NotificationMessage): void {
      if (backs.cancels(message)) return;
      if (message.method !== PROGRESS) ask.event?.(message);
      else if (ask.progress && progressToken(message) === ask.id) ask.progress(message);
      else drops.add("stray");
    }

    function fail(problem: unknown): void {
      if (settled) return;
      settled = true;
      backs.end();
      reject(problem);
    }
  });
}

function nothing(): void {}
