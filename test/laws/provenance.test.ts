/** Laws of recognising a value again: what was copied is found, what was never there is not, and it costs what it is long. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Distinctive, scanDistinctive } from "../../src/core/flow/distinctive.ts";
import { createProvenance } from "../../src/core/flow/provenance.ts";
import { spentMs } from "../spent.ts";

const scan = (text: string, every = 1): Distinctive[] => {
  const values: Distinctive[] = [];
  scanDistinctive(text, { seed: 11, every, limit: 1e7 }, (value) => values.push(value));
  return values;
};
const WORD = fc.stringMatching(/^[a-z]{4,9}$/);
const PROSE = fc.array(WORD, { minLength: 30, maxLength: 80 });
const IDENTIFIER = fc.stringMatching(/^[A-Z]{3}-[0-9]{6}[a-z]{2}$/);
const NOISE = fc.string({ unit: "grapheme", maxLength: 60 });

describe("recognising values", () => {
  it("finds any nine words that were copied, wherever they begin", () => {
    fc.assert(
      fc.property(PROSE, fc.nat(20), (words, from) => {
        const marked = new Set(scan(words.join(" "), 4).map(({ hash }) => hash));
        const copied = words.slice(from, from + 9).join("\n");
        expect(scan(copied).some(({ hash, kind }) => kind === "phrase" && marked.has(hash))).toBe(true);
      }),
    );
  });

  it("finds an identifier wherever it stands, and says that it is all there is only where it is", () => {
    fc.assert(
      fc.property(NOISE, IDENTIFIER, WORD, (noise, id, word) => {
        const provenance = createProvenance({ seed: 3, earlier: () => [], later: () => undefined });
        const origin = { serverId: "s", tool: "t", at: 0 };
        provenance.learn("p", [noise, { deep: `${noise} "${id}" ${noise}` }], origin);
        expect(provenance.match("p", id)).toMatchObject([{ origin, whole: true }]);
        expect(provenance.match("p", `${word} ${id}`)).toMatchObject([{ origin, whole: false }]);
        expect(provenance.match("q", id)).toEqual([]);
      }),
    );
  });

  it("takes no value for one that was never there", () => {
    fc.assert(
      fc.property(fc.uniqueArray(IDENTIFIER, { minLength: 2, maxLength: 40 }), ([asked = "", ...others]) => {
        const provenance = createProvenance({ seed: 3, earlier: () => [], later: () => undefined });
        provenance.learn("p", others, { serverId: "s", tool: "t", at: 0 });
        expect(provenance.match("p", asked)).toEqual([]);
      }),
    );
  });

  it("reads any text without throwing and gives no more values than it has characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        expect(scan(text).length).toBeLessThanOrEqual(text.length + 1);
      }),
    );
  });

  it.each([
    ["one token", "a1"],
    ["marks", "a1b2c3d4......"],
    ["joints", "a/1?b=c&"],
    ["quotes", '"a b"'],
    ["words", "some word "],
    ["backslashes", "\\n"],
  ])("takes time in proportion to the text: %s", (_what, piece) => {
    const spent = (length: number): number => {
      const text = piece.repeat(length / piece.length);
      return Math.min(...Array.from({ length: 5 }, () => spentMs(() => scan(text, 4))));
    };
    spent(100_000);
    // Sixteen times the text: sixteen times as much, where the square would be 256.
    expect(spent(1_600_000)).toBeLessThan(Math.max(1, spent(100_000)) * 80);
  });
});
