/**
 * The values of a text that are worth recognising when they come up again: addresses, links, numbers, identifiers, names
 * and passages. Each is given as a hash, so that who remembers it keeps no text. What is common (a word, a short number, a
 * day, true and false) is passed over: a match must mean something.
 *
 * A passage is recognised by any six words in a row. Who remembers a text marks every fourth such window, who looks for
 * one asks for every window: nine copied words always hold a marked one, at a quarter of the memory.
 *
 * INVARIANT: linear in the text: one pass, and each character belongs to at most one run, one part of it and one quoted
 * piece, which are read once more when they are hashed.
 */

export const VALUE_KINDS = ["address", "link", "number", "token", "phrase"] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

export interface Distinctive {
  /** 53 bits. */
  readonly hash: number;
  readonly kind: ValueKind;
  /** Whether it is all there is of the text, but for space and marks around it. */
  readonly whole: boolean;
}

export interface ScanOptions {
  /** Keeps anyone from preparing a text whose hash is that of another. */
  readonly seed: number;
  /** Give each window of words (1), or every n-th. */
  readonly every: number;
  /** Characters that are read. */
  readonly limit: number;
}

export type Visit = (value: Distinctive) => void;

export function scanDistinctive(text: string, options: ScanOptions, visit: Visit): void {
  const end = Math.min(text.length, options.limit);
  const scan = new Scan(text, end, options, visit);
  for (let at = 0; at < end; at += 1) {
    const code = text.charCodeAt(at);
    const is = code < 128 ? (ASCII[code] as number) : classOf(code);
    if (is === LETTER || is === DIGIT) scan.solid(at, code, is);
    else if (is === IDEOGRAPH) scan.ideograph(at, code);
    else if (is === INNER) scan.inner(code);
    else if (is === JOINT) scan.joint(code);
    else if (is === SPACE) scan.space();
    else {
      scan.border();
      if (code === BACKSLASH && ESCAPED.has(text.charCodeAt(at + 1))) at += 1;
    }
  }
  scan.border();
}

const LETTER = 1;
const DIGIT = 2;
/** Inside addresses, identifiers and numbers. */
const INNER = 3;
/** Between the parts of a link or a path. */
const JOINT = 4;
const SPACE = 5;
/** Around values: quotes, brackets. A passage does not reach over it. */
const BORDER = 6;
/** A word by itself. */
const IDEOGRAPH = 7;

const ASCII = new Uint8Array(128).fill(BORDER);
for (let code = 0x30; code <= 0x39; code += 1) ASCII[code] = DIGIT;
for (let code = 0x41; code <= 0x5a; code += 1) ASCII[code] = ASCII[code + 32] = LETTER;
for (const mark of "@._-+%~$*!") ASCII[mark.charCodeAt(0)] = INNER;
for (const mark of ":/?&=#") ASCII[mark.charCodeAt(0)] = JOINT;
for (const mark of " \t\n\r,;") ASCII[mark.charCodeAt(0)] = SPACE;

const BACKSLASH = 0x5c;
/** Letters that stand for white space behind a backslash, where the text is JSON inside a text. */
const ESCAPED: ReadonlySet<number> = new Set(Array.from("nrtbf", (letter) => letter.charCodeAt(0)));

function classOf(code: number): number {
  if (code >= 0x3040 && code <= 0x9fff) return IDEOGRAPH;
  if (code === 0xa0 || (code >= 0x2000 && code <= 0x206f) || code === 0x3000 || code === 0xfeff) return SPACE;
  return LETTER;
}

/** Something that was counted while it was read. */
interface Counted {
  start: number;
  /** Behind its last letter or digit; marks at its end belong to the sentence around it. */
  end: number;
  letters: number;
  digits: number;
  /** The longest digits in a row. */
  longest: number;
  /** One bit for each digit that occurs. */
  variety: number;
  address: boolean;
}

const WINDOW = 6;
/** Letters of a window: six words of one or two letters are no passage. */
const WINDOW_LETTERS = 18;

class Scan {
  readonly #text: string;
  readonly #end: number;
  readonly #options: ScanOptions;
  readonly #visit: Visit;
  readonly #part: Counted = nothing();
  readonly #run: Counted = nothing();
  #joints = 0;
  #slashes = 0;
  #row = 0;
  #at = false;
  /** The word at hand. */
  #word = 0;
  #wordLength = 0;
  readonly #words = new Int32Array(WINDOW);
  readonly #lengths = new Int32Array(WINDOW);
  #count = 0;
  /** What stands between two borders. */
  #pieceStart = -1;
  #pieceEnd = -1;
  #pieceWords = 0;
  #first = -1;

  constructor(text: string, end: number, options: ScanOptions, visit: Visit) {
    this.#text = text;
    this.#end = end;
    this.#options = options;
    this.#visit = visit;
  }

