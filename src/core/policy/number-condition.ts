/**
 * Ranges. A rule that asks or denies also counts numbers in quotes, which many servers read as numbers, and whatever
 * cannot be read as a number at all, such as one outside the range of a double; a rule that allows counts plain numbers only.
 */
import { isObject, type JsonValue } from "../wire/json.ts";
import type { Range } from "./policy.ts";

/** Whether a number still says what was written: neither overflown nor an integer that may have lost digits. */
export function isExact(number: number): boolean {
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER;
}

export function inRange(number: number, { atLeast, above, atMost, below }: Range): boolean {
  if (atLeast !== undefined && !(number >= atLeast)) return false;
  if (above !== undefined && !(number > above)) return false;
  if (atMost !== undefined && !(number <= atMost)) return false;
  return below === undefined || number < below;
}

/** In any other spelling, such as `010`, `0x10` and `1e3`, readers differ. */
const PLAIN = /^[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

/** For rules that tighten. */
export function maybeInRange(range: Range): (value: JsonValue) => boolean {
  const some = (value: JsonValue): boolean => {
    if (typeof value === "number") return !isExact(value) || inRange(value, range);
    if (typeof value === "string") {
      const number = value.trim() === "" ? Number.NaN : Number(value.normalize("NFKC"));
      return !isExact(number) || !PLAIN.test(value.trim()) || inRange(number, range);
    }
    if (Array.isArray(value)) return value.some((item: JsonValue) => some(item));
    return isObject(value) ? Object.values(value).some(some) : true;
  };
  return some;
}

/** For rules that widen. */
export function surelyInRange(range: Range): (value: JsonValue) => boolean {
  const fits = (value: JsonValue): boolean => typeof value === "number" && isExact(value) && inRange(value, range);
  return (value) => (Array.isArray(value) ? value.length > 0 && value.every(fits) : fits(value));
}
