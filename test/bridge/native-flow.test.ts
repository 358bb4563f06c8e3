/** Parts and credit: whatever is pushed comes out the same, no part is over the browsers' limit, and a window holds. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_TO_BROWSER_BYTES } from "../../src/bridge/native.ts";
import { createInflow, createOutflow, PART_UNITS, partEnd, WINDOW_UNITS } from "../../src/bridge/native-flow.ts";

const encoder = new TextEncoder();

function carry(frames: readonly string[]): string[] {
  const out = createOutflow();
  const back = createInflow();
  const arrived: string[] = [];
  for (const frame of frames) out.push(frame);
  for (let part = out.take(); part; part = out.take()) {
    expect(encoder.encode(JSON.stringify(part.text)).length).toBeLessThan(MAX_TO_BROWSER_BYTES - 1024);
    const taken = back.take(part.text, part.last);
    if (taken.kind === "frame") arrived.push(taken.text);
    out.credit(back.done(part.text.length));
  }
  expect(out.waiting).toBe(0);
  return arrived;
}

describe("Parts", () => {
  it.each([
    ["plain letters", "a"],
    ["quotes, which JSON doubles", '"'],
    ["control characters, which take six bytes", "\u0001"],
    ["characters of three bytes", "\u20ac"],
    ["pairs of surrogates", "\u{1f600}"],
    ["halves of pairs, which take six bytes each", "\ud800"],
  ])("fit into a message and come out whole: %s", (_, unit) => {
    const frame = unit.repeat(2_500_001);
    expect(carry([frame, "x", frame])).toEqual([frame, "x", frame]);
  });

  it("never end between the halves of a pair", () => {
    const text = `x${"\u{1f600}".repeat(PART_UNITS)}`;
    for (let from = 0; from < text.length; from = partEnd(text, from)) {
      const code = text.charCodeAt(from);
      expect(code >= 0xdc00 && code < 0xe000).toBe(false);
    }
  });

  it("carry any texts in order", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 50 })), (frames) => {
        expect(carry(frames)).toEqual(frames);
      }),
    );
  });
});

describe("Credit", () => {
  it("lets about one window out and no more until some comes back", () => {
    const out = createOutflow();
    out.push("a".repeat(WINDOW_UNITS * 3));
    let sent = 0;
    for (let part = out.take(); part; part = out.take()) sent += part.text.length;
    expect(sent).toBeGreaterThanOrEqual(WINDOW_UNITS);
    expect(sent).toBeLessThan(WINDOW_UNITS + PART_UNITS);
    out.credit(sent - WINDOW_UNITS + 1);
    expect(out.take()?.text.length).toBe(PART_UNITS);
    expect(out.take()).toBeUndefined();
  });

  it("never grows beyond the window, whatever the other side grants", () => {
    const out = createOutflow();
    out.credit(Number.MAX_SAFE_INTEGER);
    out.push("a".repeat(WINDOW_UNITS * 3));
    let sent = 0;
    for (let part = out.take(); part; part = out.take()) sent += part.text.length;
    expect(sent).toBeLessThan(WINDOW_UNITS + PART_UNITS);
  });

  it("is given back in quarters of the window", () => {
    const back = createInflow();
    expect(back.done(WINDOW_UNITS / 4 - 1)).toBe(0);
    expect(back.done(1)).toBe(WINDOW_UNITS / 4);
    expect(back.done(1)).toBe(0);
  });
});

describe("A frame over the limit", () => {
  it("is refused at the part that passes it, and what came before is let go", () => {
    const back = createInflow(10);
    expect(back.take("12345", false)).toEqual({ kind: "more" });
    expect(back.take("678901", false)).toEqual({ kind: "too-large" });
  });
});
