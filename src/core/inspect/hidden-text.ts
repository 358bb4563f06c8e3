/**
 * Finds text that a model reads and a person does not see. `invisible.ts` judges each character by its neighbours; here
 * the judgements of one string are weighed together: what is odd once is left alone, what is odd three times, or stands
 * beside something bad, is reported. Look-alike letters, maths alphabets and padding are visible and not claimed.
 */
import { type Invisible, judge, type Surroundings } from "./invisible.ts";
import type { Spot } from "./spot.ts";

/** Odd places a string may have before they count. */
const TOLERATED = 2;
/** Private-use characters are icons one by one, and an alphabet in a row. */
const PRIVATE_RUN = 4;
/** So many characters in a row, or places in a string, are no accident. */
const CERTAIN = 4;

export function mayHideText(text: string): boolean {
  return MAY_BE_SUSPECT.test(text);
}

/** Everything in a text that cannot be seen, at home or not, in order. */
export function invisibleRuns(text: string): readonly Run[] {
  const around = surroundings(text);
  const runs: Run[] = [];
  let strange = 0;
  let last: { -readonly [Member in keyof Run]: Run[Member] } | undefined;
  const close = (): void => {
    if (last === undefined || isSeen(last)) return;
    if (last.type === "private-use") last.verdict = "bad";
    runs.push(last);
    if (last.verdict !== "fine") strange += 1;
  };
  SUSPECT.lastIndex = 0;
  for (let match = SUSPECT.exec(text); match !== null && strange < MOST_STRANGE; match = SUSPECT.exec(text)) {
    const start = match.index;
    const { type, end, verdict } = judge(text, start, around);
    SUSPECT.lastIndex = end;
    if (last?.end === start && last.type === type && last.verdict === verdict) {
      last.end = end;
      last.characters += 1;
    } else {
      close();
      last = { type, start, end, verdict, characters: 1 };
    }
  }
  close();
  return runs;
}

/** Flags in use, and icons. */
function isSeen({ type, verdict, characters }: Run): boolean {
  return (type === "tag" && verdict === "fine") || (type === "private-use" && characters < PRIVATE_RUN);
}

export function findHiddenText(text: string, runs: readonly Run[]): Spot[] {
  let odd = 0;
  let anyBad = false;
  for (const { verdict } of runs) {
    if (verdict === "bad") anyBad = true;
    else if (verdict === "odd") odd += 1;
  }
  const reported = runs.filter(
    ({ verdict }) => verdict === "bad" || (verdict === "odd" && (anyBad || odd > TOLERATED)),
  );
  return reported.map(({ type, start, end, characters }) => {
    const certain =
      type === "tag" ||
      type === "control" ||
      characters >= CERTAIN ||
      reported.length > CERTAIN ||
      OVERRIDE.test(text.slice(start, end));
    return { kind: "hidden-text", type: `hidden-text.${type}`, start, end, confidence: certain ? "high" : "low" };
  });
}

/** The text as it is seen, and for each of its code units the place in the original. */
export function withoutInvisible(
  text: string,
  runs: readonly Run[],
): { readonly visible: string; readonly places: Uint32Array } {
  const places = new Uint32Array(text.length);
  let visible = "";
  let from = 0;
  const keep = (to: number): void => {
    for (let at = from; at < to; at += 1) places[visible.length + at - from] = at;
    visible += text.slice(from, to);
  };
  for (const { start, end } of runs) {
    keep(start);
    from = end;
  }
  keep(text.length);
  return { visible, places };
}

/** Neighbours of one type and verdict. */
export interface Run extends Invisible {
  readonly start: number;
  readonly characters: number;
}

/** With so many runs out of place in one string, the rest of it is not looked at: a flood must not stop the gateway. */
const MOST_STRANGE = 10_000;

const SUSPECT_BMP = [
  "\\u0000-\\u0008\\u000b\\u000e-\\u001f\\u007f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f",
  "\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ue000-\\uf8ff\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb",
].join("");
/** One class of code units costs a fraction of the exact alternatives, and stops at most once more than they would. */
const MAY_BE_SUSPECT = new RegExp(`[${SUSPECT_BMP}\\ud82f\\ud834\\udb40\\udb80-\\udbff]`);
const SUSPECT = new RegExp(
  [
    `[${SUSPECT_BMP}]`,
    "\\ud834[\\udd73-\\udd7a]|\\ud82f[\\udca0-\\udca3]|\\ud83c\\udff4(?=\\udb40)|\\udb40[\\udc00-\\uddef]",
    "[\\udb80-\\udbff][\\udc00-\\udfff]",
  ].join("|"),
  "g",
);
const OVERRIDE = /[\u202d\u202e]/;
const RIGHT_TO_LEFT = /[\u05d0-\u05ea\u0620-\u064a\u066e-\u06d3\u0700-\u08c7\ufb1d-\ufdfb\ufe70-\ufefc]/;
const BRAILLE = /[\u2801-\u28ff]/;
/** Characters that split a text, for telling one way of isolating names from reordering. */
const EMBEDDING = /[\u202a-\u202e\u2066-\u2069]/g;

function surroundings(text: string): Surroundings {
  return {
    rightToLeft: once(() => RIGHT_TO_LEFT.test(text)),
    isolatesOnly: once(() => isBalanced(text)),
    braille: once(() => BRAILLE.test(text)),
  };
}

/** Every opening has its end, no override, and where nothing runs from right to left only first-strong isolates. */
function isBalanced(text: string): boolean {
  const rightToLeft = RIGHT_TO_LEFT.test(text);
  const open: string[] = [];
  for (const [character] of text.matchAll(EMBEDDING)) {
    if (character === "\u202d" || character === "\u202e") return false;
    if (character === "\u2069") {
      if (!/[\u2066-\u2068]/.test(open.pop() ?? "")) return false;
    } else if (character === "\u202c") {
      if (!/[\u202a\u202b]/.test(open.pop() ?? "")) return false;
    } else {
      if (!rightToLeft && (character !== "\u2068" || open.length > 0)) return false;
      open.push(character);
    }
  }
  return open.length === 0;
}

function once(ask: () => boolean): () => boolean {
  let known: boolean | undefined;
  return () => {
    known ??= ask();
    return known;
  };
}
