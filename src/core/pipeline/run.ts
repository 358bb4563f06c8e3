/**
 * Runs one line of stages over a call. Synchronous stages cost no turn of the event loop. Whatever is thrown becomes a
 * stop: before anything was sent a refusal, afterwards a fault; it never lets the call pass.
 */
import type { EventInHand, MutableCall } from "../call.ts";
import { GatewayError } from "../errors.ts";
import type { Clock } from "../ports.ts";
import type { Stage, StageName, Stop } from "./stage.ts";

export interface Stopped extends Stop {
  readonly stage: StageName;
}

export interface Lines {
  readonly request: readonly Stage[];
  readonly reply: readonly Stage[];
  readonly event: readonly Stage[];
}

/** Puts stages into the order of the three literal arrays. Throws when one is missing. */
export function assemble(
  stages: readonly Stage[],
  order: { readonly [Line in keyof Lines]: readonly StageName[] },
): Lines {
  const byName = new Map(stages.map((stage) => [stage.name, stage]));
  const line = (name: keyof Lines): Stage[] =>
    order[name].map((stageName) => {
      const stage = byName.get(stageName);
      if (!stage?.[name]) throw new Error(`No stage "${stageName}" for the ${name} line.`);
      return stage;
    });
  return { request: line("request"), reply: line("reply"), event: line("event") };
}

export async function runLine(
  line: "request" | "reply",
  stages: readonly Stage[],
  { call, clock }: { readonly call: MutableCall; readonly clock: Clock },
): Promise<Stopped | undefined> {
  for (const stage of stages) {
    const began = clock.monotonic();
    call.ledger.enter(stage.name);
    let stop: Stop | undefined;
    try {
      const step = line === "request" ? stage.request?.(call) : stage.reply?.(call);
      stop = step instanceof Promise ? await step : step;
    } catch (thrown) {
      stop = stopFor(thrown, call);
    }
    call.ledger.timed({ stage: stage.name, at: began - call.startedAt, ms: clock.monotonic() - began });
    if (stop) return { ...stop, stage: stage.name };
  }
  return undefined;
}

export function runEvent(stages: readonly Stage[], call: MutableCall, event: EventInHand): Stopped | undefined {
  for (const stage of stages) {
    try {
      const stop = stage.event?.(call, event);
      if (stop) return { ...stop, stage: stage.name };
    } catch (thrown) {
      return { ...stopFor(thrown, call), stage: stage.name };
    }
  }
  return undefined;
}

function stopFor(thrown: unknown, call: MutableCall): Stop {
  const kind = call.ledger.read("sentAt") === undefined ? "refused" : "fault";
  if (thrown instanceof GatewayError) {
    return { kind: "fault", name: thrown.fault, detail: thrown.message, ...(thrown.data ? { data: thrown.data } : {}) };
  }
  return {
    kind,
    name: "internal-error",
    detail:
      "navra could not check this call, so it was stopped. Try again later; the person can see it in navra's records.",
  };
}
