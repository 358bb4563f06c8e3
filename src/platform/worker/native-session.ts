/**
 * One connection to the native host, from its hello to its end. Nothing but hello is said before the host has answered with
 * its own; a host that is silent, garbled, of another protocol or gone ends it, with the state that says what repairs it.
 * It also ends when nothing has used it for a while, because as long as it is open the browser keeps the worker.
 *
 * @see https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging
 */
import { type FromHost, HOST_NAME, NATIVE_PROTOCOL, type ToHost } from "../../bridge/native.ts";
import { parseFromHost } from "../../bridge/native-parse.ts";
import type { Clock } from "../../core/ports.ts";
import { type HostState, stateOfDisconnect } from "./native-state.ts";

/** The part of `runtime.Port` that is needed here. */
export interface RawPort {
  readonly onMessage: { addListener(listener: (message: unknown) => void): void };
  readonly onDisconnect: { addListener(listener: (port: unknown) => void): void };
  postMessage(message: unknown): void;
  disconnect(): void;
}

export interface NativeBrowser {
  readonly connect: (hostName: string) => RawPort;
  /** Why a port was disconnected, as the browser says it while its listener runs. */
  readonly disconnectReason: (port: unknown) => string;
  readonly version: string;
  readonly clock: Pick<Clock, "after" | "now">;
}

export interface SessionEvents {
  readonly told: (message: Told) => void;
  readonly ready: (state: HostState) => void;
  /** Once. With the state that the host is left in, or without where it was only not used any more. */
  readonly ended: (state: HostState | undefined) => void;
  readonly inUse: () => boolean;
}

export type Told = Exclude<FromHost, { kind: "hello" | "refused" }>;

export interface NativeSession {
  /** Waits for the host's hello. After the end nothing is said. */
  say(message: ToHost): void;
  /** Call when something began or ended to use it. */
  rest(): void;
}

const HELLO_MS = 10_000;
/** The port closes after so long without a run or a question. */
export const REST_MS = 30_000;

export function openNativeSession(browser: NativeBrowser, events: SessionEvents): NativeSession {
  const { clock, version } = browser;
  let waiting: ToHost[] | undefined = [];
  let over = false;
  let stopResting = () => {};
  const stopWaiting = clock.after(HELLO_MS, () => end({ state: "broken", detail: "silent" }));
  // One that cannot be opened fails a turn later, through the same way as one that broke.
  const port = connectOr(browser.connect, (problem) => {
    Promise.resolve().then(() => end(stateOfDisconnect(problem, false)));
  });
  port.onMessage.addListener((message) => {
    if (!over) take(message);
  });
  port.onDisconnect.addListener((gone) => {
    end(stateOfDisconnect(browser.disconnectReason(gone), waiting === undefined));
  });
  post({ kind: "hello", protocol: NATIVE_PROTOCOL, version });

  return {
    say(message) {
      if (over) return;
      if (waiting) waiting.push(message);
      else post(message);
    },
    rest() {
      stopResting();
      stopResting = over || events.inUse() ? () => {} : clock.after(REST_MS, () => end(undefined));
    },
  };

  function take(message: unknown): void {
    const told = parseFromHost(message);
    if (!told) end({ state: "broken", detail: "garbled" });
    else if (told.kind === "hello") greeted(told);
    else if (told.kind === "refused") end({ state: told.reason === "protocol" ? "old" : "refused" });
    else events.told(told);
  }

  function greeted({ protocol, version: theirs, node, platform }: Extract<FromHost, { kind: "hello" }>): void {
    const held = waiting;
    if (!held) return;
    if (protocol !== NATIVE_PROTOCOL) {
      end({ state: "old" });
      return;
    }
    stopWaiting();
    waiting = undefined;
    events.ready({ state: "ready", version: theirs, node, platform, same: theirs === version });
    for (const message of held) post(message);
  }

  function post(message: ToHost): void {
    // A port that is gone throws; its end is told by its own event.
    quietly(() => port.postMessage(message));
  }

  function end(state: HostState | undefined): void {
    if (over) return;
    over = true;
    stopWaiting();
    stopResting();
    quietly(() => port.disconnect());
    events.ended(state);
  }
}

/** Both browsers may throw instead of handing out a port that ends at once. */
function connectOr(connect: NativeBrowser["connect"], failed: (problem: string) => void): RawPort {
  try {
    return connect(HOST_NAME);
  } catch (thrown) {
    failed(thrown instanceof Error ? thrown.message : "");
    return { onMessage: NO_EVENT, onDisconnect: NO_EVENT, postMessage() {}, disconnect() {} };
  }
}

const NO_EVENT = { addListener() {} };

function quietly(run: () => void): void {
  try {
    run();
  } catch {
    // Nothing is lost that was not lost already.
  }
}
