/**
 * A link over one shared connection (WebSocket, native, pair): replies find their request by the id we gave it. A frame that cannot
 * be read and names no request breaks the connection, because nobody can say what was lost; losing the connection fails
 * every open request at once.
 *
 * INVARIANT: a request leaves `open` exactly once, by its reply, its abort, or the end of the connection.
 */
import { GatewayError } from "../errors.ts";
import type { Clock } from "../ports.ts";
import { abortFault } from "../transports/abortable.ts";
import type { Channel, ChannelEvents } from "../transports/channel.ts";
import { decode, type WireFault } from "../wire/decode.ts";
import type { Id, Message, NotificationMessage, Reply, RequestMessage } from "../wire/message.ts";
import { createBacks } from "./backs.ts";
import { PROGRESS, progressToken, subscriptionOf, unreadable } from "./incoming.ts";
import type { Ask, Link, LinkOptions } from "./link.ts";
import { createPulse, type Pulse } from "./pulse.ts";
import type { StandingEnd } from "./standing.ts";

export interface SharedLinkOptions extends LinkOptions {
  readonly connect: (events: ChannelEvents) => Channel;
  /** The connection is gone, and with it what `initialize` settled on it. */
  readonly lost: () => void;
  /** The server may ask something back in this revision. */
  readonly backs: boolean;
  readonly clock: Clock;
  /** A small request that any server answers, to hear whether it still does. */
  readonly beat: (id: Id) => string;
}

interface Open {
  readonly ask: Ask;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (problem: unknown) => void;
}

export function createSharedLink(options: SharedLinkOptions): Link {
  const { limits, batches, ids, drops } = options;
  const open = new Map<Id, Open>();
  const life = new AbortController();
  /** Those that belong to the open call, and those that belong to none and outlive every call. */
  const backs = { ofCall: createBacks(), ofNone: createBacks() };
  const beats = new Set<Id>();
  let attended = 0;
  let pulse: Pulse | undefined;
  const channel = options.connect({
    unsolicited: (text) => {
      pulse?.heard();
      for (const item of decode(text, { limits, batches: batches() }).items) take(item);
    },
    closed: (reason, problem) => end(problem ?? new GatewayError("upstream-broken", reason)),
  });

  return {
    shared: true,
    ask: (ask) => new Promise<Reply>((resolve, reject) => start({ ask, resolve, reject })),
    tell: ({ text, headers, kind, signal }) =>
      channel.send({ text, headers, kind }, { signal, sent: nothing, frame: nothing }),
    stand: (_headers, signal) => attend(signal),
    end: async () => undefined,
    close: end,
  };

  function start(entry: Open): void {
    const { ask, reject } = entry;
    const { id, signal } = ask;
    if (signal.aborted) {
      reject(abortFault(signal));
      return;
    }
    open.set(id, entry);
    pulse ??= watch();
    signal.addEventListener("abort", () => fail(id, abortFault(signal)), { once: true });
    channel
      .send({ text: ask.text, headers: ask.headers, kind: "request" }, { signal, sent: ask.sent, frame: nothing })
      .catch((problem: unknown) => fail(id, problem));
  }

  /** While somebody listens the connection is watched also without a call. */
  function attend(signal: AbortSignal): Promise<StandingEnd> {
    if (signal.aborted) return Promise.resolve("none");
    attended += 1;
    return new Promise((resolve) => {
      const stop = (): void => {
        attended -= 1;
        resolve("none");
      };
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  function watch(): Pulse {
    return createPulse({
      clock: options.clock,
      signal: life.signal,
      needed: () => attended > 0 || open.size > 0,
      beat: () => {
        const id = ids.next();
        beats.add(id);
        reply(options.beat(id)).catch(nothing);
      },
      dead: () => end(silent()),
    });
  }

  function take(item: Message | WireFault): void {
    if (item.kind === "fault") takeFault(item);
    else if (item.kind === "request") takeRequest(item);
    else if (item.kind === "notification") takeNotification(item);
    else takeReply(item);
  }

  function takeReply(reply: Reply): void {
    if (reply.id !== null && beats.delete(reply.id)) return;
    const entry = reply.id === null ? undefined : close(reply.id);
    if (entry) entry.resolve(reply);
    else drops.add(reply.id !== null && ids.issued(reply.id) ? "late" : "foreign");
  }

  function takeFault(fault: WireFault): void {
    if (fault.id === null) end(unreadable(fault));
    else if (open.has(fault.id)) fail(fault.id, unreadable(fault));
    else drops.add("foreign");
  }

  function takeNotification(message: NotificationMessage): void {
    if (backs.ofCall.cancels(message) && backs.ofNone.cancels(message)) return;
    const subscriber = open.get(subscriptionOf(message.params))?.ask.event;
    const progress = open.get(progressToken(message))?.ask.progress;
    const [only, ...others] = message.method === LOG ? open.values() : [];
    if (subscriber) subscriber(message);
    else if (only?.ask.event && others.length === 0) only.ask.event(message);
    else if (message.method !== PROGRESS) options.unsolicited(message);
    else if (progress) progress(message);
    else drops.add("stray");
  }

  /** Only where one call is open can it be known whom the server means. */
  function takeRequest(request: RequestMessage): void {
    if (!options.backs) {
      drops.add("stray");
      return;
    }
    const [only, ...others] = open.values();
    const back = others.length === 0 ? only?.ask.back : undefined;
    (back ? backs.ofCall.answer(request, back) : backs.ofNone.answer(request, options.unsolicitedBack))
      .then((text) => (text === undefined ? undefined : reply(text)))
      .catch(nothing);
  }

  function reply(text: string): Promise<void> {
    return channel.send({ text, headers: {}, kind: "reply" }, { signal: life.signal, sent: nothing, frame: nothing });
  }

  /** For good: the next request makes a new link, so that nothing meets a connection without a session. */
  function end(reason: GatewayError): void {
    if (life.signal.aborted) return;
    life.abort(reason);
    backs.ofCall.end();
    backs.ofNone.end();
    channel.close();
    options.lost();
    for (const id of [...open.keys()]) fail(id, reason);
  }

  function fail(id: Id, problem: unknown): void {
    close(id)?.reject(problem);
  }

  function close(id: Id): Open | undefined {
    const entry = open.get(id);
    open.delete(id);
    if (open.size === 0) backs.ofCall.end();
    return entry;
  }
}

/** It names no request; where one call is open it can only be about that. */
const LOG = "notifications/message";

function silent(): GatewayError {
  return new GatewayError(
    "upstream-broken",
    "The connection to the server is dead: nothing came through it any more. A call that was open may have happened: look before you send it again.",
  );
}

function nothing(): void {}
