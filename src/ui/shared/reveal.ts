/**
 * Text that others wrote, cut into pieces that can be shown honestly: what cannot be seen becomes a name, letters that only
 * look like their neighbours are pointed out, line ends are drawn. The threat: an argument that a person approves because
 * the part that matters is invisible, reordered, or looks like something else.
 *
 * INVARIANT: the pieces' `text`, joined, is the input; nothing is dropped.
 *
 * @see Unicode Standard Annex 44 · Default_Ignorable_Code_Point; Unicode Technical Standard 39 · Mixed-Script Detection
 */
export type Piece =
  | { readonly kind: "plain"; readonly text: string }
  /** A run of one invisible character, or of tag characters. */
  | {
      readonly kind: "hidden";
      readonly text: string;
      readonly name: string;
      readonly code: string;
      readonly count: number;
    }
  /** A letter of another script inside a Latin word. */
  | { readonly kind: "twin"; readonly text: string; readonly script: string; readonly code: string }
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "tab"; readonly text: string };

export function reveal(text: string): readonly Piece[] {
  if (PLAIN.test(text)) return [{ kind: "plain", text }];
  const pieces: Piece[] = [];
  let plain = "";
  const push = (piece: Piece) => {
    if (plain) pieces.push({ kind: "plain", text: plain });
    plain = "";
    pieces.push(piece);
  };
  for (const [part] of text.matchAll(PARTS)) {
    if (SEEN.test(part)) plain += part;
    else if (part === "\n" || part === "\r\n") push({ kind: "line", text: part });
    else if (part === "\t") push({ kind: "tab", text: part });
    else if (HIDDEN.test(part)) for (const piece of hiddenRuns(part)) push(piece);
    else if (mixedWord(part)) {
      for (const letter of part) {
        if (isLatinMark(letter)) plain += letter;
        else push(twin(letter));
      }
    } else plain += part;
  }
  if (plain) pieces.push({ kind: "plain", text: plain });
  return pieces;
}

/** How many characters cannot be seen. */
export function hiddenCount(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (piece.kind === "hidden" ? piece.count : 0), 0);
}

/** What tag characters spell in ASCII, which no person sees and many models read; empty where there are none. */
export function spelled(text: string): string {
  return Array.from(text.matchAll(/[\u{e0020}-\u{e007e}]/gu), ([tag]) =>
    String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000),
  ).join("");
}

const SEEN = /^[ -~]+$/;
const PLAIN = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff]*$/;
// Blank to the eye, or shown as nothing, or changing the order of what follows; spaces wider or narrower than ours too.
const HIDDEN_CLASS =
  "\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u1680\\u2000-\\u200a\\u205f\\u2800";
const HIDDEN = new RegExp(`^[${HIDDEN_CLASS}]`, "u");
// An emoji may keep the marks that only choose its look or join it to the next one.
const EMOJI =
  "\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\ufe0f?(?:\\u200d\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\ufe0f?)*";
// A hidden character ends a word even where Unicode counts it as a letter or a mark, as fillers and variation selectors are.
// What everyone can see is taken in one piece, but for the word at its end, which may go on in another script.
const PARTS = new RegExp(
  [
    "\\r?\\n|\\t",
    "[ -~]*[ -@[-`{-~]",
    EMOJI,
    `(?:(?!\\r?\\n|\\t)[${HIDDEN_CLASS}])+`,
    `\\p{L}(?:(?![${HIDDEN_CLASS}])[\\p{L}\\p{M}])*`,
    "[^]",
  ].join("|"),
  "gu",
);

const NAMES: ReadonlyMap<number, string> = new Map([
  [0x00, "NUL"],
  [0x08, "BS"],
  [0x0d, "CR"],
  [0x1b, "ESC"],
  [0x7f, "DEL"],
  [0xad, "SHY"],
  [0x034f, "CGJ"],
  [0x061c, "ALM"],
  [0x115f, "FILL"],
  [0x1160, "FILL"],
  [0x200b, "ZWSP"],
  [0x200c, "ZWNJ"],
  [0x200d, "ZWJ"],
  [0x200e, "LRM"],
  [0x200f, "RLM"],
  [0x2028, "LSEP"],
  [0x2029, "PSEP"],
  [0x202a, "LRE"],
  [0x202b, "RLE"],
  [0x202c, "PDF"],
  [0x202d, "LRO"],
  [0x202e, "RLO"],
  [0x2060, "WJ"],
  [0x2066, "LRI"],
  [0x2067, "RLI"],
  [0x2068, "FSI"],
  [0x2069, "PDI"],
  [0x2800, "BLANK"],
  [0x3164, "FILL"],
  [0xfeff, "BOM"],
  [0xffa0, "FILL"],
]);

function* hiddenRuns(text: string): Generator<Piece> {
  let run = "";
  let first = 0;
  let count = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (count > 0 && nameOf(code) === nameOf(first)) {
      run += character;
      count += 1;
      continue;
    }
    if (count > 0) yield { kind: "hidden", text: run, name: nameOf(first), code: unicode(first), count };
    [run, first, count] = [character, code, 1];
  }
  if (count > 0) yield { kind: "hidden", text: run, name: nameOf(first), code: unicode(first), count };
}

function nameOf(code: number): string {
  if (code >= 0xe0000 && code <= 0xe007f) return "TAG";
  if ((code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)) return "VS";
  return NAMES.get(code) ?? unicode(code);
}

function unicode(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

function mixedWord(word: string): boolean {
  return (
    /\p{Script=Latin}/u.test(word) &&
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(word)
  );
}

function isLatinMark(letter: string): boolean {
  return /[\p{Script=Latin}\p{M}]/u.test(letter);
}

function twin(letter: string): Piece {
  return { kind: "twin", text: letter, script: scriptOf(letter), code: unicode(letter.codePointAt(0) ?? 0) };
}

function scriptOf(letter: string): string {
  if (/\p{Script=Cyrillic}/u.test(letter)) return "Cyrillic";
  if (/\p{Script=Greek}/u.test(letter)) return "Greek";
  return "Other";
}
