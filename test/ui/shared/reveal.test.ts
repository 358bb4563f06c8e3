/** What cannot be seen is named, and nothing is lost on the way. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hiddenCount, type Piece, reveal, spelled } from "../../../src/ui/shared/reveal.ts";

function shown(text: string): string {
  return reveal(text).map(mark).join("");
}

function mark(piece: Piece): string {
  switch (piece.kind) {
    case "plain":
      return piece.text;
    case "hidden":
      return piece.count > 1 ? `<${piece.name}×${piece.count}>` : `<${piece.name}>`;
    case "twin":
      return `[${piece.code}]`;
    case "line":
      return "⏎";
    case "tab":
      return "⇥";
  }
}

describe("text that others wrote", () => {
  it.each([
    ["plain words", "hello, world", "hello, world"],
    ["other scripts and accents", "Привет, 日本語, cafe\u0301", "Привет, 日本語, cafe\u0301"],
    ["zero width characters inside a word", "pass\u200bword", "pass<ZWSP>word"],
    ["characters that reorder what follows", "a\u202etxt.exe\u202c", "a<RLO>txt.exe<PDF>"],
    ["runs of the same character", "\u2060\u2060\u2060", "<WJ×3>"],
    ["tag characters, which many models read", "x\u{e0062}\u{e0063}\u{e0063}", "x<TAG×3>"],
    ["variation selectors behind a letter", "ok\ufe0f\u{e0101}", "ok<VS×2>"],
    ["blank letters", "a\u3164b\u2800c", "a<FILL>b<BLANK>c"],
    ["control characters", "a\u0000\u001b[31m\r", "a<NUL><ESC>[31m<CR>"],
    ["halves of a surrogate pair", "\ud800!", "<U+D800>!"],
    ["spaces that are not ours", "a\u2003b", "a<U+2003>b"],
    ["line ends and tabs", "a\r\nb\n\tc", "a⏎b⏎⇥c"],
    ["a letter of another script in a Latin word", "p\u0430rtner", "p[U+0430]rtner"],
  ])("shows %s", (_what, text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it("keeps the marks that only choose how an emoji looks", () => {
    expect(shown("🗂️ 👩‍💻")).toBe("🗂️ 👩‍💻");
  });

  it("counts invisible characters, not line ends", () => {
    expect(hiddenCount(reveal("a\u200b\n\u200b\u202e"))).toBe(3);
  });

  it("reads out what tag characters spell", () => {
    expect(spelled("Hi\u{e0062}\u{e0063}\u{e0063}")).toBe("bcc");
  });

  it("loses nothing, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const pieces = reveal(text);
        expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      }),
    );
  });

  it("leaves nothing invisible in what is shown as it is", () => {
    const invisible = /[\p{Cc}\p{Cs}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u{e0000}-\u{e01ef}]/u;
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const piece of reveal(text)) if (piece.kind === "plain") expect(piece.text).not.toMatch(invisible);
      }),
    );
  });
});
