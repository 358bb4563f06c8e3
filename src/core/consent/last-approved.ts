/**
 * Finds the last call of a tool that the person approved for a site, in evidence, and says what is different now. Evidence
 * keeps payloads masked and capped, so the call at hand is masked the same way before the two are compared.
 */
import type { MutableCall } from "../call.ts";
import { inspect } from "../inspect/inspect.ts";
import { principalKey } from "../principal.ts";
import type { RecordEntry } from "../recorder/entry.ts";
import { excerpt } from "../recorder/excerpt.ts";
import type { Recorder } from "../recorder/recorder.ts";
import { sliceAt } from "../wire/splice.ts";
import type { SinceApproved } from "./approval.ts";
import { changesSince } from "./changes.ts";

/** How many records back it is looked for. */
const LOOK_BACK = 500;

export function lastApproved(records: Pick<Recorder, "recent">): (call: MutableCall) => SinceApproved | undefined {
  return (call) => {
    const tool = call.ledger.read("action")?.tool;
    if (tool === undefined) return undefined;
    const before = records
      .recent(LOOK_BACK)
      .find(
        (entry) => entry.tool === tool && entry.serverId === call.server.id && wasApproved(entry, call.principalKey),
      );
    if (!before) return undefined;
    const { text, value = {} } = call.request;
    const now = excerpt({ text, value, findings: inspect(value) });
    if (before.request.cut || now.cut) return { at: before.at };
    return { at: before.at, changes: changesSince(argumentsOf(before.request.text), argumentsOf(now.text)) };
  };
}

function wasApproved({ answered, principal }: RecordEntry, key: string): boolean {
  return (answered?.answer === "allowed" || answered?.answer === "grant") && principalKey(principal) === key;
}

function argumentsOf(text: string): string {
  return sliceAt(text, ["params", "arguments"]) ?? "{}";
}
