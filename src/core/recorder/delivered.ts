/**
 * What reached each agent before this worker began, as far as evidence still holds it: masked, cut, and only since the
 * session there last ended.
 */
import type { Remembered } from "../flow/provenance.ts";
import { principalKey } from "../principal.ts";
import { isObject, type JsonValue } from "../wire/json.ts";
import type { RecordEntry } from "./entry.ts";

/** Oldest first; the entries come newest first, as the recorder gives them. */
export function deliveredIn(entries: readonly RecordEntry[], ends: ReadonlySet<string>): readonly Remembered[] {
  const begun = new Set<string>();
  const delivered: Remembered[] = [];
  for (const entry of entries) {
    const key = principalKey(entry.principal);
    if (begun.has(key)) continue;
    if (entry.direction === "act" && ends.has(entry.method)) begun.add(key);
    else if (entry.reply && entry.outcome.kind === "answered" && entry.direction === "out") {
      const origin = { serverId: entry.serverId, tool: entry.tool ?? entry.method, at: entry.at };
      delivered.push({ principalKey: key, value: readable(entry.reply.text), origin });
    }
  }
  return delivered.reverse();
}

/** A text that was cut is no JSON any more and is read as it stands. */
function readable(text: string): JsonValue {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? (value.result ?? value.error ?? value) : value;
  } catch {
    return text;
  }
}
