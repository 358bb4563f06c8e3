/** Which calls of the tab fit the filter, oldest first: new ones append and no row ever moves. */
import type { CallView } from "../../bridge/control-api.ts";
import { ending, passage } from "../shared/call-words.ts";
import { type FilterRow, fits, parseFilter } from "../shared/filter.ts";

export function fittingCalls(all: readonly CallView[], filter: string): readonly CallView[] {
  const terms = parseFilter(filter, FIELDS);
  return all.filter((call) => fits(rowOf(call), terms)).toSorted((a, b) => a.at - b.at || a.seq - b.seq);
}

const FIELDS = ["server", "tool", "method", "verdict", "outcome", "site", "why"] as const;

function rowOf(call: CallView): FilterRow {
  return {
    server: call.serverName,
    tool: call.tool ?? "",
    method: call.method,
    verdict: `${passage(call).word} ${call.verdict ?? ""}`,
    outcome: ending(call),
    site: call.origin,
    why: call.why,
  };
}
