/**
 * The way to the native host, shared by all local servers: a connection opens when the first of them is needed, and a new
 * one with the next need after it ended. What is known of the host and of how servers ended is kept here for the person.
 *
 * INVARIANT: what runs is named only by an entry of the host's list. A host that is missing, refuses navra or speaks
 * another protocol starts nothing, and the state says what repairs it.
 */
import type { HostMethod, HostParams } from "../../bridge/native.ts";
import type { LocalEvents, LocalLine } from "../../core/ports.ts";
import { createNativeAsks, type NativeAsks } from "./native-asks.ts";
import { createNativeRuns, type NativeRuns } from "./native-runs.ts";
import { type NativeBrowser, type NativeSession, openNativeSession, type Told } from "./native-session.ts";
import { type HostState, hostFault } from "./native-state.ts";

export interface NativePortOptions extends NativeBrowser {
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

interface Connection {
  readonly runs: NativeRuns;
  readonly asks: NativeAsks;
}

export function createNativePort(options: NativePortOptions): NativePort {
  const { clock, changed } = options;
  const lastRuns = new Map<string, LastRun>();
  let state: HostState = { state: "unknown" };
  let open: Connection | undefined;

  return {
    local: (entryName, events) => ready().runs.open(entryName, events),
    ask: (method, params) => ready().asks.ask(method, params),
    async restart(entryName) {
      open?.runs.close(entryName);
      await ready().asks.ask("restart", { server: entryName });
    },
    state: () => state,
    lastRun: (entryName) => lastRuns.get(entryName),
  };

  function ready(): Connection {
    if (open) return open;
    const say: NativeSession["say"] = (message) => session.say(message);
    const used = () => session.rest();
    const runs = createNativeRuns({
      say,
      used,
      changed,
      over: ({ server, message }) => lastRuns.set(server, { at: clock.now(), message }),
    });
    const asks = createNativeAsks({ clock, say, used });
    const made: Connection = { runs, asks };
    open = made;
    const session = openNativeSession(options, {
      told: (message) => take(made, message),
      ready: become,
      inUse: () => runs.size > 0 || asks.size > 0,
      ended(next) {
        open = undefined;
        if (!next) return;
        become(next);
        const fault = hostFault(next);
        asks.fail(fault);
        runs.fail(fault);
      },
    });
    return made;
  }

  function take({ runs, asks }: Connection, told: Told): void {
    if (told.kind === "answer") asks.take(told);
    else if (told.kind === "stderr" || told.kind === "noise") changed();
    else runs.take(told);
  }

  /** Told only where it is another: a page that asks at every news would start a host that cannot start again and again. */
  function become(next: HostState): void {
    const same = JSON.stringify(next) === JSON.stringify(state);
    state = next;
    if (!same) changed();
  }
}
