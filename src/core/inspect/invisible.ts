/**
 * Which characters cannot be seen, and where each of them is at home. A joiner inside an emoji, a non-joiner in a
 * Persian word or a selector behind an ideograph is writing; the same character between Latin letters, or twenty of
 * them in a row, is a message for the model that no person reads.
 *
 * Three answers: `fine` (at home), `odd` (an artefact of copying when alone, a code when repeated), `bad`.
 *
 * @see Unicode 17 · 23.2 Layout controls, 23.4 Variation selectors, 23.9 Tag characters
 * @see UTS #51 · 2.2 Emoji zero width joiner sequences, Annex C Valid emoji tag sequences
 * @see UTR #36 · 3 and "Trojan Source" (CVE-2021-42574) for reordering
 */

export type Verdict = "fine" | "odd" | "bad";

/** A character, or a whole control sequence, that cannot be seen. */
export interface Invisible {
  readonly type: string;
  readonly end: number;
  readonly verdict: Verdict;
}

/** Facts of the whole string that single characters are judged by; asked for only when needed. */
export interface Surroundings {
  readonly rightToLeft: () => boolean;
  readonly isolatesOnly: () => boolean;
  readonly braille: () => boolean;
}

/** Judges what stands at `at`, which the scan found suspicious. */
export function judge(text: string, at: number, around: Surroundings): Invisible {
  const code = text.codePointAt(at) ?? 0;
  const end = at + (code > 0xffff ? 2 : 1);
  const place: Place = { text, at, end, code, around };
  if (code < 0x20 || code === 0x7f) return control(text, at);
  if (code === 0x200b || code === 0x200c || code === 0x200d || code === 0x2060 || code === 0xfeff || code === 0x180e) {
    return { type: "zero-width", end, verdict: zeroWidth(place) };
  }
  if (code === 0x200e || code === 0x200f || code === 0x061c) return { type: "bidi", end, verdict: mark(place) };
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) {
    return { type: "bidi", end, verdict: reordering(place) };
  }
  if (code >= 0x2061 && code <= 0x2065) return { type: "operator", end, verdict: operator(place) };
  if (code >= 0xe0000 && code <= 0xe007f) return { type: "tag", end, verdict: "bad" };
  if (code === BLACK_FLAG) return flag(text, at);
  if (
    (code >= 0xfe00 && code <= 0xfe0f) ||
    (code >= 0xe0100 && code <= 0xe01ef) ||
    (code >= 0x180b && code <= 0x180f)
  ) {
    return { type: "variation", end, verdict: variation(place) };
  }
  if (isPrivate(code)) return { type: "private-use", end, verdict: "odd" };
  return other(place);
}

interface Place {
  readonly text: string;
  readonly at: number;
  readonly end: number;
  readonly code: number;
  readonly around: Surroundings;
}

const LETTER = /[\p{L}\p{N}]/u;
const MARK = /\p{M}/u;
const PICTOGRAPH = /\p{Extended_Pictographic}/u;
const SYMBOL = /[\p{S}\p{Extended_Pictographic}#*0-9\u203c\u2049\u3030\u303d]/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff60]/u;
const HAN = /[\p{Script=Han}]/u;
const STYLED =
  /[\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;

/** A pair beside a space is an editor's leftover; three in a row are a code. */
function zeroWidth({ text, at, end, code }: Place): Verdict {
  let from = at;
  let to = end;
  while (isZeroWidth(text.charAt(from - 1)) && at - from < 3) from -= 1;
  while (isZeroWidth(text.charAt(to)) && to - end < 3) to += 1;
  const before = previous(text, from);
  const after = next(text, to);
  if (to - from > 2) return "bad";
  if (to - from === 2) return LETTER.test(before) && LETTER.test(after) ? "bad" : "odd";
  if (code === 0xfeff && (at === 0 || before === "\n")) return at === 0 ? "fine" : "odd";
  if (code === 0x180e) return isMongolian(before) || isMongolian(after) ? "fine" : "bad";
  if (isJoining(before) || (code !== 0x200c && isJoining(after))) return "fine";
  if (code === 0x200d && PICTOGRAPH.test(emojiBase(text, at)) && PICTOGRAPH.test(after)) return "fine";
  if (code === 0x200b && (UNSPACED.test(before) || UNSPACED.test(after))) return "fine";
  return LETTER.test(before) && LETTER.test(after) ? "bad" : "odd";
}

function mark({ text, at, end, around }: Place): Verdict {
  const before = previous(text, at);
  const after = next(text, end);
  if (isDirection(before) && isDirection(after)) return "bad";
  if (around.rightToLeft()) return "fine";
  return LETTER.test(before) && LETTER.test(after) ? "bad" : "odd";
}

/** Overrides never; embeddings and isolates only around writing that runs from right to left, or as a program isolates names. */
function reordering({ code, around }: Place): Verdict {
  if (code === 0x202d || code === 0x202e) return "bad";
  return around.isolatesOnly() ? "fine" : "bad";
}

function operator({ text, at, end }: Place): Verdict {
  const before = previous(text, at);
  const after = next(text, end);
  if (isOperator(before) || isOperator(after)) return "bad";
  return after === "(" || /[0-9)]/.test(before) ? "fine" : "odd";
}

const BLACK_FLAG = 0x1f3f4;
const FLAG = /\u{1f3f4}([\u{e0061}-\u{e007a}]{2}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,3})\u{e007f}/uy;
const WELL_KNOWN_FLAGS = ["gbeng", "gbsct", "gbwls"];

