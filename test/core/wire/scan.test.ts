import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS, type Limits } from "../../../src/core/wire/json.ts";
import { type ScanFault, type Scanned, scan } from "../../../src/core/wire/scan.ts";

function read(text: string, limits: Partial<Limits> = {}): Scanned | ScanFault {
  return scan(text, { limits: { ...DEFAULT_LIMITS, ...limits } });
}

function reason(text: string, limits: Partial<Limits> = {}): string {
  const scanned = read(text, limits);
  return scanned.kind === "fault" ? scanned.reason : scanned.kind;
}

describe("one strict pass", () => {
  it("notes where the members of the root object stand", () => {
    const text = ' { "a" : [1, {"a":2}] , "b\\u0063":"x" } ';
    const scanned = read(text);
    const spans = scanned.kind === "scanned" ? [...scanned.root.members] : [];
    expect(spans.map(([name, { start, end }]) => [name, text.slice(start, end)])).toEqual([
      ["a", '[1, {"a":2}]'],
      ["bc", '"x"'],
    ]);
  });

  it("notes the items of a root array and their members", () => {
    const text = '[{"id":1}, [2], 3, {}]';
    const scanned = read(text);
    const items = scanned.kind === "scanned" ? scanned.items : [];
    expect(items.map(({ start, end, shape, members }) => [text.slice(start, end), shape, [...members.keys()]])).toEqual(
      [
        ['{"id":1}', "object", ["id"]],
        ["[2]", "array", []],
        ["3", "scalar", []],
        ["{}", "object", []],
      ],
    );
  });

  it("keeps no more items of a root array than a batch may have, and one", () => {
    const scanned = read("[1,2,3,4,5]", { batch: 2 });
    expect(scanned.kind === "scanned" && scanned.items.length).toBe(3);
  });

  it.each([
    ["a second document", "{} {}"],
    ["a byte-order mark", "\ufeff{}"],
    ["a trailing comma in an object", '{"a":1,}'],
    ["a trailing comma in an array", "[1,]"],
    ["a leading comma", "[,1]"],
    ["brackets that cross", '{"a":[1}]'],
    ["a missing colon", '{"a" 1}'],
    ["a name that is no string", "{1:1}"],
    ["a raw control character", '{"a":"\u0001"}'],
    ["a raw control character in a name", '{"\u0001":1}'],
    ["a raw control character in a long string", `{"a":"${"x".repeat(500)}\n"}`],
    ["an unknown escape in a long string", `{"a":"${"x".repeat(500)}\\x"}`],
    ["a long string without an end", `{"a":"${"x".repeat(500)}`],
    ["a leading zero", "[01]"],
    ["a bare minus", "[-]"],
    ["a raw half of a surrogate pair", '["\ud800"]'],
    ["nothing", ""],
  ])("refuses %s", (_, text) => {
    expect(reason(text)).toBe("syntax");
  });

  it.each([
    ["a repeated name", '{"a":1,"a":1}'],
    ["a repeated name behind an escape", '{"a":1,"\\u0061":1}'],
    ["a repeated name before an escape", '{"\\u0061":1,"a":1}'],
    ["a repeated name deep inside", '[[{"b":{"a":1,"c":2,"a":3}}]]'],
    ["a repeated __proto__", '{"__proto__":1,"__proto__":2}'],
    ["a repeated empty name", '{"":1,"":2}'],
    ["a repeated name of a large object", `{${numbered(100)},"k99":1}`],
    ["a repeated long name", `{"${"n".repeat(200)}":1,"${"n".repeat(200)}":2}`],
    ["an escaped half of a surrogate pair", '["\\ud800"]'],
    ["an escaped half in a name", '{"\\udc00":1}'],
    ["an escaped half in a long string", `["${"x".repeat(500)}\\udc00"]`],
    ["two low halves", '["\\udc00\\udc01"]'],
    ["two halves in the wrong order", '["\\udc00\\ud800"]'],
  ])("refuses %s as ambiguous", (_, text) => {
    expect(reason(text)).toBe("ambiguous");
  });

  it("lets the same name stand in different objects", () => {
    expect(reason('{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":3}}')).toBe("scanned");
    expect(reason(`{"x":{${numbered(40)}},"y":{${numbered(40)}}}`)).toBe("scanned");
  });

  it.each<[string, string, Partial<Limits>]>([
    ["depth", "[[[]]]", { depth: 2 }],
    ["members", '{"a":1,"b":2,"c":3}', { members: 2 }],
    ["items", "[1,2,3]", { items: 2 }],
    ["string", '["abc"]', { string: 2 }],
    ["string, of a name", '{"abc":1}', { string: 2 }],
    ["digits", "[1.25e7]", { digits: 3 }],
  ])("holds the limit of %s", (_, text, limits) => {
    expect(reason(text, limits)).toBe("limit");
    const [name, value] = Object.entries(limits)[0] ?? ["depth", 0];
    expect(reason(text, { [name]: value + 1 })).toBe("scanned");
  });

  it("gives up on a brief member without looking further", () => {
    const options = { limits: DEFAULT_LIMITS, brief: new Map([["m", 3]]) };
    expect(scan('{"m":"abc"}', options).kind).toBe("scanned");
    expect(scan('{"n":"abcd"}', options).kind).toBe("scanned");
    expect(scan('{"o":{"m":"abcd"}}', options).kind).toBe("scanned");
    expect(scan('{"id":7,"m":"abcd", nothing of this is read', options)).toMatchObject({ reason: "overlong" });
  });
});

function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join(",");
}
