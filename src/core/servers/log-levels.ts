/**
 * The log level that an agent set for its session, where the server behind knows no sessions: it is told with each call.
 * In memory: a level that is forgotten is the usual one again.
 *
 * @see MCP 2025-11-25 · Utilities · Logging
 */
import type { Call, MutableCall } from "../call.ts";
import { encodeResult } from "../wire/encode.ts";

export interface LogLevels {
  /** Takes the level of a `logging/setLevel` and answers it. */
  set(call: MutableCall): undefined;
  of(call: Call): string;
}

/** In a session without a word about it the server decides; this is what most decide. */
const USUAL = "info";
const MOST = 512;

export function createLogLevels(): LogLevels {
  const levels = new Map<string, string>();
  return {
    set(call) {
      const [oldest] = levels.keys();
      if (oldest !== undefined && levels.size >= MOST) levels.delete(oldest);
      levels.set(keyOf(call), String(call.message.params?.level));
      call.reply = { kind: "result", text: encodeResult(call.message.id, "{}"), value: {} };
      return undefined;
    },
    of: (call) => levels.get(keyOf(call)) ?? USUAL,
  };
}

function keyOf({ place, channel }: Call): string {
  return `${place.documentId} ${channel}`;
}