/** A region's flag is spelled in tags. Three are in use; others may be drawn, or may spell something else. */
function flag(text: string, at: number): Invisible {
  FLAG.lastIndex = at;
  const found = FLAG.exec(text);
  if (found === null) return { type: "tag", end: at + 2, verdict: "fine" };
  const region = Array.from(found[1] ?? "", (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000)).join("");
  return { type: "tag", end: at + found[0].length, verdict: WELL_KNOWN_FLAGS.includes(region) ? "fine" : "odd" };
}

function variation({ text, at, code }: Place): Verdict {
  const before = previous(text, at);
  if (code >= 0xe0100) return HAN.test(before) ? "fine" : "bad";
  if (code <= 0x180f) return isMongolian(before) ? "fine" : "bad";
  return SYMBOL.test(before) || STYLED.test(before) ? "fine" : "bad";
}

function other({ text, at, end, code, around }: Place): Invisible {
  const before = previous(text, at);
  const after = next(text, end);
  switch (code) {
    case 0xad:
      return { type: "format", end, verdict: softHyphen(text, at) };
    case 0x34f:
      return { type: "format", end, verdict: MARK.test(before) || MARK.test(after) ? "fine" : "bad" };
    case 0x115f:
    case 0x1160:
    case 0x3164:
    case 0xffa0:
      return { type: "filler", end, verdict: isHangul(before) || isHangul(after) ? "fine" : "bad" };
    case 0x17b4:
    case 0x17b5:
      return {
        type: "filler",
        end,
        verdict: /\p{Script=Khmer}/u.test(before) && isKhmerLetter(before) ? "fine" : "bad",
      };
    case 0x2800:
      return { type: "filler", end, verdict: around.braille() ? "fine" : "bad" };
  }
  if (code >= 0x1d173 && code <= 0x1d17a) {
    return { type: "format", end, verdict: isMusic(before) || isMusic(after) ? "fine" : "bad" };
  }
  return { type: "format", end, verdict: "bad" };
}

/** Between letters, as hyphenation sets it; a syllable of one letter is rare, a word of them is a disguise. */
function softHyphen(text: string, at: number): Verdict {
  const before = previous(text, at);
  const after = next(text, at + 1);
  if (!LETTER.test(before)) return "bad";
  if (!LETTER.test(after)) return after === "" || after === "\n" ? "odd" : "bad";
  return text[at - 2] === "\u00ad" || text[at + 2] === "\u00ad" ? "odd" : "fine";
}

