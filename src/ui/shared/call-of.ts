/** A record in the shape of the lists of calls. The decision that did not simply allow is the one that explains it. */
import type { CallView } from "../../bridge/control-api.ts";
import type { RecordEntry } from "../../core/recorder/entry.ts";

export function callOf(entry: RecordEntry): CallView {
  const last = entry.decisions.find((decision) => decision.verdict !== "allow") ?? entry.decisions[0];
  return {
    callId: entry.callId,
    seq: entry.seq,
    at: entry.at,
    ms: entry.ms,
    origin: entry.principal.origin,
    serverName: entry.serverName,
    method: entry.method,
    ...(entry.tool === undefined ? {} : { tool: entry.tool }),
    verdict: last?.verdict ?? null,
    outcome: entry.outcome,
    why: last?.reasons[0]?.sentence ?? "",
    count: entry.count,
  };
}
