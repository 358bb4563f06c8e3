/**
 * The rows of `origin.json`, typed, with their shorthands expanded: `$repeat [text, n]` is the text n times, and
 * `$batch [message, n]` is n copies with ids 1..n (none where the message is a notification).
 */
import { readFileSync } from "node:fs";
import type { JsonValue } from "../../src/core/wire/json.ts";
import { isObject } from "../../src/core/wire/json.ts";

export interface Row {
  readonly name: string;
  /** Who sends the frame; `gateway` rows describe an event in words. */
  readonly dir: "agent" | "server" | "gateway";
  /** Revisions the row holds for; `*` is every one. */
  readonly era: readonly string[];
  readonly frame: JsonValue;
  readonly expect: Expectation;
  readonly why: string;
}

export interface Expectation {
  readonly forwarded?: boolean;
  readonly accepted?: boolean;
  readonly delivered?: boolean;
  readonly reply?: boolean;
  readonly replies?: number;
  readonly replyId?: number | string;
  readonly code?: number;
  readonly codeBetween?: readonly [number, number];
  readonly id?: number | string | null;
  readonly fast?: boolean;
  readonly firstUnaffected?: boolean;
  readonly byteExact?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: readonly string[];
}

export function loadOrigin(): Row[] {
  const file: { rows: Row[] } = JSON.parse(readFileSync(new URL("origin.json", import.meta.url), "utf8"));
  return file.rows;
}

/** The text that is sent for a row; `undefined` where the row describes an event in words. */
export function frameText(row: Row): string | undefined {
  if (typeof row.frame !== "string") return JSON.stringify(expand(row.frame));
  return /^[{[]/.test(row.frame) ? row.frame : undefined;
}

function expand(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(expand);
  if (!isObject(value)) return value;
  const { $repeat: repeat, $batch: batch } = value;
  if (Array.isArray(repeat)) return String(repeat[0]).repeat(Number(repeat[1]));
  if (Array.isArray(batch)) return copies(batch[0], Number(batch[1]));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expand(member)]));
}

function copies(message: JsonValue, count: number): JsonValue[] {
  const expanded = expand(message);
  if (!isObject(expanded)) throw new TypeError("$batch repeats a message");
  return Array.from({ length: count }, (_, index) => ("id" in expanded ? { ...expanded, id: index + 1 } : expanded));
}