  solid(at: number, code: number, is: number): void {
    const part = this.#part;
    if (part.start < 0) part.start = at;
    part.end = at + 1;
    if (is === DIGIT) {
      part.digits += 1;
      this.#row += 1;
      if (this.#row > part.longest) part.longest = this.#row;
      part.variety |= 1 << (code - 0x30);
    } else {
      part.letters += 1;
      this.#row = 0;
    }
    if (this.#first < 0) this.#first = at;
    if (this.#pieceStart < 0) this.#pieceStart = at;
    this.#pieceEnd = at + 1;
    this.#word = Math.imul(this.#word ^ fold(code), PRIME);
    this.#wordLength += 1;
  }

  ideograph(at: number, code: number): void {
    this.#endWord();
    this.solid(at, code, LETTER);
    // Each weighs as much as a word of letters.
    this.#wordLength = 3;
    this.#endWord();
  }

  inner(code: number): void {
    this.#endWord();
    this.#row = 0;
    if (code === AT) this.#at = this.#part.letters + this.#part.digits > 0;
    else if (code === DOT && this.#at) this.#part.address = true;
  }

  joint(code: number): void {
    this.#endWord();
    this.#endPart(true);
    this.#joints += 1;
    if (code === SLASH) this.#slashes += 1;
  }

  space(): void {
    this.#endWord();
    this.#endRun();
  }

  border(): void {
    this.space();
    this.#endPiece();
    this.#count = 0;
  }

  #endWord(): void {
    if (this.#wordLength === 0) return;
    const slot = this.#count % WINDOW;
    this.#words[slot] = this.#word;
    this.#lengths[slot] = this.#wordLength;
    this.#count += 1;
    this.#pieceWords += 1;
    this.#word = 0;
    this.#wordLength = 0;
    if (this.#count < WINDOW || (this.#count - WINDOW) % this.#options.every !== 0) return;
    let letters = 0;
    let low = this.#options.seed;
    let high = ~low;
    for (let back = WINDOW; back > 0; back -= 1) {
      const at = (this.#count - back) % WINDOW;
      letters += this.#lengths[at] as number;
      const word = this.#words[at] as number;
      low = Math.imul(low ^ word, PRIME);
      low ^= low >>> 15;
      high = Math.imul(high ^ word, OTHER_PRIME);
      high ^= high >>> 13;
    }
    if (letters >= WINDOW_LETTERS) this.#visit({ hash: joined(low, high), kind: "phrase", whole: false });
  }

  #endPart(insideRun: boolean): void {
    const part = this.#part;
    this.#at = false;
    this.#row = 0;
    if (part.start < 0) return;
    if (insideRun || this.#joints > 0) this.#say(part, kindOf(part));
    add(this.#run, part);
    clear(part);
  }

  #endRun(): void {
    this.#endPart(false);
    const run = this.#run;
    if (run.start >= 0) {
      const kind = this.#joints === 0 ? kindOf(run) : this.#kindOfJoined(run);
      this.#say(run, kind);
      clear(run);
    }
    this.#joints = 0;
    this.#slashes = 0;
  }

  /** A link, a path, a time with its date: several parts as one. */
  #kindOfJoined({ start, end, letters, digits }: Counted): ValueKind | undefined {
    const length = end - start;
    if (length < 10) return undefined;
    if (this.#slashes >= 2 && this.#text.slice(start, end).includes("://")) return "link";
    if (this.#slashes >= 2 && length >= 12 && letters > 0) return "token";
    return letters > 0 && digits >= 4 && length >= 16 ? "token" : undefined;
  }

  #endPiece(): void {
    const [start, end, words] = [this.#pieceStart, this.#pieceEnd, this.#pieceWords];
    this.#pieceStart = -1;
    this.#pieceWords = 0;
    if (start < 0 || words < 2 || words > WINDOW * 4 || end - start < SHORTEST_NAME) return;
    this.#say({ ...nothing(), start, end }, "phrase");
  }

  #say({ start, end }: Counted, kind: ValueKind | undefined): void {
    if (kind === undefined) return;
    const hash = hashOf(this.#text, { start, end }, this.#options.seed, kind);
    this.#visit({ hash, kind, whole: start <= this.#first && this.#onlyMarksBehind(end) });
  }

  /** Stops at the first letter or digit behind, so that it reads marks once at most. */
  #onlyMarksBehind(from: number): boolean {
    for (let at = from; at < this.#end; at += 1) {
      const code = this.#text.charCodeAt(at);
      const is = code < 128 ? (ASCII[code] as number) : classOf(code);
      if (is === LETTER || is === DIGIT || is === IDEOGRAPH) return false;
    }
    return true;
  }
}

const AT = 0x40;
const DOT = 0x2e;
const SLASH = 0x2f;
const SHORTEST_NAME = 8;

function nothing(): Counted {
  return { start: -1, end: -1, letters: 0, digits: 0, longest: 0, variety: 0, address: false };
}

function clear(counted: Counted): void {
  counted.start = -1;
  counted.end = -1;
  counted.letters = 0;
  counted.digits = 0;
  counted.longest = 0;
  counted.variety = 0;
  counted.address = false;
}

function add(to: Counted, part: Counted): void {
  if (to.start < 0) to.start = part.start;
  to.end = part.end;
  to.letters += part.letters;
  to.digits += part.digits;
  to.longest = Math.max(to.longest, part.longest);
  to.variety |= part.variety;
  to.address ||= part.address;
}

function kindOf({ start, end, letters, digits, longest, variety, address }: Counted): ValueKind | undefined {
  const length = end - start;
  if (address && length >= 6) return "address";
  // 100000 and 999999 are limits and rounds, not someone's number; 2026-11-30 is a day.
  if (letters === 0) return (longest >= 6 || digits >= 9) && bits(variety) > 2 ? "number" : undefined;
  if (digits >= 4 && length >= 8) return "token";
  if (digits > 0 && length >= 16) return "token";
  return length >= 24 ? "token" : undefined;
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

const PRIME = 0x01000193;
const OTHER_PRIME = 0x5bd1e995;

/** Capitals count as small letters. A number is its digits: how it was set apart does not matter. */
function hashOf(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  seed: number,
  kind: ValueKind,
): number {
  let low = seed ^ kind.length;
  let high = ~low;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (kind === "number" && ASCII[code] !== DIGIT) continue;
    low = Math.imul(low ^ fold(code), PRIME);
    high = Math.imul(high ^ fold(code), OTHER_PRIME);
    high ^= high >>> 13;
  }
  low ^= low >>> 15;
  return joined(low, high);
}

function fold(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 32 : code;
}

function joined(low: number, high: number): number {
  return (low >>> 0) * 0x200000 + (high >>> 11);
}
