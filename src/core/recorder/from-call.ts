/** Writes a call's record from its ledger: everything that was learned, masked and capped, whatever the outcome was. */
import type { Call, Payload, ReplyInHand } from "../call.ts";
import type { Finding } from "../inspect/finding.ts";
import { inspect } from "../inspect/inspect.ts";
import type { Stopped } from "../pipeline/run.ts";
import type { Clock } from "../ports.ts";
import { isObject } from "../wire/json.ts";
import type { Excerpt, Outcome, RecordBody } from "./entry.ts";
import { excerpt } from "./excerpt.ts";
import type { WholeTexts } from "./recorder.ts";

/** The record without waiting for its digests, which are empty; `wholeTexts` is what they are made of. */
export function draftOf(call: Call, outcome: Outcome, clock: Clock): RecordBody {
  const { ledger } = call;
  const tool = ledger.read("action")?.tool;
  const toolClass = ledger.read("class");
  const answered = ledger.read("answered");
  const released = ledger.read("released");
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
    ...replyExcerpt(call),
    decisions: ledger.decisions,
    ...(answered ? { answered } : {}),
    ...(released ? { released } : {}),
    ...(labels ? { labels } : {}),
    ...(pin ? { pin } : {}),
    stages: ledger.stages,
    outcome,
    count: 1,
  };
}

export function wholeTexts(call: Call): WholeTexts {
  const reply = keptReply(call);
  return { request: call.request.text, ...(reply ? { reply: reply.text } : {}) };
}

function replyExcerpt(call: Call): { readonly reply?: Excerpt } {
  const reply = keptReply(call);
  return reply ? { reply: excerptOf(reply, call.ledger.read("replyFindings")) } : {};
}

/**
 * What the person typed into navra's own window is told by its names only, and the digest is of that: a digest of a few
 * digits gives the digits away.
 */
function keptReply({ reply, ledger }: Call): ReplyInHand | undefined {
  const content = reply?.value?.content;
  if (!reply || ledger.read("typed") !== true || !isObject(content)) return reply;
  const names = Object.fromEntries(Object.keys(content).map((name) => [name, NOT_KEPT]));
  const value = { ...reply.value, content: names };
  return { ...reply, value, text: JSON.stringify(value) };
}

const NOT_KEPT = "(typed by the person, not kept)";

export function outcomeOf(call: Call, stopped: Stopped | undefined): Outcome {
  if (stopped)
    return { kind: stopped.kind === "refused" ? "refused" : "fault", name: stopped.name, stage: stopped.stage };
  return { kind: "answered", error: call.reply?.kind === "error" || call.reply?.value?.isError === true };
}

/** Made once per payload: the journal's draft and the record show the same. */
function excerptOf(payload: Payload, findings: readonly Finding[] | undefined): Excerpt {
  const known = EXCERPTS.get(payload);
  if (known) return known;
  const { text, value = {} } = payload;
  // A call that ended before `inspect` is masked all the same.
  const made = excerpt({ text, value, findings: findings ?? inspect(value) });
  EXCERPTS.set(payload, made);
  return made;
}

const EXCERPTS = new WeakMap<Payload, Excerpt>();
