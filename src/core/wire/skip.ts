/**
 * Steps over values of a text that the scan has already passed. Because the grammar is known to hold, a long string is
 * crossed with one native search for its quote, and nothing is checked again.
 *
 * INVARIANT: only texts that passed `scan`, or that were built from such, come here.
 */
import {
  afterSpace,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  closingQuoteEnd,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from "./tokens.ts";

/** One member of an object: its name's span with the quotes, and its value's span. */
export interface MemberAt {
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** The members of the object at `open`, one after the other; nothing where there is no object. */
export function* membersFrom(text: string, open: number): Generator<MemberAt, void> {
  if (text.charCodeAt(open) !== OPEN_OBJECT) return;
  let at = afterSpace(text, open + 1);
  while (at < text.length && text.charCodeAt(at) !== CLOSE_OBJECT) {
    const nameEnd = afterString(text, at);
    const valueStart = afterSpace(text, afterSpace(text, nameEnd) + 1);
    const valueEnd = afterValue(text, valueStart);
    yield { nameStart: at, nameEnd, valueStart, valueEnd };
    at = afterComma(text, valueEnd);
  }
}

/** The positions where the items of the array at `open` start and end; nothing where there is no array. */
export function* itemsFrom(text: string, open: number): Generator<readonly [number, number], void> {
  if (text.charCodeAt(open) !== OPEN_ARRAY) return;
  let at = afterSpace(text, open + 1);
  while (at < text.length && text.charCodeAt(at) !== CLOSE_ARRAY) {
    const end = afterValue(text, at);
    yield [at, end];
    at = afterComma(text, end);
  }
}

export function afterValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return afterString(text, start);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return afterScalar(text, start);
  const length = text.length;
  let depth = 1;
  let at = start + 1;
  while (at < length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = closingQuoteEnd(text, at + 1);
      continue;
    }
    at += 1;
    // The brackets of arrays and objects differ in one bit only.
    if ((code | 0x20) === OPEN_OBJECT) depth += 1;
    else if ((code | 0x20) === CLOSE_OBJECT && --depth === 0) return at;
  }
  return length;
}

/** The position after the string whose opening quote stands at `open`. */
export function afterString(text: string, open: number): number {
  return closingQuoteEnd(text, open + 1);
}

function afterScalar(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === CLOSE_OBJECT || code === CLOSE_ARRAY || code <= 0x20) break;
    at += 1;
  }
  return at;
}

function afterComma(text: string, end: number): number {
  const at = afterSpace(text, end);
  return at < text.length && text.charCodeAt(at) === COMMA ? afterSpace(text, at + 1) : at;
}
