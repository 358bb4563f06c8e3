/** Calls as lists show them: open ones first, then records, newest first. */
import type { CallView, SiteView } from "../../bridge/control-api.ts";
import type { Call } from "../../core/call.ts";
import type { Gateway } from "../../core/gateway.ts";
import type { Decision, Verdict } from "../../core/policy/policy.ts";
import { principalKey } from "../../core/principal.ts";
import type { RecordEntry } from "../../core/recorder/entry.ts";

/** How far back lists look; older records are in the dashboard. */
const RECENT = 500;

type About = Pick<RecordEntry, "principal" | "place">;

export function callsOf(gateway: Gateway, match: (about: About) => boolean): readonly CallView[] {
  const open = gateway.openCalls().filter(match).map(openView).reverse();
  const recorded = gateway.records.recent(RECENT).filter(match).map(recordView);
  return [...open, ...recorded];
}

export function countsToday(gateway: Gateway, key: string): SiteView["counts"] {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const counts = { allowed: 0, asked: 0, denied: 0 };
  for (const entry of gateway.records.recent(RECENT)) {
    if (entry.at < midnight || principalKey(entry.principal) !== key || entry.method !== "tools/call") continue;
    if (entry.outcome.kind === "answered") counts.allowed++;
    if (entry.answered || entry.released) counts.asked++;
    if (isDenied(entry)) counts.denied += entry.count;
  }
  return counts;
}

/** Refused, or hidden from the site, or called and then withheld: whichever way policy or the person said no. */
function isDenied({ outcome }: RecordEntry): boolean {
  if (outcome.kind === "fault") return outcome.stage === "decide" || outcome.name === "withheld";
  return outcome.kind === "refused";
}

function openView(call: Call): CallView {
  const { ledger } = call;
  const tool = ledger.read("action")?.tool;
  return {
    callId: call.callId,
    seq: 0,
    at: call.arrivedAt,
    ms: 0,
    origin: call.principal.origin,
    serverName: call.server.name,
    method: call.message.method,
    ...(tool === undefined ? {} : { tool }),
    verdict: ledger.decisions.at(-1)?.verdict ?? null,
    outcome: { kind: "open", stage: ledger.current },
    why: whyOf(ledger.decisions),
    count: 1,
  };
}

function recordView(entry: RecordEntry): CallView {
  return {
    callId: entry.callId,
    seq: entry.seq,
    at: entry.at,
    ms: entry.ms,
    origin: entry.principal.origin,
    serverName: entry.serverName,
    method: entry.method,
    ...(entry.tool === undefined ? {} : { tool: entry.tool }),
    verdict: verdictOf(entry),
    outcome: entry.outcome,
    why: whyOf(entry.decisions),
    count: entry.count,
  };
}

/** The request's verdict; what was refused before it was decided counts as denied. */
function verdictOf(entry: RecordEntry): Verdict | null {
  const decision = entry.decisions.find(({ phase }) => phase === "request");
  if (decision) return decision.verdict;
  return entry.outcome.kind === "refused" ? "deny" : null;
}

/** The sentence of the decision that mattered: the first that did not allow, else the request's. */
function whyOf(decisions: readonly Decision[]): string {
  const mattered = decisions.find(({ verdict }) => verdict !== "allow") ?? decisions[0];
  return mattered?.reasons[0]?.sentence ?? "";
}
