/**
 * MCP with a program on this machine, which the native host runs and speaks to over its standard input and output. The
 * first send starts a run; a run that carried nothing for half an hour is ended, because it costs memory and, as long as
 * one is left, keeps the browser from putting navra's worker to rest. A run that ended is never started again by itself,
 * only by the next link: what `initialize` settled is gone with it.
 *
 * @see MCP 2025-11-25 · Transports · stdio
 */
import { GatewayError } from "../errors.ts";
import type { Clock, LocalLine, Ports } from "../ports.ts";
import { linked, untilAborted } from "./abortable.ts";
import type { Channel, ChannelEvents } from "./channel.ts";

export interface NativeChannelOptions {
  readonly entryName: string;
  readonly local: Ports["local"];
  readonly clock: Pick<Clock, "after">;
  readonly events: ChannelEvents;
}

export const IDLE_MS = 30 * 60_000;

export function createNativeChannel({ entryName, local, clock, events }: NativeChannelOptions): Channel {
  const closing = new AbortController();
  let line: LocalLine | undefined;
  let opening: LocalLine | undefined;
  let starting: Promise<void> | undefined;
  let stopIdling = () => {};

  return {
    kind: "native",
    send: (frame, exchange) =>
      linked([exchange.signal, closing.signal], async (signal) => {
        if (!line) await untilAborted(signal, start());
        if (!line) throw ended();
        exchange.sent();
        line.send(frame.text);
        stirred();
      }),
    close() {
      closing.abort(new GatewayError("cancelled", "The connection to this server was closed."));
      opening?.close();
      drop(line);
    },
  };

  function start(): Promise<void> {
    starting ??= opened().finally(() => {
      starting = undefined;
      opening = undefined;
    });
    return starting;
  }

  function opened(): Promise<void> {
    return new Promise((resolve, reject) => {
      const made = local(entryName, {
        open: () => {
          // A turn later `made` is bound, even for a host that answers while it is being asked.
          Promise.resolve().then(() => {
            if (closing.signal.aborted) return;
            line = made;
            stirred();
            resolve();
          });
        },
        text: (frame) => {
          if (line !== made) return;
          stirred();
          events.unsolicited(frame);
        },
        close: (problem) => {
          if (drop(made)) events.closed(problem.message, problem.fault === "too-large" ? problem : undefined);
          reject(problem);
        },
      });
      opening = made;
    });
  }

  /** Something passed: the half hour begins anew. */
  function stirred(): void {
    stopIdling();
    stopIdling = clock.after(IDLE_MS, () => {
      if (drop(line)) events.closed("The server was stopped because it was not used for half an hour. Try again.");
    });
  }

  function drop(leaving: LocalLine | undefined): boolean {
    if (!leaving || line !== leaving) return false;
    line = undefined;
    stopIdling();
    leaving.close();
    return true;
  }
}

function ended(): GatewayError {
  return new GatewayError("upstream-unreachable", "The local server ended as it started. Look into its log in navra.");
}
