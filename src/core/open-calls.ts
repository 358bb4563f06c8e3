/**
 * The calls that are open now: for the panel, for ending them when the person revokes or pauses, and for keeping the worker
 * alive. Subscriptions are told apart: they stay open for as long as the page likes, and count only while it is seen.
 */
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
  /** How many of them are no subscriptions. */
  working(): number;
  subscriptions(): Iterable<MutableCall>;
  end(match: (call: MutableCall) => boolean, reason: GatewayError): void;
}

export function createOpenCalls(changed: () => void): OpenCalls {
  const calls = new Map<string, OpenCall>();
  const subscriptions = new Map<string, MutableCall>();
  return {
    add(call, end) {
      calls.set(call.callId, { call, end });
      if (call.message.method === "subscriptions/listen") subscriptions.set(call.callId, call);
      changed();
    },
    remove(callId) {
      subscriptions.delete(callId);
      if (calls.delete(callId)) changed();
    },
    working: () => calls.size - subscriptions.size,
    subscriptions: () => subscriptions.values(),
    list: () => [...calls.values()].map(({ call }) => call),
    end(match, reason) {
      for (const { call, end } of [...calls.values()]) if (match(call)) end(reason);
    },
  };
}
