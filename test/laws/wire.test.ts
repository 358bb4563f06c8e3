/** What holds for the codec whatever the text: it answers, it changes nothing it was not asked to, it loses nothing. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalize } from "../../src/core/wire/canonical.ts";
import { decode } from "../../src/core/wire/decode.ts";
import { encodeNotification, encodeRequest, encodeResult } from "../../src/core/wire/encode.ts";
import { DEFAULT_LIMITS, type JsonValue } from "../../src/core/wire/json.ts";
import { scan } from "../../src/core/wire/scan.ts";
import { type Edit, itemsAt, sliceAt, splice } from "../../src/core/wire/splice.ts";

const OPTIONS = { limits: DEFAULT_LIMITS, batches: true };
const wholeText = fc.string({ unit: "grapheme" });
/** JSON text with its own white space, number spellings and escapes. */
const jsonText = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("0", "-0", "1.0", "1e2", "9007199254740993", "true", "false", "null", '""', '"\\u0061"', '"\\/"'),
    wholeText.map((text) => JSON.stringify(text)),
    fc
      .tuple(fc.array(tie("value"), { maxLength: 4 }), space())
      .map(([items, gap]) => `[${gap}${items.join(`${gap},`)}]`),
    tie("object"),
  ),
  object: fc.tuple(fc.dictionary(memberName(), tie("value"), { maxKeys: 20 }), space()).map(
    ([members, gap]) =>
      `{${gap}${Object.entries(members)
        .map(([name, value]) => `${JSON.stringify(name)}${gap}:${value}`)
        .join(`,${gap}`)}${gap}}`,
  ),
}));
const objectText = jsonText.object;
const id = fc.oneof(
  fc.bigInt().map(String),
  fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => JSON.stringify(text)),
);
const method = fc.string({ minLength: 1, maxLength: 40 });

