/** The records read so far: the newest page kept fresh, older ones added by the person, always without a gap. */
import { useSignal } from "@preact/signals";
import type { RecordEntry } from "../../core/recorder/entry.ts";
import type { ControlClient } from "../../platform/door.ts";
import { type Act, useAct } from "../shared/act.ts";
import { type Loaded, useData } from "../shared/ask.ts";

export interface RecordPages {
  readonly newest: Loaded<{ readonly entries: readonly RecordEntry[] }>;
  /** Newest first. */
  readonly entries: readonly RecordEntry[];
  readonly more: boolean;
  readonly act: Act;
  readonly loadOlder: () => void;
}

const PAGE = 100;

export function useRecordPages(client: ControlClient): RecordPages {
  const newest = useData(client, "records.page", { limit: PAGE }, ["records"]);
  const older = useSignal<readonly RecordEntry[]>([]);
  const act = useAct();
  const entries = withoutGap(newest.data?.entries ?? [], older.value);
  const last = entries.at(-1)?.seq ?? 0;
  const loadOlder = () =>
    void act.run(async () => {
      const page = await client.call("records.page", { before: last, limit: PAGE });
      older.value = [...entries, ...page.entries];
    });
  return { newest, entries, more: last > 1, act, loadOlder };
}

/** Older records only as far as they join the newest; what lies between is read again by the person. */
export function withoutGap(fresh: readonly RecordEntry[], older: readonly RecordEntry[]): readonly RecordEntry[] {
  const last = fresh.at(-1)?.seq;
  if (last === undefined) return fresh;
  const rest = older.filter((entry) => entry.seq < last);
  return rest[0]?.seq === last - 1 ? [...fresh, ...rest] : fresh;
}
