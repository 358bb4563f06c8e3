/** Which of the records read so far fit the filter; `text:` also looks into what was sent and answered. */
import type { RecordEntry } from "../../core/recorder/entry.ts";
import { callOf } from "../shared/call-of.ts";
import { ending, passage } from "../shared/call-words.ts";
import { type FilterRow, fits, parseFilter } from "../shared/filter.ts";

export function fittingRecords(entries: readonly RecordEntry[], filter: string): readonly RecordEntry[] {
  const terms = parseFilter(filter, FIELDS);
  return terms.length === 0 ? entries : entries.filter((entry) => fits(rowOf(entry), terms));
}

const FIELDS = ["server", "tool", "method", "verdict", "outcome", "site", "why", "agent", "text"] as const;

function rowOf(entry: RecordEntry): FilterRow {
  const call = callOf(entry);
  return {
    server: entry.serverName,
    tool: entry.tool ?? "",
    method: entry.method,
    verdict: `${passage(call).word} ${call.verdict ?? ""}`,
    outcome: ending(call),
    site: entry.principal.origin,
    why: call.why,
    agent: entry.agent,
    number: `#${entry.seq}`,
    text: `${entry.request.text} ${entry.reply?.text ?? ""}`,
  };
}