describe("decode", () => {
  it("answers any text without throwing", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json(), jsonText.value), (text) => {
        expect(decode(text, OPTIONS).items.length).toBeGreaterThan(0);
      }),
    );
  });

  it("answers any text that was a frame until something happened to it", () => {
    const mutation = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat(3),
      put: fc.string({ unit: "binary", maxLength: 3 }),
    });
    fc.assert(
      fc.property(id, method, objectText, mutation, (anId, name, params, { at, cut, put }) => {
        const frame = encodeRequest(anId, name, params);
        const place = Math.floor(at * frame.length);
        const [item] = decode(frame.slice(0, place) + put + frame.slice(place + cut), OPTIONS).items;
        if (item !== undefined && item.kind !== "fault") expect(() => JSON.parse(item.text)).not.toThrow();
      }),
    );
  });

  it("gives back what encode was given, and its text", () => {
    fc.assert(
      fc.property(id, method, objectText, (anId, name, payload) => {
        const request = encodeRequest(anId, name, payload);
        const value: unknown = JSON.parse(payload);
        expect(decode(request, OPTIONS).items).toEqual([
          { kind: "request", id: anId, method: name, params: value, text: request },
        ]);
        const notification = encodeNotification(name, payload);
        expect(decode(notification, OPTIONS).items).toEqual([
          { kind: "notification", method: name, params: value, text: notification },
        ]);
        const result = encodeResult(anId, payload);
        expect(decode(result, OPTIONS).items).toEqual([{ kind: "result", id: anId, result: value, text: result }]);
        expect(decode(`[${request},${result}]`, OPTIONS).items).toMatchObject([{ text: request }, { text: result }]);
      }),
    );
  });

  it("reads as JSON exactly what JSON.parse reads, but for what is ambiguous", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: fc.constantFrom(...'{}[]:,"\\u0aeE+-.1dDtrfalsn ') }), jsonText.value),
        (text) => {
          const scanned = scan(text, { limits: DEFAULT_LIMITS });
          if (scanned.kind === "fault" && scanned.reason === "ambiguous") return;
          expect(scanned.kind === "scanned").toBe(isJson(text));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("splice", () => {
  it("sets what it was asked to set and keeps every other byte", () => {
    fc.assert(
      fc.property(objectText, memberName(), jsonText.value, (text, name, value) => {
        const before = sliceAt(text, [name]);
        const after = splice(text, [{ path: [name], value }]);
        expect(sliceAt(after, [name])).toBe(value);
        expect(isJson(after)).toBe(true);
        // Undoing the edit gives the first text back, byte for byte.
        if (before !== undefined) expect(splice(after, [{ path: [name], value: before }])).toBe(text);
        else if (Object.keys(JSON.parse(text)).length > 0)
          expect(splice(after, [{ path: [name], value: null }])).toBe(text);
      }),
    );
  });

  it("removes what it was asked to remove and keeps the others as they were", () => {
    fc.assert(
      fc.property(objectText, fc.infiniteStream(fc.boolean()), (text, choices) => {
        const names = Object.keys(JSON.parse(text));
        const gone = names.filter(() => choices.next().value === true);
        const after = splice(
          text,
          gone.map((name) => ({ path: [name], value: null })),
        );
        expect(Object.keys(JSON.parse(after))).toEqual(names.filter((name) => !gone.includes(name)));
        for (const name of names)
          expect(sliceAt(after, [name])).toBe(gone.includes(name) ? undefined : sliceAt(text, [name]));
      }),
    );
  });

  it("does in one pass what it does one after the other for edits of different places", () => {
    const path = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 3 });
    const edit: fc.Arbitrary<Edit> = fc.record({
      path,
      value: fc.constantFrom("1", "{}", '{"a":1,"b":{"c":2}}', "[]", null),
    });
    const apart = (one: readonly string[], other: readonly string[]) =>
      one.some((name, at) => at < other.length && name !== other[at]);
    const edits = fc.uniqueArray<Edit, Edit>(edit, {
      maxLength: 5,
      selector: (one) => one,
      comparator: (one, other) => !apart(one.path, other.path),
    });
    const start = fc.constantFrom(
      "{}",
      '{"a":1}',
      '{"a":{"a":1,"b":2},"b":{"c":{}}}',
      '{ "c" : [1] , "a" : { "c" : 1 } }',
    );
    fc.assert(
      fc.property(start, edits, (text, all) => {
        const oneByOne = all.reduce<string>((sofar, edit) => splice(sofar, [edit]), text);
        expect(canonicalize(splice(text, all))).toBe(canonicalize(oneByOne));
      }),
      { numRuns: 2_000 },
    );
  });

  it("slices arrays into items that make the array again", () => {
    fc.assert(
      fc.property(fc.array(jsonText.value), (items) => {
        expect(itemsAt(`{"a":[ ${items.join(" , ")} ]}`, ["a"])).toEqual(items);
      }),
    );
  });
});

describe("the canonical form", () => {
  it("is its own canonical form and means the same", () => {
    fc.assert(
      fc.property(jsonText.value, (text) => {
        const canonical = canonicalize(text);
        expect(canonicalize(canonical)).toBe(canonical);
        expect(JSON.parse(canonical)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("is equal for the same members in another order and layout", () => {
    fc.assert(
      fc.property(objectText, (text) => {
        expect(canonicalize(reversed(text))).toBe(canonicalize(text));
      }),
    );
  });

  it("is what JSON.stringify writes for sorted values without numbers to lose", () => {
    fc.assert(
      fc.property(fc.array(wholeText), (strings) => {
        expect(canonicalize(JSON.stringify(strings, null, 2))).toBe(JSON.stringify(strings));
      }),
    );
  });

  it("keeps every number token", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("0", "-0", "1.0", "1e2", "1E+2", "9007199254740993", "0.10")), (tokens) => {
        expect(canonicalize(`[ ${tokens.join(" , ")} ]`)).toBe(`[${tokens.join(",")}]`);
      }),
    );
  });
});

function space(): fc.Arbitrary<string> {
  return fc.constantFrom("", " ", "\n", "\t \r\n");
}

function memberName(): fc.Arbitrary<string> {
  return fc.oneof(wholeText, fc.constantFrom("id", "_meta", "__proto__", "constructor", "toJSON"));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The same object with its members the other way round. */
function reversed(text: string): string {
  const names = Object.keys(JSON.parse(text) as { readonly [name: string]: JsonValue });
  return `{ ${names
    .reverse()
    .map((name) => `${JSON.stringify(name)} : ${sliceAt(text, [name])}`)
    .join(" , ")} }`;
}
