/**
 * One pipe from a document to the worker, and nothing else. It opens no port and says nothing before the page asks, never
 * reads a frame, and adds two facts that a page cannot fake, because only this isolated world can tell them for sure:
 * whether the person acted in this document just now, and whether the document is in sight. The second goes as a boolean;
 * all that a page can send is text. A hostile page may send anything here; it gains what its own origin has.
 *
 * INVARIANT: one port for each channel, at most `maxChannels` at once, and none while the document lies in the
 * back/forward cache: a port there would keep a frozen document talking.
 *
 * @see HTML · 7.4 Navigation and session history (pagehide, pageshow), 6.4 Tracking user activation
 */
import { pageDoorName } from "../bridge/doors.ts";
import {
  FROM_RELAY,
  type FromRelayOp,
  parseRelayEvent,
  relayEvent,
  TO_RELAY,
  type ToRelayOp,
} from "../bridge/handshake.ts";

export interface RelayPort {
  /** A frame, or whether the document is in sight now. */
  postMessage(message: string | boolean): void;
  disconnect(): void;
  readonly onMessage: { addListener(listener: (message: unknown) => void): void };
  readonly onDisconnect: { addListener(listener: () => void): void };
}

export interface RelayRuntime {
  /** Absent once the extension was reloaded or removed under this document. */
  readonly id?: string;
  connect(info: { name: string }): RelayPort;
}

export interface RelayOptions {
  /** The document's own window, as this isolated world sees it. */
  readonly target: EventTarget;
  /** Asked for at each open: the browser may take it away while the document lives. */
  readonly runtime: () => RelayRuntime | undefined;
  /** Whether the person acted in this document just now. */
  readonly acted: () => boolean;
  /** Whether the document is in sight. */
  readonly visible: () => boolean;
  readonly maxChannels: number;
  readonly maxFrameUnits: number;
}

const CHANNEL = /^[A-Za-z0-9_-]{1,64}$/;
const SERVER = /^(?:\*|[A-Za-z0-9._-]{0,64})$/;

/** Returns what adds the listeners again, without effect where they stand: `document.open()` takes every listener away. */
export function startRelay({ target, runtime, acted, visible, maxChannels, maxFrameUnits }: RelayOptions): () => void {
  const ports = new Map<string, RelayPort>();
  let asleep: string[] = [];

  const hear = (event: Event) => {
    const asked = parseRelayEvent<ToRelayOp>((event as CustomEvent<unknown>).detail);
    if (!asked || !CHANNEL.test(asked.channel)) return;
    if (asked.op === "open") open(asked.channel, asked.rest);
    else if (asked.op === "send") send(asked.channel, asked.rest);
    else if (asked.op === "close") drop(asked.channel);
  };

  const sleep = () => {
    asleep = [...ports.keys()];
    for (const channel of asleep) drop(channel);
  };

  const wake = () => {
    for (const channel of asleep.splice(0)) lose(channel, "The page was set aside and came back.");
  };

  const look = () => {
    for (const [channel, port] of [...ports]) post(channel, port, visible());
  };

  const listen = () => {
    target.addEventListener(TO_RELAY, hear);
    target.addEventListener("visibilitychange", look);
    target.addEventListener("pagehide", sleep);
    target.addEventListener("pageshow", wake);
  };
  listen();
  return listen;

  function open(channel: string, server: string): void {
    if (ports.has(channel) || !SERVER.test(server)) return;
    if (ports.size >= maxChannels) {
      lose(channel, "Too many channels are open in this page. Close one first.");
      return;
    }
    let port: RelayPort | undefined;
    try {
      const alive = runtime();
      if (alive?.id) port = alive.connect({ name: pageDoorName({ act: acted(), channel, server }) });
    } catch {
      // The extension went away between the two lines; told below like any other absence.
    }
    if (port) attach(channel, port);
    else lose(channel, "navra was updated or removed. Reload the page to use it again.");
  }

  function attach(channel: string, port: RelayPort): void {
    ports.set(channel, port);
    port.onMessage.addListener((message) => {
      if (ports.get(channel) === port && typeof message === "string") tell("frame", channel, message);
    });
    port.onDisconnect.addListener(() => {
      if (ports.get(channel) === port) lose(channel, "navra closed the connection.");
    });
    // A channel counts as in sight until it is said not to be.
    if (!visible()) post(channel, port, false);
  }

  function send(channel: string, frame: string): void {
    const port = ports.get(channel);
    if (!port) lose(channel, "The connection is not open.");
    else if (frame.length > maxFrameUnits)
      lose(channel, "The message is larger than navra carries. Send less at once.");
    else post(channel, port, frame);
  }

  function post(channel: string, port: RelayPort, message: string | boolean): void {
    try {
      port.postMessage(message);
    } catch {
      lose(channel, "The browser could not carry the message to navra.");
    }
  }

  function lose(channel: string, reason: string): void {
    drop(channel);
    tell("lost", channel, reason);
  }

  function drop(channel: string): void {
    const port = ports.get(channel);
    ports.delete(channel);
    try {
      port?.disconnect();
    } catch {
      // A port of a removed extension may refuse even this; it is gone either way.
    }
  }

  function tell(op: FromRelayOp, channel: string, rest: string): void {
    target.dispatchEvent(new CustomEvent(FROM_RELAY, { detail: relayEvent(op, channel, rest) }));
  }
}
