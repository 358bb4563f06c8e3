/**
 * Cursors of lists that are put together from several servers. One holds the cursor of each server that has more, and a
 * code over all of it, the site and the method, so that a page can neither change it nor use it elsewhere: every server's
 * own cursor reaches the server that gave it and no other.
 *
 * Decided: the key is the random identities of those servers, which no page ever sees. So a cursor outlives the worker without
 * anything being kept for it, and ends with a server that is removed.
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

export interface CursorsOptions {
  readonly digest: Digest;
  /** Nothing for a server that is not there. */
  readonly idOf: (server: string) => string | undefined;
}

export function createCursors({ digest, idOf }: CursorsOptions): Cursors {
  /** Nothing where a server is not there any more. */
  const codeOf = async (text: string, of: CursorOf, places: Places): Promise<string | undefined> => {
    const ids = [...places.keys()].map(idOf);
    if (ids.length === 0 || ids.includes(undefined)) return undefined;
    const key = ids.join(" ");
    // A digest of a digest: what was signed cannot be made longer.
    return digest(key + (await digest(key + JSON.stringify([of.principalKey, of.method, text]))));
  };
  return {
    async seal(places, of) {
      const text = JSON.stringify([...places]);
      return `${await codeOf(text, of, places)}.${text}`;
    },
    async open(cursor, of) {
      const at = cursor.indexOf(".");
      const text = cursor.slice(at + 1);
      const places = at < 0 ? undefined : read(text);
      return places && cursor.slice(0, at) === (await codeOf(text, of, places)) ? places : undefined;
    },
  };
}

/** Anything a page may write. */
function read(text: string): Places | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return Array.isArray(value) && value.every(isPlace) ? new Map(value) : undefined;
  } catch {
    return undefined;
  }
}

function isPlace(value: JsonValue): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "string");
}

/** The cursor of a result, where it has one. */
export function nextCursorOf(result: JsonValue): string | undefined {
  const next = isObject(result) ? result.nextCursor : undefined;
  return typeof next === "string" ? next : undefined;
}
