/**
 * One strict pass over a frame's text, before anything is built from it: RFC 8259 grammar, one document, no byte-order
 * mark, no repeated member name, no lone surrogate, and every limit held. It answers hostile text: bombs of depth, members
 * or digits, documents hidden behind the first, and whatever two parsers could read in two ways. It also notes where the
 * root's members (or, for an array, its items and their members) stand, so that their bytes can be copied.
 *
 * INVARIANT: what passes here is accepted by `JSON.parse`, and no member of it is lost there.
 *
 * @see RFC 8259 · 2 JSON grammar
 * @see RFC 7493 · 2 I-JSON messages
 */
import type { Limits, Span } from "./json.ts";
import { nameBetween, OpenNames } from "./names.ts";
import {
  afterSpace,
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LONE_SURROGATE,
  literalEnd,
  NOT_JSON,
  numberEnd,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  stringEnd,
} from "./tokens.ts";

/** Where one value stands, and for an outlined object where each of its members' values stands. */
export interface Outline extends Span {
  readonly shape: "object" | "array" | "scalar";
  readonly members: ReadonlyMap<string, Span>;
}

export interface Scanned {
  readonly kind: "scanned";
  readonly root: Outline;
  /** Items of a root array, in order; of a longer array than `limits.batch` only one more than that. */
  readonly items: readonly Outline[];
}

/**
 * `syntax`: not JSON. `ambiguous`: grammatical, but parsers disagree on it. `limit`: one of the person's limits.
 * `overlong`: a root member that must be brief is not, and the rest was left unread.
 */
export type ScanReason = "syntax" | "ambiguous" | "limit" | "overlong";

export interface ScanFault {
  readonly kind: "fault";
  readonly reason: ScanReason;
  /** A sentence of ours with the remedy. */
  readonly detail: string;
  /** Members of the root object that were read before the scan stopped. */
  readonly members: ReadonlyMap<string, Span>;
}

export interface ScanOptions {
  readonly limits: Limits;
  /** Members of a root object whose string may have at most so many code units as written. */
  readonly brief?: ReadonlyMap<string, number>;
}

