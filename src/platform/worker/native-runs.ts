/**
 * The runs of local servers on one connection to the host. Every run is tagged, so that a late word of an ended one reaches
 * nobody; what flows on a run is bounded by credit in both directions, and long frames are cut and put together here.
 */
import type { Closed, FromHost, ToHost } from "../../bridge/native.ts";
import { createInflow, createOutflow, type Inflow, type Outflow } from "../../bridge/native-flow.ts";
import type { GatewayError } from "../../core/errors.ts";
import type { LocalEvents, LocalLine } from "../../core/ports.ts";
import { closedFault } from "./native-state.ts";

export type ToldOfRun = Extract<FromHost, { kind: "opened" | "frame" | "chunk" | "credit" | "closed" }>;

export interface NativeRuns {
  readonly size: number;
  open(entryName: string, events: LocalEvents): LocalLine;
  take(told: ToldOfRun): void;
  /** Ends a server's runs at once; what the host says of them later is nobody's. */
  close(entryName: string): void;
  /** The connection is of no more use. */
  fail(fault: GatewayError): void;
}

export interface RunsEvents {
  readonly say: (message: ToHost) => void;
  /** One more run is open, or one less. */
  readonly used: () => void;
  /** What the person may be shown of a run is another now. */
  readonly changed: () => void;
  /** A run ended by itself. */
  readonly over: (told: Closed) => void;
}

interface Run {
  readonly entryName: string;
  readonly id: number;
  readonly events: LocalEvents;
  readonly outflow: Outflow;
  readonly inflow: Inflow;
}

export function createNativeRuns({ say, used, changed, over }: RunsEvents): NativeRuns {
  const runs = new Map<number, Run>();
  let last = 0;

  return {
    get size() {
      return runs.size;
    },
    open(entryName, events) {
      last += 1;
      const run: Run = { entryName, id: last, events, outflow: createOutflow(), inflow: createInflow() };
      runs.set(run.id, run);
      used();
      say({ kind: "open", server: entryName, run: run.id });
      return {
        send(frame) {
          if (!runs.has(run.id)) return;
          run.outflow.push(frame);
          pump(run);
        },
        close: () => leave(run),
      };
    },
    take(told) {
      const run = runs.get(told.run);
      if (run?.entryName !== told.server) return;
      if (told.kind === "closed") closed(run, told);
      else if (told.kind === "opened") {
        run.events.open();
        changed();
      } else if (told.kind === "credit") {
        run.outflow.credit(told.units);
        pump(run);
      } else takeText(run, told);
    },
    close(entryName) {
      for (const run of [...runs.values()]) if (run.entryName === entryName) end(run, "closed");
    },
    fail(fault) {
      for (const run of [...runs.values()]) {
        runs.delete(run.id);
        run.events.close(fault);
      }
    },
  };

  function takeText(run: Run, told: Extract<ToldOfRun, { kind: "frame" | "chunk" }>): void {
    const taken = run.inflow.take(told.text, told.kind === "frame" || told.last);
    if (taken.kind === "too-large") {
      end(run, "too-large");
      return;
    }
    if (taken.kind === "frame") run.events.text(taken.text);
    const units = run.inflow.done(told.text.length);
    if (units > 0 && runs.has(run.id)) say({ kind: "credit", server: run.entryName, run: run.id, units });
  }

  function closed(run: Run, told: Closed): void {
    runs.delete(run.id);
    used();
    over(told);
    run.events.close(closedFault(run.entryName, told));
    changed();
  }

  function end(run: Run, reason: "too-large" | "closed"): void {
    leave(run);
    run.events.close(closedFault(run.entryName, { reason }));
  }

  function leave(run: Run): void {
    if (!runs.delete(run.id)) return;
    say({ kind: "close", server: run.entryName, run: run.id });
    used();
  }

  function pump(run: Run): void {
    const tag = { server: run.entryName, run: run.id };
    for (let part = run.outflow.take(); part; part = run.outflow.take()) {
      const { text, whole, last: isLast } = part;
      say(whole ? { kind: "frame", ...tag, text } : { kind: "chunk", ...tag, text, last: isLast });
    }
  }
}
