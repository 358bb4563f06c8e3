/**
 * The one port to the native host, shared by all local servers. It opens when the first of them is needed, says hello and
 * waits for the host's, and closes when nothing has used it for a while: as long as it is open the browser keeps the
 * worker. Every run of a server is tagged, so that a late word of an ended one reaches nobody; what flows on a run is
 * bounded by credit in both directions.
 *
 * INVARIANT: what runs is named only by an entry of the host's list. A host that is missing, refuses navra or speaks
 * another protocol starts nothing, and the state says what repairs it.
 *
 * @see https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging
 */
import {
  type Closed,
  type FromHost,
  HOST_NAME,
  type HostMethod,
  type HostParams,
  NATIVE_PROTOCOL,
  type ToHost,
} from "../../bridge/native.ts";
import { createInflow, createOutflow, type Inflow, type Outflow } from "../../bridge/native-flow.ts";
import { parseFromHost } from "../../bridge/native-parse.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Clock, LocalEvents, LocalLine } from "../../core/ports.ts";
import { closedFault, type HostState, hostFault, stateOfDisconnect } from "./native-state.ts";

/** The part of `runtime.Port` that is needed here. */
export interface RawPort {
  readonly onMessage: { addListener(listener: (message: unknown) => void): void };
  readonly onDisconnect: { addListener(listener: (port: unknown) => void): void };
  postMessage(message: unknown): void;
  disconnect(): void;
}

export interface NativePortOptions {
  readonly connect: (hostName: string) => RawPort;
  /** Why a port was disconnected, as the browser says it while its listener runs. */
  readonly disconnectReason: (port: unknown) => string;
  readonly version: string;
  readonly clock: Pick<Clock, "after" | "now">;
  /** The host's state, or what is known of a server, is another now. */
  readonly changed: () => void;
}

/** What a server's latest run left behind. */
export interface LastRun {
  readonly at: number;
  readonly message: string;
}

export interface NativePort {
  readonly local: (entryName: string, events: LocalEvents) => LocalLine;
  /** @throws GatewayError with a sentence, where the host cannot be reached or will not do it */
  ask<M extends HostMethod>(method: M, params: HostParams<M>): Promise<unknown>;
  /** A person's act: ends a server's runs at once and forgets its crashes; the next call starts it anew. */
  restart(entryName: string): Promise<void>;
  state(): HostState;
  /** How a server's latest run ended by itself, for the person. */
  lastRun(entryName: string): LastRun | undefined;
}

const HELLO_MS = 10_000;
const ASK_MS = 30_000;
/** The port closes after so long without a run or a question. */
export const REST_MS = 30_000;

interface Run {
  readonly entryName: string;
  readonly id: number;
  readonly events: LocalEvents;
  readonly outflow: Outflow;
  readonly inflow: Inflow;
}

type ToldOfRun = Extract<FromHost, { kind: "opened" | "frame" | "chunk" | "credit" | "closed" }>;

interface Session {
  readonly port: RawPort;
  readonly runs: Map<number, Run>;
  readonly asks: Map<number, (answer: FromHost | GatewayError) => void>;
  /** Messages that wait for the host's hello; absent once it came. */
  waiting: ToHost[] | undefined;
  stopWaiting: () => void;
  stopResting: () => void;
}