/** What follows the escape character. */
const COLOUR = /\[([0-9;:]*)m/y;
const MOVEMENT = /\[[0-9;:?<=>]{0,64}[ -/]{0,8}[@-~]/y;
const COMMAND = /\][^\p{Cc}]{0,4096}/uy;
const CONCEALS = /(?:^|;)0?8(?:;|$)|38[;:]2[;:]255[;:]255[;:]255/;

/** Colours are fine, moving the cursor is odd; concealed text, relabelled links and bare controls are bad. */
function control(text: string, at: number): Invisible {
  const type = "control";
  const colour = sequence(COLOUR, text, at);
  if (colour !== undefined) {
    return { type, end: at + 1 + colour[0].length, verdict: conceals(colour[1] ?? "") ? "bad" : "fine" };
  }
  const command = sequence(COMMAND, text, at);
  if (command !== undefined) return { type, end: endOfCommand(text, at + 1 + command[0].length), verdict: "bad" };
  const movement = sequence(MOVEMENT, text, at);
  if (movement !== undefined) return { type, end: at + 1 + movement[0].length, verdict: "odd" };
  return { type, end: at + 1, verdict: "bad" };
}

/** A command ends with a bell, or with an escape and a backslash. */
function endOfCommand(text: string, at: number): number {
  if (text.charCodeAt(at) === 0x07) return at + 1;
  return text.charCodeAt(at) === 0x1b && text[at + 1] === "\\" ? at + 2 : at;
}

/** An 8 within an extended colour (`38;5;8`) is a colour. */
function conceals(parameters: string): boolean {
  return CONCEALS.test(parameters.replace(/[34]8[;:]5[;:]\d+/g, ""));
}

function sequence(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  if (text.charCodeAt(at) !== 0x1b) return undefined;
  pattern.lastIndex = at + 1;
  return pattern.exec(text) ?? undefined;
}

/** The character before, or the empty string. */
function previous(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(Math.max(0, at - 2), at) : text.charAt(at - 1);
}

function next(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

/** What a joiner joins on its left: the pictograph below a selector, a skin tone or a hair style. */
function emojiBase(text: string, at: number): string {
  let end = at;
  let before = previous(text, end);
  for (let seen = 0; seen < 2 && /[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}\u20e3]/u.test(before); seen += 1) {
    end -= before.length;
    before = previous(text, end);
  }
  return before;
}

/** First to last code point of scripts that join letters, or are written without spaces, and so need these characters. */
const JOINING = [
  // Arabic to Myanmar, with everything Indic between them
  0x0600, 0x109f,
  // Khmer and Mongolian
  0x1780, 0x18af,
  // Tai Tham and Balinese
  0x1a20, 0x1b7f,
  // Phags-pa to Meetei Mayek
  0xa840, 0xabff,
  // Arabic presentation forms
  0xfb50, 0xfdff, 0xfe70, 0xfefc,
  // Brahmi and its relatives
  0x11000, 0x11fff,
];
const MARKS_AMONG_JOINING = [0x061c, 0x17b4, 0x17b5, 0x180b, 0x180c, 0x180d, 0x180e, 0x180f];

function isJoining(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x600 || MARKS_AMONG_JOINING.includes(code)) return false;
  for (let at = 0; at < JOINING.length; at += 2) {
    if (code >= (JOINING[at] ?? 0) && code <= (JOINING[at + 1] ?? 0)) return true;
  }
  return false;
}

function isZeroWidth(character: string): boolean {
  const code = character.charCodeAt(0);
  return (code >= 0x200b && code <= 0x200d) || code === 0x2060 || code === 0xfeff || code === 0x180e;
}

const isDirection = (character: string): boolean => /[\u200e\u200f\u061c]/.test(character);
const isOperator = (character: string): boolean => /[\u2061-\u2065]/.test(character);
const isMongolian = (character: string): boolean => /[\u1800-\u180a\u1810-\u18af]/.test(character);
const isHangul = (character: string): boolean =>
  /[\u1100-\u115e\u1161-\u11ff\u3131-\u3163\u3165-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\uffa1-\uffdc]/.test(
    character,
  );
const isKhmerLetter = (character: string): boolean => !/[\u17b4\u17b5]/.test(character);
const isMusic = (character: string): boolean => /[\u{1d100}-\u{1d172}\u{1d17b}-\u{1d1ff}]/u.test(character);

function isPrivate(code: number): boolean {
  return (code >= 0xe000 && code <= 0xf8ff) || (code >= 0xf0000 && code <= 0x10fffd);
}
