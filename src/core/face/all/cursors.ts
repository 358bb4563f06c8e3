/**
 * Cursors of lists that are put together from several servers. One holds the cursor of each server that has more, and a
 * code over all of it, the site and the method, so that a page can neither change it nor use it elsewhere: every server's
 * own cursor reaches the server that gave it and no other. The key lives as long as the worker; an older cursor is refused
 * as any wrong one, and the agent lists from the start.
 *
 * @see MCP 2025-11-25 · Utilities · Pagination (opaque; the empty string is a valid cursor)
 */
import { isObject, type JsonValue } from "../../wire/json.ts";
import type { Digest } from "./alias.ts";

/** By server, where it goes on. */
export type Places = ReadonlyMap<string, string>;

export interface Cursors {
  seal(places: Places, of: CursorOf): Promise<string>;
  /** Nothing for a cursor that was not given for this. */
  open(cursor: string, of: CursorOf): Promise<Places | undefined>;
}

export interface CursorOf {
  readonly principalKey: string;
  readonly method: string;
}

export function createCursors({ digest, key }: { readonly digest: Digest; readonly key: string }): Cursors {
  // A digest of a digest: what was signed cannot be made longer.
  const codeOf = async (text: string, { principalKey, method }: CursorOf): Promise<string> =>
    digest(key + (await digest(key + JSON.stringify([principalKey, method, text]))));
  return {
    async seal(places, of) {
      const text = JSON.stringify([...places]);
      return `${await codeOf(text, of)}.${text}`;
    },
    async open(cursor, of) {
      const at = cursor.indexOf(".");
      const text = cursor.slice(at + 1);
      if (at < 0 || cursor.slice(0, at) !== (await codeOf(text, of))) return undefined;
      return new Map(JSON.parse(text) as [string, string][]);
    },
  };
}

/** The cursor of a result, where it has one. */
export function nextCursorOf(result: JsonValue): string | undefined {
  const next = isObject(result) ? result.nextCursor : undefined;
  return typeof next === "string" ? next : undefined;
}
