/** Writes a call's record from its ledger: everything that was learned, masked and capped, whatever the outcome was. */
import type { Call, Payload } from "../call.ts";
import type { Finding } from "../inspect/finding.ts";
import { inspect } from "../inspect/inspect.ts";
import type { Stopped } from "../pipeline/run.ts";
import type { Clock } from "../ports.ts";
import type { Outcome, RecordBody } from "./entry.ts";
import { excerpt } from "./excerpt.ts";

export interface EvidenceOptions {
  readonly clock: Clock;
  readonly digest: (text: string) => Promise<string>;
}

export async function recordOf(call: Call, outcome: Outcome, { clock, digest }: EvidenceOptions): Promise<RecordBody> {
  const { ledger } = call;
  const tool = ledger.read("action")?.tool;
  const answered = ledger.read("answered");
  const labels = ledger.read("sessionLabels");
  const pin = ledger.read("pin");
  return {
    callId: call.callId,
    ...(call.parent === undefined ? {} : { parent: call.parent }),
    direction: call.direction,
    at: call.arrivedAt,
    ms: clock.monotonic() - call.startedAt,
    principal: call.principal,
    place: call.place,
    agent: call.agent,
    serverId: call.server.id,
    serverName: call.server.name,
    revision: call.revision,
    method: call.message.method,
    ...(tool === undefined ? {} : { tool }),
    request: await excerptOf(call.request, ledger.read("requestFindings"), digest),
    ...(call.reply ? { reply: await excerptOf(call.reply, ledger.read("replyFindings"), digest) } : {}),
    decisions: ledger.decisions,
    ...(answered ? { answered } : {}),
    ...(labels ? { labels } : {}),
    ...(pin ? { pin } : {}),
    stages: ledger.stages,
    outcome,
    count: 1,
  };
}

export function outcomeOf(call: Call, stopped: Stopped | undefined): Outcome {
  if (stopped)
    return { kind: stopped.kind === "refused" ? "refused" : "fault", name: stopped.name, stage: stopped.stage };
  return { kind: "answered", error: call.reply?.kind === "error" || call.reply?.value?.isError === true };
}

function excerptOf(payload: Payload, findings: readonly Finding[] | undefined, digest: EvidenceOptions["digest"]) {
  const value = payload.value ?? {};
  // A call that ended before `inspect` is masked all the same.
  return excerpt(payload.text, value, findings ?? inspect(value), { digest });
}
