/**
 * Takes records from the pipeline and gets them into the table, in order and chained, without ever holding up a call.
 * While the table cannot be written the records wait in memory and are tried again, ever more patiently; the newest are
 * turned away when too many wait, so that what is kept has no hole in it. The gateway asks `full` and stops calls then.
 *
 * Records of private windows are shown from memory only: they are never sealed, never written, and gone with the worker.
 *
 * INVARIANT: an entry is removed from the queue only when the table has it. After a failed write the end of the chain
 * is read anew, because the write may have happened, or another worker may have written.
 */
import type { Clock, RecordTable } from "../ports.ts";
import { type ChainState, type Digest, type Link, seal, verify } from "./chain.ts";
import type { RecordBody, RecordEntry } from "./entry.ts";

export interface RecorderOptions {
  readonly table: RecordTable;
  readonly digest: Digest;
  readonly clock: Clock;
  /** There are new records to look at. */
  readonly changed: () => void;
  /** Entries that may wait for the table. */
  readonly limit?: number;
}

/** What the excerpts of a body were taken from. */
export interface WholeTexts {
  readonly request: string;
  readonly reply?: string;
}

export interface PageQuery {
  readonly before?: number;
  readonly limit: number;
}

export interface Recorder {
  /** Continues the chain that is in the table. Never rejects: what cannot be read now is tried again. */
  restore(): Promise<void>;
  /** Never throws, never waits. With the whole texts, the digests that the body leaves empty are made when it is sealed. */
  write(body: RecordBody, whole?: WholeTexts): void;
  /** Resolves when what was written before is in the table, or could not be put there now: see `trouble`. */
  flush(): Promise<void>;
  /** The same, without hurrying: records of a moment go into the table together. */
  stored(): Promise<void>;
  /** A sentence while the table cannot be written. */
  trouble(): string | undefined;
  /** Whether the next record would be turned away. */
  full(): boolean;
  /** How many records were turned away since this worker started. */
  lost(): number;
  /** Newest first, with those of private windows and those that still wait (`seq` 0, no hash). */
  recent(limit: number): readonly RecordEntry[];
  /** Newest first from the table; where it cannot be read, rejects. */
  page(query: PageQuery): Promise<readonly RecordEntry[]>;
  verifyAll(): Promise<ChainState>;
}

export const WAITING_LIMIT = 10_000;
const RECENT = 500;
const RESTORED = 100;
const BATCH = 100;
const VERIFY_BATCH = 500;
/** Records are gathered this long, so that writing them does not slow the calls that follow. */
const GATHER_MS = 10;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Records that wait a moment for others. */
interface Gathering {
  readonly stored: Promise<void>;
  readonly resolve: () => void;
  readonly cancel: () => void;
}

/** A record on its way; `entry` is what is shown of it at the moment. */
interface Slot {
  readonly body: RecordBody;
  /** Kept until the record is sealed: up to 32 MiB of unmasked text must not stay in memory for a list of recent calls. */
  whole: WholeTexts | undefined;
  entry: RecordEntry;
}

