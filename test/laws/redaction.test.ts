/** Laws of inspection: what was wanted is gone, everything else is untouched, and no record shows a whole secret. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inspect } from "../../src/core/inspect/inspect.ts";
import { isWanted, redact, SECRET_MASK } from "../../src/core/inspect/redact.ts";
import type { JsonValue } from "../../src/core/wire/json.ts";
import { LINK, SECRETS } from "../core/inspect/samples.ts";
import { maskAll } from "../core/inspect/whole.ts";

const secret = fc.constantFrom(...SECRETS.map(([, text]) => text), LINK);
const hidden = fc.constantFrom(
  "\u200b",
  "\u200b\u200c\u200d",
  "\u202e",
  "\u{e0041}",
  "\u{e0101}",
  "\u2063\u2063",
  "\u0000",
  "\u001b[8m",
  "\ufeff",
  "\u00ad",
  "\ue000\ue001\ue002\ue003",
);
const plain = fc.string({ unit: fc.constantFrom(..."abc XYZ 019 .,:;!?äßπ中\n"), maxLength: 20 });
const hostileText = fc
  .array(
    fc.oneof(
      plain,
      secret,
      hidden,
      secret.chain((text) => hidden.map((h) => `${text.slice(0, 12)}${h}${text.slice(12)}`)),
      fc.string({ unit: "binary" }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));

function tree(leaf: fc.Arbitrary<JsonValue>, name: fc.Arbitrary<string>): fc.Arbitrary<JsonValue> {
  return fc.letrec<{ node: JsonValue }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("node"), { maxLength: 4 }),
      fc.dictionary(name, tie("node"), { maxKeys: 4 }),
    ),
  })).node;
}

const hostile = tree(hostileText, hostileText);
/** A key glued to other letters has no form of its own any more, and is claimed only where it is known from elsewhere. */
const spaced = fc.array(fc.oneof(plain, secret, hidden), { maxLength: 6 }).map((parts) => parts.join(" "));
const wanted = fc.subarray([
  "secret",
  "hidden-text",
  "secret.github-token",
  "secret.link-key",
  "hidden-text.zero-width",
  "hidden-text.tag",
]);

describe("redact", () => {
  it("leaves no finding that was wanted", () => {
    fc.assert(
      fc.property(hostile, wanted, (value, kinds) => {
        const { value: clean } = redact(value, inspect(value), kinds);
        expect(inspect(clean).filter((finding) => isWanted(finding, kinds))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("changes nothing but what was found", () => {
    const planted = fc.oneof(
      plain.map((text) => ({ before: text, after: text })),
      fc.tuple(plain, fc.constantFrom(...SECRETS.map(([, text]) => text)), plain).map(([left, key, right]) => ({
        before: `${left} ${key} ${right}`,
        after: `${left} ${SECRET_MASK} ${right}`,
      })),
    );
    fc.assert(
      fc.property(
        fc.array(planted),
        fc.jsonValue(),
        fc.dictionary(plain, fc.double({ noNaN: true })),
        (texts, other, numbers) => {
          fc.pre(inspect(other as JsonValue).length === 0);
          const build = (side: "before" | "after"): JsonValue => ({
            texts: texts.map((text) => text[side]),
            other: other as JsonValue,
            numbers,
          });
          const value = build("before");
          const kept = structuredClone(value);
          const { value: clean } = redact(value, inspect(value), ["secret"]);
          expect(clean).toEqual(build("after"));
          expect(Object.keys(clean as object)).toEqual(Object.keys(value as object));
          expect(value).toEqual(kept);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("keeps every member of every object, whatever becomes of their names", () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const { value: clean } = redact(value, inspect(value), ["secret", "hidden-text"]);
        expect(shape(clean)).toEqual(shape(value));
      }),
      { numRuns: 500 },
    );
  });

  it("counts a change exactly when there was one", () => {
    fc.assert(
      fc.property(hostile, wanted, (value, kinds) => {
        const { value: clean, replaced } = redact(value, inspect(value), kinds);
        expect(replaced > 0).toBe(JSON.stringify(clean) !== JSON.stringify(value));
      }),
      { numRuns: 300 },
    );
  });
});

describe("inspect", () => {
  it("never throws, and places every finding inside its string", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        for (const { start, end } of inspect(text)) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("masking", () => {
  it("never keeps a whole secret, nor more than its first four characters", () => {
    fc.assert(
      fc.property(tree(spaced, spaced), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const masked = maskAll(text, value);
        for (const [, key] of SECRETS) {
          expect(masked).not.toContain(key);
          expect(masked).not.toContain(JSON.stringify(key).slice(1, -1));
        }
        expect(withoutStrings(masked)).toBe(withoutStrings(text));
      }),
      { numRuns: 500 },
    );
  });

  it("returns a text without secrets as it is", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = JSON.parse(text) as JsonValue;
        fc.pre(inspect(value).every(({ kind }) => kind !== "secret"));
        expect(maskAll(text, value)).toBe(text);
      }),
    );
  });
});

/** A JSON text with all its strings emptied. */
function withoutStrings(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
}

/** Containers and kinds of leaves, without names and texts. */
function shape(value: JsonValue): unknown {
  if (typeof value === "string") return "text";
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? value.map(shape) : Object.values(value).map(shape);
}
