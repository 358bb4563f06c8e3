/**
 * The strings and numbers of RFC 8259, found by character code. Strict: no raw control character, no unknown escape, and
 * no escaped half of a surrogate pair, because a text with one has no UTF-8 form and two parsers would hash and show
 * different things. Raw halves are the scanner's to refuse, once for the whole text.
 *
 * @see RFC 8259 · 6 Numbers · 7 Strings
 * @see RFC 7493 · 2.1 Encoding and characters
 */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** Answers of the functions below in place of a position. */
export const NOT_JSON = -1;
export const LONE_SURROGATE = -2;

export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The first position at or after `at` that holds no white space; the text's length where there is none. */
export function afterSpace(text: string, at: number): number {
  const length = text.length;
  if (at < length && text.charCodeAt(at) > 0x20) return at;
  let next = at;
  while (next < length && isSpace(text.charCodeAt(next))) next += 1;
  return next;
}

/** The position after the string whose opening quote stands at `open`. */
export function stringEnd(text: string, open: number): number {
  const near = open + CHECKED_HERE;
  const length = Math.min(text.length, near);
  let at = open + 1;
  while (at < length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) {
      at = escapeEnd(text, at);
      if (at < 0) return at;
    } else if (code < 0x20) {
      return NOT_JSON;
    } else {
      at += 1;
    }
  }
  return at >= text.length ? NOT_JSON : longStringEnd(text, open);
}

/**
 * The position after the closing quote of a string whose content goes on at `from`; the text's length where there is
 * none. Checks nothing. Near content is read here, far content by native search, which pays only over a distance.
 */
export function closingQuoteEnd(text: string, from: number): number {
  const near = Math.min(text.length, from + READ_HERE);
  let at = from;
  while (at < near) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    at += code === BACKSLASH ? 2 : 1;
  }
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let slashes = quote;
    while (slashes > at && text.charCodeAt(slashes - 1) === BACKSLASH) slashes -= 1;
    if ((quote - slashes) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** The position after the number that begins at `start`. */
export function numberEnd(text: string, start: number): number {
  let at = start;
  if (text.charCodeAt(at) === MINUS) at += 1;
  const whole = digitsEnd(text, at);
  if (whole === at || (whole > at + 1 && text.charCodeAt(at) === ZERO)) return NOT_JSON;
  at = whole;
  if (at < text.length && text.charCodeAt(at) === DOT) {
    const fraction = digitsEnd(text, at + 1);
    if (fraction === at + 1) return NOT_JSON;
    at = fraction;
  }
  if (at < text.length && (text.charCodeAt(at) | 0x20) === LETTER_E) {
    at += 1;
    if (at < text.length && (text.charCodeAt(at) === PLUS || text.charCodeAt(at) === MINUS)) at += 1;
    const exponent = digitsEnd(text, at);
    if (exponent === at) return NOT_JSON;
    at = exponent;
  }
  return at;
}

/** The position after `true`, `false` or `null` at `start`. */
export function literalEnd(text: string, start: number): number {
  if (text.startsWith("true", start) || text.startsWith("null", start)) return start + 4;
  return text.startsWith("false", start) ? start + 5 : NOT_JSON;
}

const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const LETTER_E = 0x65;
const LETTER_U = 0x75;
const SIMPLE_ESCAPES = '"\\/bfnrt';

/** Code units that are read one by one before a native search begins. */
const READ_HERE = 24;

/** Longer strings are checked by `JSON.parse`, which reads them several times faster than a loop here can. */
const CHECKED_HERE = 128;

function longStringEnd(text: string, open: number): number {
  const end = closingQuoteEnd(text, open + 1);
  const written = text.slice(open, end);
  try {
    const value: unknown = JSON.parse(written);
    // A text that is well-formed as a whole can hold half a pair only behind an escape.
    return written.includes("\\u") && typeof value === "string" && !value.isWellFormed() ? LONE_SURROGATE : end;
  } catch {
    return NOT_JSON;
  }
}

function digitsEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code < ZERO || code > NINE) break;
    at += 1;
  }
  return at;
}

function escapeEnd(text: string, at: number): number {
  if (at + 1 >= text.length) return NOT_JSON;
  if (text.charCodeAt(at + 1) !== LETTER_U) return SIMPLE_ESCAPES.includes(text.charAt(at + 1)) ? at + 2 : NOT_JSON;
  const unit = escapedUnit(text, at);
  if (unit < 0xd800 || unit > 0xdfff) return unit < 0 ? NOT_JSON : at + 6;
  if (unit >= 0xdc00) return LONE_SURROGATE;
  const low = escapedUnit(text, at + 6);
  return low >= 0xdc00 && low <= 0xdfff ? at + 12 : LONE_SURROGATE;
}

/** The code unit that an escape of the form `\uXXXX` at `at` stands for, or a negative number. */
function escapedUnit(text: string, at: number): number {
  if (at + 6 > text.length || text.charCodeAt(at) !== BACKSLASH || text.charCodeAt(at + 1) !== LETTER_U)
    return NOT_JSON;
  let unit = 0;
  for (let digit = at + 2; digit < at + 6; digit += 1) {
    const value = hexValue(text.charCodeAt(digit));
    if (value < 0) return NOT_JSON;
    unit = unit * 16 + value;
  }
  return unit;
}

function hexValue(code: number): number {
  if (code >= ZERO && code <= NINE) return code - ZERO;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : NOT_JSON;
}