export function createRecorder({ table, digest, clock, changed, limit = WAITING_LIMIT }: RecorderOptions): Recorder {
  const waiting: Slot[] = [];
  const shown: Slot[] = [];
  /** The end of the chain in the table; undefined before it was read, null for an empty table. */
  let end: Link | null | undefined;
  let draining: Promise<void> | undefined;
  let failures = 0;
  let cancelRetry: (() => void) | undefined;
  let gathering: Gathering | undefined;
  let turnedAway = 0;

  function show(slot: Slot): void {
    shown.push(slot);
    if (shown.length > RECENT * 2) shown.splice(0, shown.length - RECENT);
  }

  /** One at a time; who asks while it runs gets the run at hand, which takes what was added meanwhile. */
  function drain(): Promise<void> {
    cancelRetry?.();
    cancelRetry = undefined;
    gathering?.cancel();
    if (waiting.length === 0) return Promise.resolve();
    draining ??= run();
    return draining;
  }

  function gather(): Gathering {
    let resolve = (): void => undefined;
    const stored = new Promise<void>((settle) => {
      resolve = settle;
    });
    return { stored, resolve, cancel: clock.after(GATHER_MS, () => void drain()) };
  }

  /** Ends in the same task in which it saw the queue empty, so that no record can slip in between. */
  async function run(): Promise<void> {
    try {
      while (waiting.length > 0) await append();
    } catch {
      end = undefined;
      failures += 1;
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
      cancelRetry = clock.after(pause, () => void drain());
      changed();
    } finally {
      draining = undefined;
      gathering?.cancel();
      gathering?.resolve();
      gathering = undefined;
    }
  }

  async function append(): Promise<void> {
    if (end === undefined) await findEnd();
    const batch = waiting.slice(0, BATCH);
    let link = end ?? undefined;
    for (const slot of batch) {
      const body = await digested(slot, digest);
      slot.entry = await seal(body, link, digest);
      link = slot.entry;
    }
    if (batch.length > 0) await table.append(batch.map(({ entry }) => entry));
    end = link ? { seq: link.seq, hash: link.hash } : null;
    for (const slot of waiting.splice(0, batch.length)) slot.whole = undefined;
    failures = 0;
    changed();
  }

  /** Where a write failed after it took effect, the entries it wrote are found again and not written twice. */
  async function findEnd(): Promise<void> {
    const last = await table.last();
    end = last ? { seq: last.seq, hash: last.hash } : null;
    const written = waiting.findIndex(({ entry }) => entry.seq === last?.seq && entry.hash === last.hash);
    if (written >= 0) waiting.splice(0, written + 1);
  }

  return {
    async restore() {
      try {
        const newest = await table.page({ limit: RESTORED });
        shown.unshift(...[...newest].reverse().map((entry) => ({ body: entry, whole: undefined, entry })));
        const [last] = newest;
        if (waiting.length === 0 && end === undefined) end = last ? { seq: last.seq, hash: last.hash } : null;
      } catch {
        // The first write tries again and reports.
      }
    },
    write(body, whole) {
      const slot: Slot = { body, whole, entry: { ...body, seq: 0, prev: "", hash: "" } };
      if (body.principal.private) {
        slot.whole = undefined;
        show(slot);
        changed();
        return;
      }
      if (waiting.length >= limit) {
        turnedAway += 1;
        return;
      }
      waiting.push(slot);
      show(slot);
      // While a write runs, or a failed one waits for its turn, that one takes this record with it.
      if (cancelRetry === undefined && draining === undefined) gathering ??= gather();
    },
    flush: drain,
    stored: () => gathering?.stored ?? draining ?? Promise.resolve(),
    trouble() {
      if (failures === 0) return undefined;
      const kept = `${waiting.length} ${waiting.length === 1 ? "record waits" : "records wait"} in memory`;
      const gone = turnedAway === 0 ? "" : ` ${turnedAway} could not be kept.`;
      return `navra cannot save its records; ${kept} and will be lost when the browser closes.${gone} Free some disk space, or allow this extension to store data.`;
    },
    full: () => waiting.length >= limit,
    lost: () => turnedAway,
    recent: (count) =>
      shown
        .slice(-RECENT)
        .reverse()
        .slice(0, count)
        .map(({ entry }) => entry),
    async page(query) {
      await drain();
      return table.page(query);
    },
    async verifyAll() {
      await drain();
      return verifyTable(table, digest, end ?? undefined);
    },
  };
}

async function digested({ body, whole }: Slot, digest: Digest): Promise<RecordBody> {
  if (!whole) return body;
  const [request, reply] = await Promise.all([
    digest(whole.request),
    whole.reply === undefined ? undefined : digest(whole.reply),
  ]);
  return {
    ...body,
    request: { ...body.request, digest: request },
    ...(body.reply && reply !== undefined ? { reply: { ...body.reply, digest: reply } } : {}),
  };
}

/** In steps, so that a long history is never in memory at once; `end` is where the chain was last known to end. */
async function verifyTable(table: RecordTable, digest: Digest, end: Link | undefined): Promise<ChainState> {
  let link: Link | undefined;
  for (;;) {
    const entries = await table.range((link?.seq ?? 0) + 1, VERIFY_BATCH);
    const last = entries.at(-1);
    if (last === undefined) break;
    const state = await verify(entries, digest, link);
    if (state.state === "broken") return state;
    link = { seq: last.seq, hash: last.hash };
  }
  const seq = link?.seq ?? 0;
  if (end && seq < end.seq) {
    return { state: "broken", seq: seq + 1, problem: `Records are missing after record ${seq}.` };
  }
  if (end && seq === end.seq && link?.hash !== end.hash) {
    return { state: "broken", seq, problem: "The history is not the one that was written." };
  }
  return { state: "whole", entries: seq };
}
