/** Long texts are cut for the browser's sake; the person reads the same text. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reveal } from "../../../src/ui/shared/reveal.ts";
import { sheetsOf } from "../../../src/ui/shared/sheets.ts";

const joined = (text: string) => sheetsOf(reveal(text)).map((sheet) => sheet.map((piece) => piece.text).join(""));

describe("sheets of a long text", () => {
  it("leave a short text whole", () => {
    expect(joined("word ".repeat(1_000))).toHaveLength(1);
  });

  it("end behind a line end or a space, and part no character", () => {
    for (const sheet of joined("some words ".repeat(3_000)).slice(0, -1)) expect(sheet.endsWith(" ")).toBe(true);
    for (const sheet of joined("a line\n".repeat(3_000)).slice(0, -1)) expect(sheet.endsWith("\n")).toBe(true);
    for (const sheet of joined("😀".repeat(9_000))) expect(sheet.isWellFormed()).toBe(true);
  });

  it("are never so long that laying one out is slow", () => {
    for (const text of ["x".repeat(300_000), "long ".repeat(60_000), "a\u200bb ".repeat(60_000)])
      for (const sheet of joined(text)) expect(sheet.length).toBeLessThan(5_000);
  });

  it("are cut without looking back over what was cut before", () => {
    // Ten million characters without a line end or a space: the square of that would take minutes.
    expect(sheetsOf([{ kind: "plain", text: "x".repeat(10_000_000) }])).toHaveLength(5_000);
  });

  it("lose nothing and add nothing, whatever the text", () => {
    const unit = fc.constantFrom("word ", "x".repeat(1_500), "\n", "\u200b", "😀", "\u0430b", "a".repeat(2_001), "\t");
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), (units) => {
        expect(joined(units.join("")).join("")).toBe(units.join(""));
      }),
    );
  });
});
