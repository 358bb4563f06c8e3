/**
 * How frames of any length pass a port whose messages are small, and how a fast side waits for a slow one. A frame that
 * does not fit is cut into parts; a sender may have at most a window of code units under way on each run, and the receiver
 * gives credit back as it takes them. A server that writes for ever therefore fills one window and no memory.
 *
 * Both sides count UTF-16 code units, which each can count without looking at them. Parts are cut by the bytes they take
 * as JSON, and never between the halves of a surrogate pair, which no JSON reader would put together again.
 */
import { MAX_NATIVE_FRAME_UNITS } from "./native.ts";

/** Code units that may be under way on one run in one direction before the receiver has given credit. */
export const WINDOW_UNITS = 4 * 1024 * 1024;
/** Bytes of JSON that one part may take: under the browsers' limit, with room for the message around it. */
export const PART_BYTES = 1020 * 1024;
/** Parts are not longer than this, at three bytes a unit just what fits: only a part with `LONG` has to be counted. */
export const PART_UNITS = 336 * 1024;

/** A part that may be sent now. `whole` when it is a frame by itself. */
export interface Part {
  readonly text: string;
  readonly whole: boolean;
  readonly last: boolean;
}

/** The sending half of one run. */
export interface Outflow {
  push(frame: string): void;
  /** The next part that credit allows, or nothing. */
  take(): Part | undefined;
  credit(units: number): void;
  /** Code units that were pushed and not yet taken. */
  readonly waiting: number;
}

export function createOutflow(span = WINDOW_UNITS): Outflow {
  const frames: string[] = [];
  let at = 0;
  let allowed = span;
  let waiting = 0;
  return {
    push(frame) {
      frames.push(frame);
      waiting += frame.length;
    },
    take() {
      const frame = frames[0];
      // One part may overdraw the window, so that any credit at all moves the longest part.
      if (frame === undefined || allowed <= 0) return undefined;
      const end = partEnd(frame, at);
      const part = { text: frame.slice(at, end), whole: at === 0 && end === frame.length, last: end === frame.length };
      at = part.last ? 0 : end;
      if (part.last) frames.shift();
      allowed -= part.text.length;
      waiting -= part.text.length;
      return part;
    },
    credit(units) {
      allowed = Math.min(span, allowed + units);
    },
    get waiting() {
      return waiting;
    },
  };
}

export type Taken =
  /** Not finished yet. */
  | { readonly kind: "more" }
  | { readonly kind: "frame"; readonly text: string }
  /** The frame is over the limit; the run cannot go on. */
  | { readonly kind: "too-large" };

/** The receiving half of one run. */
export interface Inflow {
  /** A whole frame, or a part of one. */
  take(text: string, last: boolean): Taken;
  /** Call when so many received units are dealt with; returns credit worth sending now, else 0. */
  done(units: number): number;
}

export function createInflow(limit = MAX_NATIVE_FRAME_UNITS, span = WINDOW_UNITS): Inflow {
  let parts: string[] = [];
  let length = 0;
  let owed = 0;
  return {
    take(text, last) {
      length += text.length;
      if (length > limit) {
        parts = [];
        return { kind: "too-large" };
      }
      if (!last) {
        parts.push(text);
        return { kind: "more" };
      }
      const frame = parts.length === 0 ? text : parts.join("") + text;
      parts = [];
      length = 0;
      return { kind: "frame", text: frame };
    },
    done(units) {
      owed += units;
      if (owed < span / 4) return 0;
      const given = owed;
      owed = 0;
      return given;
    },
  };
}

/** Where a part that begins at `from` must end. Always beyond `from`, unless the text ends there. */
export function partEnd(text: string, from: number): number {
  const most = Math.min(text.length, from + PART_UNITS);
  const certain = (most - from) * 6 <= PART_BYTES || !LONG.test(text.slice(from, most));
  const end = certain ? most : fitting(text, from, most);
  return end < text.length && isHigh(text.charCodeAt(end - 1)) && isLow(text.charCodeAt(end)) ? end - 1 : end;
}

/** What JSON may write with six bytes: controls without a letter of their own, and halves of pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const LONG = /[\0-\x07\x0b\x0e-\x1f\ud800-\udfff]/;

/** The longest stretch within `most` whose JSON, as UTF-8, takes at most `PART_BYTES`. */
function fitting(text: string, from: number, most: number): number {
  let bytes = 0;
  for (let at = from; at < most; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code < 0x7f && code !== 0x22 && code !== 0x5c) bytes += 1;
    else if (code >= 0x80 && code < 0x800) bytes += 2;
    else if (code >= 0x800 && !(isHigh(code) || isLow(code))) bytes += 3;
    else if (code === 0x22 || code === 0x5c) bytes += 2;
    else bytes += 6;
    if (bytes > PART_BYTES) return at;
  }
  return most;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
