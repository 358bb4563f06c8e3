/** Text of others on a terminal: it can be read, and does nothing. */
import { describe, expect, it } from "vitest";
import { readable, visible } from "../../src/host/readable.ts";

describe("Text of others", () => {
  it.each([
    ["clears the screen", "\u001b[2J\u001b[H", "\\u{1b}[2J\\u{1b}[H"],
    ["goes back to the line's beginning", "evil\rgood", "evil\\u{d}good"],
    ["sets the clipboard", "\u009d52;c;x\u0007", "\\u{9d}52;c;x\\u{7}"],
    ["turns the direction of writing", "a\u202eb", "a\\u{202e}b"],
    ["hides in tags", "a\u{e0041}", "a\\u{e0041}"],
  ])("that %s is shown as what it is", (_, text, shown) => {
    expect(readable(text)).toBe(shown);
    expect(visible(text)).toBe(`"${shown}"`);
  });

  it("keeps its lines as a saying, and has none as a single fact", () => {
    expect(readable("one\ntwo")).toBe("one\ntwo");
    expect(visible("one\ntwo")).toBe('"one\\u{a}two"');
  });
});