export function scan(text: string, options: ScanOptions): Scanned | ScanFault {
  const { limits, brief } = options;
  const outliner = new Outliner(text, limits.batch + 1);
  const fail = (reason: ScanReason, detail: string): ScanFault => ({
    kind: "fault",
    reason,
    detail,
    members: outliner.rootMembers,
  });
  if (!text.isWellFormed()) return fail("syntax", SENTENCES.surrogate);

  const names = new OpenNames(text);
  /** Members or items so far of every open container; negative for arrays, so that one number tells both. */
  const counts: number[] = [];
  let depth = 0;
  let inObject = false;
  let at = afterSpace(text, 0);
  /** The root's entries, and the members of a root array's items. */
  const outlined = text.charCodeAt(at) === OPEN_ARRAY ? 2 : 1;

  for (;;) {
    // A value begins at `at`.
    if (depth <= outlined) outliner.begin(depth, at, inObject);
    const code = at < text.length ? text.charCodeAt(at) : NOT_JSON;
    let entered = false;
    if (code === QUOTE) {
      const allowed = depth === 1 && brief !== undefined && inObject ? brief.get(outliner.name) : undefined;
      if (allowed !== undefined && isLonger(text, at, allowed)) return fail("overlong", SENTENCES.overlong);
      const end = stringEnd(text, at);
      if (end < 0)
        return end === LONE_SURROGATE ? fail("ambiguous", SENTENCES.surrogate) : fail("syntax", SENTENCES.syntax);
      if (end - at - 2 > limits.string) return fail("limit", SENTENCES.string);
      at = end;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (depth >= limits.depth) return fail("limit", SENTENCES.depth);
      const within = afterSpace(text, at + 1);
      const empty = within < text.length && text.charCodeAt(within) === code + 2;
      at = empty ? within + 1 : within;
      if (!empty) {
        depth += 1;
        inObject = code === OPEN_OBJECT;
        counts.push(inObject ? 1 : -1);
        if (inObject) names.open();
        entered = true;
      }
    } else {
      const end = code === NOT_JSON ? NOT_JSON : code > 0x60 ? literalEnd(text, at) : numberEnd(text, at);
      if (end < 0) return fail("syntax", SENTENCES.syntax);
      if (end - at > limits.digits && digitsIn(text, at, end) > limits.digits) return fail("limit", SENTENCES.digits);
      at = end;
    }

    // A value ended at `at`, unless a container was entered: close what closes, and step over one comma.
    while (!entered) {
      if (depth <= outlined) outliner.end(depth, at, text);
      at = afterSpace(text, at);
      if (depth === 0) return at === text.length ? outliner.scanned() : fail("syntax", SENTENCES.trailing);
      const mark = at < text.length ? text.charCodeAt(at) : NOT_JSON;
      if (mark === COMMA) {
        const count = (counts[depth - 1] ?? 0) + (inObject ? 1 : -1);
        if (count > limits.members || -count > limits.items) return fail("limit", SENTENCES.members);
        counts[depth - 1] = count;
        at = afterSpace(text, at + 1);
        break;
      }
      if (mark !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return fail("syntax", SENTENCES.syntax);
      if (inObject) names.close();
      counts.pop();
      depth -= 1;
      inObject = depth > 0 && (counts[depth - 1] ?? 0) > 0;
      at += 1;
    }
    if (!inObject) continue;

    // A member's name begins at `at`.
    if (at >= text.length || text.charCodeAt(at) !== QUOTE) return fail("syntax", SENTENCES.syntax);
    let close = plainEnd(text, at + 1);
    const escaped = close >= text.length || text.charCodeAt(close) !== QUOTE;
    if (escaped) {
      const end = stringEnd(text, at);
      if (end < 0)
        return end === LONE_SURROGATE ? fail("ambiguous", SENTENCES.surrogate) : fail("syntax", SENTENCES.syntax);
      close = end - 1;
    }
    if (close - at - 1 > limits.string) return fail("limit", SENTENCES.string);
    if (!names.add(at + 1, close, escaped)) {
      if (depth === 1) outliner.rootMembers.clear();
      return fail("ambiguous", SENTENCES.repeated);
    }
    if (depth <= outlined) outliner.name = nameBetween(text, at + 1, close);
    at = afterSpace(text, close + 1);
    if (at >= text.length || text.charCodeAt(at) !== COLON) return fail("syntax", SENTENCES.syntax);
    at = afterSpace(text, at + 1);
  }
}

const SENTENCES = {
  syntax: "The text is not JSON; send one JSON document encoded in UTF-8, without a byte-order mark.",
  trailing: "Something follows the JSON document; send one document in each frame.",
  surrogate: "A string holds half of a surrogate pair; send only complete characters.",
  repeated: "An object repeats a member name; name each member once.",
  overlong: "The method or the id is too long; use at most 256 bytes for each.",
  depth: "The message is nested too deeply; send a flatter one.",
  members: "An object or array of the message has too many entries; send fewer at once.",
  string: "A string of the message is too long; send a shorter one.",
  digits: "A number of the message has too many digits; send it as a string.",
} as const;

/** Notes where the outermost values stand while the scan passes them. */
class Outliner {
  readonly rootMembers = new Map<string, Span>();
  /** The member name read last, at an outlined depth. */
  name = "";
  readonly #text: string;
  readonly #mostItems: number;
  readonly #items: Outline[] = [];
  readonly #starts = [0, 0, 0];
  readonly #names = ["", "", ""];
  #itemMembers = new Map<string, Span>();
  #isArray = false;
  #root: Outline | undefined;

  constructor(text: string, mostItems: number) {
    this.#text = text;
    this.#mostItems = mostItems;
  }

  begin(depth: number, at: number, inObject: boolean): void {
    this.#starts[depth] = at;
    if (inObject) this.#names[depth] = this.name;
    if (depth === 0) this.#isArray = this.#text.charCodeAt(at) === OPEN_ARRAY;
    else if (depth === 1 && this.#isArray && this.#items.length < this.#mostItems) this.#itemMembers = new Map();
  }

  end(depth: number, end: number, text: string): void {
    const start = this.#starts[depth] ?? 0;
    if (depth === 0) {
      this.#root = { start, end, shape: shapeAt(text, start), members: this.rootMembers };
    } else if (!this.#isArray) {
      if (depth === 1) this.rootMembers.set(this.#names[1] ?? "", { start, end });
    } else if (this.#items.length < this.#mostItems) {
      if (depth === 1) this.#items.push({ start, end, shape: shapeAt(text, start), members: this.#itemMembers });
      else if (shapeAt(text, this.#starts[1] ?? 0) === "object")
        this.#itemMembers.set(this.#names[2] ?? "", { start, end });
    }
  }

  scanned(): Scanned {
    const root = this.#root ?? { start: 0, end: 0, shape: "scalar", members: this.rootMembers };
    return { kind: "scanned", root, items: this.#items };
  }
}

function shapeAt(text: string, at: number): Outline["shape"] {
  const code = text.charCodeAt(at);
  if (code === OPEN_OBJECT) return "object";
  return code === OPEN_ARRAY ? "array" : "scalar";
}

/** The first position from `at` that holds a quote, a backslash or a control character. */
function plainEnd(text: string, at: number): number {
  let next = at;
  while (next < text.length) {
    const code = text.charCodeAt(next);
    if (code === QUOTE || code === BACKSLASH || code < 0x20) break;
    next += 1;
  }
  return next;
}

/** Whether the string that opens at `open` goes on for more than so many code units; looks no further than that. */
function isLonger(text: string, open: number, allowed: number): boolean {
  const last = open + 1 + allowed;
  let at = open + 1;
  while (at <= last && at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return false;
    at += code === BACKSLASH ? 2 : 1;
  }
  return at < text.length;
}

function digitsIn(text: string, start: number, end: number): number {
  let digits = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) digits += 1;
  }
  return digits;
}
