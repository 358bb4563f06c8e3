/** Writes a call's record from its ledger: everything that was learned, masked and capped, whatever the outcome was. */
import type { Call, Payload } from "../call.ts";
import type { Finding } from "../inspect/finding.ts";
import { inspect } from "../inspect/inspect.ts";
import type { Stopped } from "../pipeline/run.ts";
import type { Clock } from "../ports.ts";
import type { Excerpt, Outcome, RecordBody } from "./entry.ts";
import { undigested } from "./excerpt.ts";

export interface EvidenceOptions {
  readonly clock: Clock;
  readonly digest: (text: string) => Promise<string>;
}

export async function recordOf(call: Call, outcome: Outcome, { clock, digest }: EvidenceOptions): Promise<RecordBody> {
  const draft = draftOf(call, outcome, clock);
  const [request, reply] = await Promise.all([
    digest(call.request.text),
    call.reply ? digest(call.reply.text) : undefined,
  ]);
  return {
    ...draft,
    request: { ...draft.request, digest: request },
    ...(draft.reply && reply !== undefined ? { reply: { ...draft.reply, digest: reply } } : {}),
  };
}

/** The record without waiting for its digests, which are empty. */
export function draftOf(call: Call, outcome: Outcome, clock: Clock): RecordBody {
  const { ledger } = call;
  const tool = ledger.read("action")?.tool;
  const toolClass = ledger.read("class");
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
    ...(toolClass === undefined ? {} : { class: toolClass }),
    request: excerptOf(call.request, ledger.read("requestFindings")),
    ...(call.reply ? { reply: excerptOf(call.reply, ledger.read("replyFindings")) } : {}),
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

function excerptOf({ text, value = {} }: Payload, findings: readonly Finding[] | undefined): Excerpt {
  // A call that ended before `inspect` is masked all the same.
  return undigested({ text, value, findings: findings ?? inspect(value) });
}
