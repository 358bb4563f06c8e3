/**
 * The JSON values that judged payloads are made of, and the limits every frame is held to. Values serve judgement only:
 * what is forwarded are slices of the received text, because a parsed number may already have lost digits.
 */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** Limits of one frame. Every one of them is a setting of the person's. */
export interface Limits {
  /** UTF-8 bytes of a whole frame. */
  readonly bytes: number;
  /** Nested arrays and objects. */
  readonly depth: number;
  /** Members of one object. */
  readonly members: number;
  /** Items of one array. */
  readonly items: number;
  /** UTF-16 code units of one string or member name, as written. */
  readonly string: number;
  /** Digits of one number, as written. */
  readonly digits: number;
  /** Messages in one batch. */
  readonly batch: number;
}

export const DEFAULT_LIMITS: Limits = {
  bytes: 32 * 1024 * 1024,
  depth: 128,
  members: 10_000,
  items: 1_000_000,
  string: 32 * 1024 * 1024,
  digits: 1_000,
  batch: 100,
};

/** UTF-16 code-unit offsets into a frame's text, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
