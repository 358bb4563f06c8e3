/**
 * The contract of a stage. It reads the call, notes facts in the ledger, and lets the call go on by returning nothing, or
 * stops it by returning a `Stop`. A stage that throws denies and names itself; it never has to catch for safety's sake.
 */
import type { EventInHand, MutableCall } from "../call.ts";
import type { FaultName } from "../errors.ts";

export type StageName =
  | "admit"
  | "resolve"
  | "pin"
  | "inspect"
  | "label"
  | "decide"
  | "redact"
  | "consent"
  | "forward"
  | "deliver";

/** Why a call goes no further. `detail` is a sentence for the agent; rule text never gets into it. */
export interface Stop {
  /** A decision refuses; the wire, a server, a timeout or an abort is a fault. */
  readonly kind: "refused" | "fault";
  readonly name: FaultName;
  readonly detail: string;
  /** Kinds of reasons for `_meta` and `error.data`: `rule`, `default`, `flow`, `pin`, … */
  readonly reasons?: readonly string[];
  readonly data?: Readonly<Record<string, unknown>>;
}

export type Step = Stop | undefined | Promise<Stop | undefined>;

export interface Stage {
  readonly name: StageName;
  request?(call: MutableCall): Step;
  reply?(call: MutableCall): Step;
  /** Synchronous: events are judged and passed on as they arrive, in order. */
  event?(call: MutableCall, event: EventInHand): Stop | undefined;
}

export function refuse(name: FaultName, detail: string, reasons: readonly string[] = []): Stop {
  return { kind: "refused", name, detail, reasons };
}
