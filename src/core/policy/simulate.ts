/**
 * What a policy would have said to calls that are on record. The past is replayed in order, so that rates, sequences and
 * cool-downs count as they would have. A record holds payloads masked and cut; where that may matter, it is said.
 */
import { principalKey } from "../principal.ts";
import type { RecordEntry } from "../recorder/entry.ts";
import type { CompiledPolicy } from "./compile.ts";
import { decide } from "./decide.ts";
import type { Annotations, Decision, Facts, Phase, Verdict } from "./policy.ts";
import { factsOf } from "./record-facts.ts";
import { createUsageBook, pastCall } from "./usage.ts";

export interface SimulateOptions {
  /** Minutes local time is ahead of UTC. */
  readonly utcOffsetMinutes?: number;
  /** What the server says of a tool now; records do not hold it. */
  readonly annotationsOf?: (serverId: string, tool: string) => Annotations | undefined;
}

export interface Simulated {
  readonly record: RecordEntry;
  readonly phase: Phase;
  /** What was decided then. */
  readonly recorded: Verdict;
  readonly decision: Decision;
  /** The payload is on record only in part (`cut`) or with secrets masked, so arguments may have said otherwise. */
  readonly doubt?: "cut" | "masked";
}

/** One entry for each phase in which a record was judged, oldest first. Records that policy never saw are left out. */
export function simulate(
  policy: CompiledPolicy,
  records: readonly RecordEntry[],
  options: SimulateOptions = {},
): readonly Simulated[] {
  const usage = createUsageBook({ clock: NO_CLOCK });
  const simulated: Simulated[] = [];
  for (const record of inOrder(records)) {
    const key = principalKey(record.principal);
    for (const { phase, verdict } of lastDecisions(record)) {
      const facts: Facts = factsOf(record, phase, { ...options, usage: usage.of(key) });
      const decision = decide(policy, facts);
      if (phase === "request" && !decision.hidden) {
        usage.note(key, pastCall(record.callId, facts, decision));
        if (!passes(decision, record)) usage.refused(key, record.callId);
      }
      const doubt = doubtOf(record, phase);
      simulated.push({ record, phase, recorded: verdict, decision, ...(doubt && { doubt }) });
    }
  }
  return simulated;
}

const NO_CLOCK = { now: () => 0, after: () => () => undefined };

export interface Changed {
  readonly record: RecordEntry;
  readonly phase: Phase;
  readonly before: Decision;
  readonly after: Decision;
  readonly wider: boolean;
  readonly doubt?: "cut" | "masked";
}

export interface Impact {
  /** Records that policy judged. */
  readonly calls: number;
  /** Newest first; a call counts once, by the first phase that differs. */
  readonly changed: readonly Changed[];
}

/** Which calls on record would end otherwise under another policy: another verdict, or other things taken out. */
export function impact(
  policies: { readonly before: CompiledPolicy; readonly after: CompiledPolicy },
  records: readonly RecordEntry[],
  options: SimulateOptions = {},
): Impact {
  const was = simulate(policies.before, records, options);
  const is = simulate(policies.after, records, options);
  const changed = new Map<RecordEntry, Changed>();
  const calls = new Set<RecordEntry>();
  was.forEach(({ record, phase, decision: before, doubt }, at) => {
    calls.add(record);
    const after = is[at]?.decision;
    if (!after || changed.has(record) || sameEffect(before, after)) return;
    changed.set(record, { record, phase, before, after, wider: isWider(before, after), ...(doubt && { doubt }) });
  });
  return { calls: calls.size, changed: [...changed.values()].reverse() };
}

const STRICT: readonly Verdict[] = ["allow", "ask", "deny"];

function isWider(before: Decision, after: Decision): boolean {
  const steps = STRICT.indexOf(after.verdict) - STRICT.indexOf(before.verdict);
  return steps === 0 ? before.redact.some((kind) => !after.redact.includes(kind)) : steps < 0;
}

function sameEffect(a: Decision, b: Decision): boolean {
  return (
    a.verdict === b.verdict &&
    a.redact.length === b.redact.length &&
    a.redact.every((kind, at) => kind === b.redact[at])
  );
}

function inOrder(records: readonly RecordEntry[]): readonly RecordEntry[] {
  const sorted = records.every((record, at) => at === 0 || (records[at - 1]?.seq ?? 0) <= record.seq);
  return sorted ? records : [...records].sort((a, b) => a.seq - b.seq);
}

/** A phase that was judged again after a wait counts by its last judgement. Lists are judged by item and not on record. */
function lastDecisions(record: RecordEntry): readonly Decision[] {
  const last = new Map<Phase, Decision>();
  for (const decision of record.decisions) if (decision.phase !== "list") last.set(decision.phase, decision);
  return [...last.values()];
}

/** A question is taken to be answered as it was; where nobody was asked, as if it had been allowed. */
function passes(decision: Decision, record: RecordEntry): boolean {
  if (decision.verdict !== "ask") return decision.verdict === "allow";
  return record.answered ? record.answered.answer === "allowed" || record.answered.answer === "grant" : true;
}

function doubtOf(record: RecordEntry, phase: Phase): "cut" | "masked" | undefined {
  const excerpt = phase === "reply" ? record.reply : record.request;
  if (excerpt?.cut) return "cut";
  return phase === "request" && excerpt?.findings.some(({ kind }) => kind === "secret") ? "masked" : undefined;
}
