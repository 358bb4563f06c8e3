/**
 * Calls that a dead worker left behind. Each ends as what is known of it: `not-sent` when only its admission was journalled,
 * `unknown` when its send was. The record says so at once; the agent is told when its document comes back.
 */
import { isModern } from "../mcp/revision.ts";
import type { JournalEntry, Table } from "../ports.ts";
import type { Recorder } from "../recorder/recorder.ts";
import type { Channels } from "./channels.ts";
import { refusalFrame } from "./refusal.ts";

export interface LeftOptions {
  /** What the journal held when this worker began. */
  readonly entries: readonly JournalEntry[];
  readonly table: Pick<Table<JournalEntry>, "remove">;
  readonly records: Recorder;
  readonly channels: Channels;
}

/** How far back a record of the same call is looked for: it may have been written just before the worker died. */
const RECENT = 500;

export async function settleLeft({ entries, table, records, channels }: LeftOptions): Promise<void> {
  if (entries.length === 0) return;
  const recorded = await recordedCalls(entries, records);
  for (const entry of entries) {
    // Recorded already, and either answered (then this is told to nobody) or ended because its page went away.
    if (recorded.has(entry.callId)) {
      channels.lost(entry, { frame: frameFor(entry, "unknown"), ask: "only" });
      continue;
    }
    const name = entry.phase === "sent" ? "unknown" : "not-sent";
    records.write({ ...entry.record, outcome: { kind: "fault", name, stage: "forward" } });
    channels.lost(entry, { frame: frameFor(entry, name), ask: "too" });
  }
  // Nobody waits for this: rows that stay behind are found recorded by the next worker.
  void clear(entries, { table, records }).catch(() => undefined);
}

async function clear(
  entries: readonly JournalEntry[],
  { table, records }: Pick<LeftOptions, "table" | "records">,
): Promise<void> {
  await records.flush();
  if (!records.trouble()) await table.remove(...entries.map(({ callId }) => callId));
}

/**
 * The records at hand are enough where they name every call, or go back to before it began; else more are read. Where the
 * records cannot be read, none counts as written: one too many is better than one too few.
 */
async function recordedCalls(entries: readonly JournalEntry[], records: Recorder): Promise<ReadonlySet<string>> {
  const recent = records.recent(RECENT);
  const atHand = new Set(recent.map(({ callId }) => callId));
  const oldest = recent.at(-1);
  const since = oldest ? oldest.at + oldest.ms + 1 : Number.POSITIVE_INFINITY;
  if (entries.every(({ callId, at }) => at > since || atHand.has(callId))) return atHand;
  const newest = await records.page({ limit: RECENT }).catch(() => []);
  return new Set(newest.map(({ callId }) => callId));
}

function frameFor({ rpcId, record: { revision, method } }: JournalEntry, name: "unknown" | "not-sent"): string {
  const about = { id: rpcId, method, modern: revision !== null && isModern(revision) };
  return refusalFrame(about, { kind: "fault", name, detail: DETAILS[name] });
}

const DETAILS = {
  unknown:
    "The browser stopped navra while this call was open. It may have happened; look before you try again. Nothing is sent twice by navra.",
  "not-sent": "The browser stopped navra before this call was sent. It is safe to try again.",
} as const;
