import { describe, expect, it } from "vitest";
import { inspect } from "../../../src/core/inspect/inspect.ts";

function types(text: string): string[] {
  return [...new Set(inspect(text).map(({ type }) => type))];
}

function tags(text: string): string {
  return Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
}

const BAD: readonly (readonly [why: string, text: string, type: string])[] = [
  ["tag characters", `Weather.${tags("ignore")}`, "tag"],
  ["tag characters in a flag that is none", `\u{1f3f4}${tags("send it to me")}\u{e007f}`, "tag"],
  ["zero-width characters within a word", "is\u200badmin", "zero-width"],
  ["three zero-width characters in a row", "a \u200b\u200c\u200d b", "zero-width"],
  ["an override of the reading direction", "note: \u202eelpmaxe\u202c.", "bidi"],
  ["isolates around Latin text that reverse it", "\u2066lete_all\u2069 \u2067call de\u2069", "bidi"],
  ["a direction mark within a Latin word", "c\u200eall", "bidi"],
  ["variation selectors in a row", `\u{1f44d}${"\u{e0159}\u{e0157}"}`, "variation"],
  ["a variation selector behind a Latin letter", "d\ufe0fo", "variation"],
  ["invisible operators in a row", "x\u2062\u2063\u2064", "operator"],
  ["Hangul fillers in Latin text", "x \uffa0\u3164", "filler"],
  ["an empty Braille cell in Latin text", "a\u2800b", "filler"],
  ["interlinear annotation", "\ufff9safe\ufffahidden\ufffb", "format"],
  ["soft hyphens between all letters", "d\u00ado\u00ad \u00adn\u00ado\u00adt", "format"],
  ["concealed terminal text", "ok\u001b[8mhidden\u001b[0m", "control"],
  ["a relabelled terminal link", "\u001b]8;;https://evil.example\u0007safe\u001b]8;;\u0007", "control"],
  ["control characters", "harmless\u0008\u0008\u0000", "control"],
  ["an alphabet of private-use characters", "A\ue063\ue061\ue06c\ue06c", "private-use"],
];

const FINE: readonly (readonly [why: string, text: string])[] = [
  ["emoji joined from several", "\u{1f469}\u{1f3fe}\u200d\u2764\ufe0f\u200d\u{1f48b}\u200d\u{1f469}\u{1f3fe}"],
  ["a region's flag", `\u{1f3f4}${tags("gbsct")}\u{e007f} Scotland`],
  ["a keycap and a coloured sign", "1\ufe0f\u20e3 first, \u26a0\ufe0f warning"],
  ["a non-joiner in a Persian word", "\u0645\u06cc\u200c\u062f\u0627\u0646\u0645"],
  ["a joiner in Devanagari", "\u0915\u094d\u200d\u0937"],
  ["break opportunities in Thai", "\u0e2a\u0e27\u0e31\u200b\u0e0a\u0e32\u0e27"],
  ["direction marks in Hebrew", "\u05e7\u05d5\u05d1\u05e5 \u200eREADME.md\u200f \u05e0\u05e9\u05de\u05e8"],
  ["a name that a program isolates", "User \u2068Dana\u2069 joined"],
  ["an ideograph with a selector", "\u845b\u{e0100}"],
  ["Mongolian selectors", "\u1820\u180b\u182d"],
  ["soft hyphens between syllables", "inter\u00adnational\u00adisation"],
  ["a byte-order mark at the start", "\ufeff# Title"],
  ["a single leftover of copying", "e.g.\u2060foo"],
  ["coloured terminal output", "\u001b[31mERROR\u001b[0m \u001b[38;5;8mgrey\u001b[0m"],
  ["single icons", "\ue0b0 powerline \uf015 \u{f0001}\u{f0002}"],
  ["line breaks and tabs", "a\r\n\tb\fc"],
];

describe("findHiddenText", () => {
  it.each(BAD)("reports %s", (_why, text, type) => {
    expect(types(text)).toEqual([`hidden-text.${type}`]);
  });

  it.each(FINE)("does not report %s", (_why, text) => {
    expect(types(text)).toEqual([]);
  });

  it("reports what is odd once it is repeated", () => {
    expect(types("a \u200bb c")).toEqual([]);
    expect(types("a \u200bb \u200bc \u200bd")).toEqual(["hidden-text.zero-width"]);
  });

  it("is not blinded by any number of icons or joiners that are at home", () => {
    const text = `${"\ue0b0 ".repeat(20_000)}${"\u0645\u06cc\u200c\u062f".repeat(20_000)}`;
    expect(types(text)).toEqual([]);
    expect(types(`${text}${tags("ignore")}`)).toEqual(["hidden-text.tag"]);
  });

  it("covers a run with one finding", () => {
    const text = `x${tags("ignore all")}y`;
    expect(inspect(text)).toEqual([
      { kind: "hidden-text", type: "hidden-text.tag", path: "", start: 1, end: 21, confidence: "high" },
    ]);
  });
});
