/**
 * A host's letters as a person reads them, from the ASCII form that is looked up. Only for showing both beside one another;
 * what is opened is always the ASCII form.
 *
 * @see RFC 3492 · 6.2 Decoding procedure
 */

/** The host with its `xn--` labels decoded; the same text where there are none, or where one cannot be read. */
export function readableHost(host: string): string {
  return host
    .split(".")
    .map((label) => (label.startsWith(PREFIX) ? (decodeLabel(label.slice(PREFIX.length)) ?? label) : label))
    .join(".");
}

const PREFIX = "xn--";
const BASE = 36;
const LOWEST = 1;
const HIGHEST = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE = 128;
const LAST_CODE = 0x10_ffff;

function decodeLabel(text: string): string | undefined {
  const basicEnd = Math.max(0, text.lastIndexOf("-"));
  const codes = Array.from(text.slice(0, basicEnd), (letter) => letter.charCodeAt(0));
  let code = FIRST_CODE;
  let at = 0;
  let bias = FIRST_BIAS;
  for (let from = basicEnd > 0 ? basicEnd + 1 : 0; from < text.length; ) {
    const before = at;
    let weight = 1;
    for (let step = BASE; ; step += BASE) {
      const digit = digitOf(text.charCodeAt(from));
      from += 1;
      if (digit === undefined) return undefined;
      at += digit * weight;
      const threshold = Math.min(HIGHEST, Math.max(LOWEST, step - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const count = codes.length + 1;
    bias = adapted(at - before, count, before === 0);
    code += Math.floor(at / count);
    at %= count;
    if (code > LAST_CODE) return undefined;
    codes.splice(at, 0, code);
    at += 1;
  }
  return String.fromCodePoint(...codes);
}

function adapted(delta: number, count: number, first: boolean): number {
  let left = first ? Math.floor(delta / DAMP) : Math.floor(delta / 2);
  left += Math.floor(left / count);
  let bias = 0;
  for (; left > ((BASE - LOWEST) * HIGHEST) / 2; bias += BASE) left = Math.floor(left / (BASE - LOWEST));
  return bias + Math.floor(((BASE - LOWEST + 1) * left) / (left + SKEW));
}

function digitOf(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  return code >= 0x41 && code <= 0x5a ? code - 0x41 : undefined;
}
