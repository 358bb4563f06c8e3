/**
 * A control door from a page of ours to the worker: asks with answers, and news of what changed. The browser stops the
 * worker when it likes; the door then opens again by itself while someone is looking, with a growing pause, and at once
 * when the person acts.
 *
 * INVARIANT: an ask that changes something is sent at most once. Only reads are repeated after a lost port; a change that
 * was open is rejected with a sentence, because nobody knows whether it happened.
 */
import browser, { type Runtime } from "webextension-polyfill";
import type { ControlAnswer, ControlMethod, ControlNews, ControlParams, ControlResult } from "../bridge/control-api.ts";
import type { ControlDoor } from "../bridge/doors.ts";
import type { Topic } from "../core/ports.ts";
import { message } from "./i18n.ts";

/** `waking`: a port is open and nothing came through it yet. `lost`: there is no port; a new one is tried. */
export type DoorState = "open" | "waking" | "lost";

export interface ControlClient {
  /** Rejects with an `Error` whose message is a sentence for the person. */
  call<M extends ControlMethod>(method: M, params: ControlParams<M>): Promise<ControlResult<M>>;
  /** Topics that changed; every topic after a lost port, because news may have been missed. Returns the unsubscriber. */
  onNews(listener: (topics: readonly Topic[]) => void): () => void;
  /** Told at once, then at every change. Returns the unsubscriber. */
  onState(listener: (state: DoorState) => void): () => void;
}

export function openDoor(door: ControlDoor): ControlClient {
  return new Door(door);
}

const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 10_000;
const READS = /\.(read|page|verify|calls|call|check|history|export)$/;
const ALL_TOPICS: readonly Topic[] = [
  "servers",
  "rules",
  "connections",
  "approvals",
  "records",
  "pins",
  "local",
  "pause",
  "calls",
];

interface OpenAsk {
  readonly method: ControlMethod;
  readonly params: unknown;
  readonly settle: (result: unknown) => void;
  readonly fail: (problem: Error) => void;
}

class Door implements ControlClient {
  readonly #name: ControlDoor;
  readonly #asks = new Map<number, OpenAsk>();
  readonly #news = new Set<(topics: readonly Topic[]) => void>();
  readonly #states = new Set<(state: DoorState) => void>();
  #port: Runtime.Port | undefined;
  #state: DoorState = "lost";
  #lastAsk = 0;
  #pause = FIRST_PAUSE;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wasLost = false;

  constructor(name: ControlDoor) {
    this.#name = name;
    const now = () => this.#reconnectNow();
    for (const act of ["pointerdown", "keydown", "focus"]) addEventListener(act, now, { capture: true, passive: true });
    document.addEventListener("visibilitychange", now);
    this.#connect();
  }

  call<M extends ControlMethod>(method: M, params: ControlParams<M>): Promise<ControlResult<M>> {
    return new Promise((resolve, reject) => {
      this.#reconnectNow();
      const ask = ++this.#lastAsk;
      this.#asks.set(ask, {
        method,
        params,
        settle: (result) => resolve(result as ControlResult<M>),
        fail: reject,
      });
      this.#send(ask);
    });
  }

  onNews(listener: (topics: readonly Topic[]) => void): () => void {
    this.#news.add(listener);
    return () => this.#news.delete(listener);
  }

  onState(listener: (state: DoorState) => void): () => void {
    this.#states.add(listener);
    listener(this.#state);
    return () => this.#states.delete(listener);
  }

  #connect(): void {
    clearTimeout(this.#timer);
    let port: Runtime.Port;
    try {
      port = browser.runtime.connect({ name: this.#name });
    } catch {
      this.#lose();
      return;
    }
    this.#port = port;
    port.onMessage.addListener((text: unknown) => this.#receive(text));
    port.onDisconnect.addListener(() => {
      if (this.#port === port) this.#lose();
    });
    this.#setState("waking");
    for (const ask of this.#asks.keys()) this.#send(ask);
    if (this.#wasLost) this.#tell(ALL_TOPICS);
    this.#wasLost = false;
  }

  #send(id: number): void {
    const ask = this.#asks.get(id);
    if (!ask || !this.#port) return;
    try {
      this.#port.postMessage({ ask: id, method: ask.method, params: ask.params });
    } catch {
      this.#lose();
    }
  }

  #receive(message: unknown): void {
    this.#pause = FIRST_PAUSE;
    this.#setState("open");
    if (typeof message !== "object" || message === null) return;
    if ("changed" in message) this.#tell((message as ControlNews).changed);
    if ("ask" in message) this.#answer(message as ControlAnswer);
  }

  #answer(answer: ControlAnswer): void {
    const ask = this.#asks.get(answer.ask);
    if (!ask) return;
    this.#asks.delete(answer.ask);
    if ("problem" in answer) ask.fail(new Error(answer.problem));
    else ask.settle(answer.result);
  }

  #lose(): void {
    this.#port = undefined;
    this.#wasLost = true;
    this.#setState("lost");
    for (const [id, ask] of this.#asks) {
      if (READS.test(ask.method)) continue;
      this.#asks.delete(id);
      ask.fail(new Error(message("shared_ask_lost")));
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (document.visibilityState === "visible") this.#connect();
    }, this.#pause);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  #reconnectNow(): void {
    if (!this.#port && document.visibilityState === "visible") this.#connect();
  }

  #setState(state: DoorState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#states) listener(state);
  }

  #tell(topics: readonly Topic[]): void {
    for (const listener of this.#news) listener(topics);
  }
}
