/** The calls that are open now: for the panel, for ending them when the person revokes or pauses, and for keeping the worker alive. */
import type { MutableCall } from "./call.ts";
import type { GatewayError } from "./errors.ts";

interface OpenCall {
  readonly call: MutableCall;
  readonly end: (reason: GatewayError) => void;
}

export interface OpenCalls {
  add(call: MutableCall, end: OpenCall["end"]): void;
  remove(callId: string): void;
  list(): readonly MutableCall[];
  end(match: (call: MutableCall) => boolean, reason: GatewayError): void;
}

export function createOpenCalls(busy: (open: number) => void): OpenCalls {
  const calls = new Map<string, OpenCall>();
  return {
    add(call, end) {
      calls.set(call.callId, { call, end });
      busy(calls.size);
    },
    remove(callId) {
      if (calls.delete(callId)) busy(calls.size);
    },
    list: () => [...calls.values()].map(({ call }) => call),
    end(match, reason) {
      for (const { call, end } of [...calls.values()]) if (match(call)) end(reason);
    },
  };
}
