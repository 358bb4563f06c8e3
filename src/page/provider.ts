/**
 * The provider that an agent in the page talks to. It answers the agent's request event and never speaks first; each
 * channel is a pair of relay events under a random name. This is a convenience in a hostile world, never the place of
 * enforcement: whatever a page does to it, the worker judges every frame anyway.
 *
 * What it uses of the page's globals is taken once at document start, so that a page which patches them later does not
 * break an honest agent beside it. Nothing is left on `window`.
 */
import {
  ANNOUNCE_EVENT,
  FROM_RELAY,
  type FromRelayOp,
  MAX_FRAME_UNITS,
  type Provider,
  type ProviderChannel,
  parseRelayEvent,
  REQUEST_EVENT,
  relayEvent,
  TO_RELAY,
  type ToRelayOp,
} from "../bridge/handshake.ts";

/** The page's globals as they are at document start. */
export interface PageGlobals {
  readonly target: EventTarget;
  readonly CustomEvent: typeof CustomEvent;
  readonly crypto: Pick<Crypto, "getRandomValues">;
}

interface Wire {
  /** Hands one event to the relay; its answer may arrive before this returns. */
  tell(op: ToRelayOp, channel: string, rest: string): void;
  /** Calls back for events of one channel. */
  hear(channel: string, listener: (op: FromRelayOp, rest: string) => void): void;
  forget(channel: string): void;
  /** Listener for events of the relay. */
  receive(event: Event): void;
  newName(): string;
}

const SERVER = /^(?:\*|[A-Za-z0-9._-]{0,64})$/;

/** Returns what adds the listeners again, without effect where they stand: `document.open()` takes every listener away. */
export function installProvider(globals: PageGlobals): () => void {
  const { target, CustomEvent } = globals;
  const dispatch = target.dispatchEvent.bind(target);
  const wire = relayWire(globals);
  const provider: Provider = Object.freeze({
    name: "navra",
    version: 1,
    open: (server: string) => openChannel(wire, server),
  });
  const add = target.addEventListener.bind(target);
  const announce = () => {
    dispatch(new CustomEvent(ANNOUNCE_EVENT, { detail: Object.freeze({ provider }) }));
  };
  const listen = () => {
    add(REQUEST_EVENT, announce);
    add(FROM_RELAY, wire.receive);
  };
  listen();
  return listen;
}

function relayWire({ target, CustomEvent, crypto }: PageGlobals): Wire {
  const dispatch = target.dispatchEvent.bind(target);
  const random = crypto.getRandomValues.bind(crypto);
  const detailOf = Object.getOwnPropertyDescriptor(CustomEvent.prototype, "detail")?.get;
  const apply = Reflect.apply;
  const listeners = new Map<string, (op: FromRelayOp, rest: string) => void>();

  const receive = (event: Event) => {
    if (!detailOf || !(event instanceof CustomEvent)) return;
    const told = parseRelayEvent<FromRelayOp>(apply(detailOf, event, []));
    if (told) listeners.get(told.channel)?.(told.op, told.rest);
  };

  return {
    tell: (op, channel, rest) => {
      dispatch(new CustomEvent(TO_RELAY, { detail: relayEvent(op, channel, rest) }));
    },
    hear: (channel, listener) => void listeners.set(channel, listener),
    forget: (channel) => void listeners.delete(channel),
    receive,
    newName: () => {
      let name = "";
      for (const byte of random(new Uint8Array(16))) name += byte.toString(16).padStart(2, "0");
      return name;
    },
  };
}

function openChannel(wire: Wire, server: string): ProviderChannel {
  if (typeof server !== "string" || !SERVER.test(server)) {
    throw new TypeError("A server's name has up to 64 letters, digits, dots, dashes and underscores.");
  }
  const name = wire.newName();
  let closed = false;
  let onlost: ProviderChannel["onlost"] = null;
  // A loss that comes before anyone listens, as when `open` itself fails, is told to the first who does.
  let untold: string | undefined;

  const channel: ProviderChannel = {
    onframe: null,
    get onlost() {
      return onlost;
    },
    set onlost(listener) {
      onlost = listener;
      const reason = untold;
      if (!listener || reason === undefined) return;
      untold = undefined;
      listener(reason);
    },
    send(frame) {
      if (closed) throw new Error("This channel is closed. Open a new one.");
      if (typeof frame !== "string") throw new TypeError("A frame is a string.");
      if (frame.length > MAX_FRAME_UNITS) throw new RangeError("The message is larger than navra carries.");
      wire.tell("send", name, frame);
    },
    resume() {
      if (!closed) wire.tell("open", name, server);
    },
    close() {
      if (closed) return;
      closed = true;
      wire.forget(name);
      wire.tell("close", name, "");
    },
  };
  wire.hear(name, (op, rest) => {
    if (op === "frame") channel.onframe?.(rest);
    else if (op !== "lost") return;
    else if (onlost) onlost(rest);
    else untold = rest;
  });
  channel.resume();
  return channel;
}
