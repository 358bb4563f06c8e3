/** Questions to the host that are not yet answered: each ends once, by its answer, its time, or the connection's end. */
import type { HostAnswer, HostMethod, HostParams, ToHost } from "../../bridge/native.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports.ts";

export interface NativeAsks {
  readonly size: number;
  ask<M extends HostMethod>(method: M, params: HostParams<M>): Promise<unknown>;
  take(answer: HostAnswer): void;
  fail(fault: GatewayError): void;
}

export interface AsksEvents {
  readonly clock: Pick<Clock, "after">;
  readonly say: (message: ToHost) => void;
  /** One more waits, or one less. */
  readonly used: () => void;
}

const ASK_MS = 30_000;

export function createNativeAsks({ clock, say, used }: AsksEvents): NativeAsks {
  const asks = new Map<number, (answer: HostAnswer | GatewayError) => void>();
  let last = 0;
  return {
    get size() {
      return asks.size;
    },
    ask(method, params) {
      last += 1;
      const number = last;
      return new Promise((resolve, reject) => {
        const stop = clock.after(ASK_MS, () => settle(new GatewayError("timed-out", SILENT)));
        const settle = (answer: HostAnswer | GatewayError) => {
          stop();
          asks.delete(number);
          used();
          if (answer instanceof GatewayError) reject(answer);
          else if ("result" in answer) resolve(answer.result);
          else reject(new GatewayError("invalid-params", answer.problem));
        };
        asks.set(number, settle);
        used();
        say({ kind: "ask", ask: number, method, params });
      });
    },
    take: (answer) => asks.get(answer.ask)?.(answer),
    fail(fault) {
      for (const settle of [...asks.values()]) settle(fault);
    },
  };
}

const SILENT = "The helper for local servers did not answer. Try again; if it stays so, restart the browser.";