export function createNativePort(options: NativePortOptions): NativePort {
  const { clock, changed } = options;
  const lastRuns = new Map<string, LastRun>();
  let state: HostState = { state: "unknown" };
  let session: Session | undefined;
  let lastNumber = 0;

  return {
    local(entryName, events) {
      const mine = ready();
      lastNumber += 1;
      const run: Run = { entryName, id: lastNumber, events, outflow: createOutflow(), inflow: createInflow() };
      mine.runs.set(run.id, run);
      rest(mine);
      say(mine, { kind: "open", server: entryName, run: run.id });
      return {
        send(frame) {
          if (!mine.runs.has(run.id)) return;
          run.outflow.push(frame);
          pump(mine, run);
        },
        close() {
          if (!mine.runs.delete(run.id)) return;
          say(mine, { kind: "close", server: entryName, run: run.id });
          rest(mine);
        },
      };
    },

    async restart(entryName) {
      for (const run of [...(session?.runs.values() ?? [])]) {
        if (session && run.entryName === entryName) endRun(session, run, "closed");
      }
      await ask("restart", { server: entryName });
    },

    ask,
    state: () => state,
    lastRun: (entryName) => lastRuns.get(entryName),
  };

  function ask<M extends HostMethod>(method: M, params: HostParams<M>): Promise<unknown> {
    const mine = ready();
    lastNumber += 1;
    const number = lastNumber;
    return new Promise((resolve, reject) => {
      const stop = clock.after(ASK_MS, () => settle(new GatewayError("timed-out", SILENT)));
      const settle = (answer: FromHost | GatewayError) => {
        stop();
        mine.asks.delete(number);
        rest(mine);
        if (answer instanceof GatewayError) reject(answer);
        else if (answer.kind === "answer" && "result" in answer) resolve(answer.result);
        else if (answer.kind === "answer") reject(new GatewayError("invalid-params", answer.problem));
      };
      mine.asks.set(number, settle);
      rest(mine);
      say(mine, { kind: "ask", ask: number, method, params });
    });
  }

  /** The open port, or a new one. One that cannot be opened fails a turn later, through the same way as one that broke. */
  function ready(): Session {
    if (session) return session;
    const port = connectOr(options.connect, (problem) => {
      Promise.resolve().then(() => end(made, stateOfDisconnect(problem, false)));
    });
    const made: Session = {
      port,
      runs: new Map(),
      asks: new Map(),
      waiting: [],
      stopWaiting: clock.after(HELLO_MS, () => end(made, { state: "broken", detail: "silent" })),
      stopResting: () => {},
    };
    session = made;
    port.onMessage.addListener((message) => {
      if (session === made) take(made, message);
    });
    port.onDisconnect.addListener((gone) => {
      end(made, stateOfDisconnect(options.disconnectReason(gone), made.waiting === undefined));
    });
    post(made, { kind: "hello", protocol: NATIVE_PROTOCOL, version: options.version });
    return made;
  }

  function take(mine: Session, message: unknown): void {
    const told = parseFromHost(message);
    if (!told) end(mine, { state: "broken", detail: "garbled" });
    else if (told.kind === "hello") greeted(mine, told);
    else if (told.kind === "refused") end(mine, { state: told.reason === "protocol" ? "old" : "refused" });
    else if (told.kind === "answer") mine.asks.get(told.ask)?.(told);
    else if (told.kind === "stderr" || told.kind === "noise") changed();
    else {
      const run = mine.runs.get(told.run);
      if (run?.entryName === told.server) takeForRun(mine, run, told);
    }
  }

  function takeForRun(mine: Session, run: Run, told: ToldOfRun): void {
    if (told.kind === "closed") closed(mine, run, told);
    else if (told.kind === "opened") {
      run.events.open();
      changed();
    } else if (told.kind === "credit") {
      run.outflow.credit(told.units);
      pump(mine, run);
    } else takeText(mine, run, told);
  }

  function takeText(mine: Session, run: Run, told: Extract<ToldOfRun, { kind: "frame" | "chunk" }>): void {
    const taken = run.inflow.take(told.text, told.kind === "frame" || told.last);
    if (taken.kind === "too-large") {
      endRun(mine, run, "too-large");
      return;
    }
    if (taken.kind === "frame") run.events.text(taken.text);
    const units = run.inflow.done(told.text.length);
    if (units > 0 && mine.runs.has(run.id)) {
      say(mine, { kind: "credit", server: run.entryName, run: run.id, units });
    }
  }

  function greeted(mine: Session, { protocol, version, node, platform }: Extract<FromHost, { kind: "hello" }>): void {
    const waiting = mine.waiting;
    if (!waiting) return;
    if (protocol !== NATIVE_PROTOCOL) {
      end(mine, { state: "old" });
      return;
    }
    mine.stopWaiting();
    mine.waiting = undefined;
    become({ state: "ready", version, node, platform, same: version === options.version });
    for (const message of waiting) post(mine, message);
    for (const run of mine.runs.values()) pump(mine, run);
  }

  function closed(mine: Session, run: Run, told: Closed): void {
    mine.runs.delete(run.id);
    lastRuns.set(run.entryName, { at: clock.now(), message: told.message });
    rest(mine);
    run.events.close(closedFault(run.entryName, told));
    changed();
  }

  /** Ended by us: what the host says of it later is nobody's. */
  function endRun(mine: Session, run: Run, reason: "too-large" | "closed"): void {
    mine.runs.delete(run.id);
    say(mine, { kind: "close", server: run.entryName, run: run.id });
    rest(mine);
    run.events.close(closedFault(run.entryName, { reason }));
  }

  function pump(mine: Session, run: Run): void {
    if (mine.waiting) return;
    const tag = { server: run.entryName, run: run.id };
    for (let part = run.outflow.take(); part; part = run.outflow.take()) {
      const { text, whole, last } = part;
      post(mine, whole ? { kind: "frame", ...tag, text } : { kind: "chunk", ...tag, text, last });
    }
  }

  function say(mine: Session, message: ToHost): void {
    if (mine.waiting) mine.waiting.push(message);
    else post(mine, message);
  }

  function post(mine: Session, message: ToHost): void {
    // A port that is gone throws; its end is told by its own event.
    if (session === mine) quietly(() => mine.port.postMessage(message));
  }

  function rest(mine: Session): void {
    mine.stopResting();
    mine.stopResting = () => {};
    if (mine.runs.size > 0 || mine.asks.size > 0 || session !== mine) return;
    mine.stopResting = clock.after(REST_MS, () => {
      if (session !== mine) return;
      mine.stopWaiting();
      session = undefined;
      mine.port.disconnect();
    });
  }

  /** The port is of no more use: everything that hung on it fails, each with its own sentence. */
  function end(mine: Session, next: HostState): void {
    if (session !== mine) return;
    session = undefined;
    mine.stopWaiting();
    mine.stopResting();
    quietly(() => mine.port.disconnect());
    become(next);
    const fault = hostFault(next);
    for (const settle of [...mine.asks.values()]) settle(fault);
    for (const run of [...mine.runs.values()]) {
      mine.runs.delete(run.id);
      run.events.close(fault);
    }
  }

  function become(next: HostState): void {
    state = next;
    changed();
  }
}

const SILENT = "The helper for local servers did not answer. Try again; if it stays so, restart the browser.";

/** Both browsers may throw instead of handing out a port that ends at once. */
function connectOr(connect: NativePortOptions["connect"], failed: (problem: string) => void): RawPort {
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
