/** Arguments are shown with exactly the digits and members that would be sent. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonMembers, layOut } from "../../../src/ui/shared/json-text.ts";

describe("members of an object's text", () => {
  it("keep their order and their kind", () => {
    expect(jsonMembers('{"b": "x", "a":1, "c":[1,{"d":[]}], "e":{}, "f":true, "g":null}')).toEqual([
      { name: "b", kind: "text", shown: "x", size: 1 },
      { name: "a", kind: "number", shown: "1" },
      { name: "c", kind: "list", shown: '[\n  1,\n  {\n    "d": []\n  }\n]', size: 2 },
      { name: "e", kind: "group", shown: "{}", size: 0 },
      { name: "f", kind: "yes-no", shown: "true" },
      { name: "g", kind: "nothing", shown: "null" },
    ]);
  });

  it("keep every digit of a number", () => {
    expect(jsonMembers('{"id":9007199254740993,"v":1e2,"z":-0.10}')?.map(({ shown }) => shown)).toEqual([
      "9007199254740993",
      "1e2",
      "-0.10",
    ]);
  });

  it("keep a member that stands twice", () => {
    expect(jsonMembers('{"to":"a","to":"b"}')?.map(({ shown }) => shown)).toEqual(["a", "b"]);
  });

  it("decode names and texts, and count characters rather than code units", () => {
    expect(jsonMembers('{"\\u0061":"\\ud83d\\ude00\\n"}')).toEqual([
      { name: "a", kind: "text", shown: "😀\n", size: 2 },
    ]);
  });

  it.each([["[1]"], ["12"], ["{"], [""], ['{"a":1}{"b":2}']])("are not found in %s", (text) => {
    expect(jsonMembers(text)).toBeUndefined();
  });

  it("has none in an empty object", () => {
    expect(jsonMembers("{ }")).toEqual([]);
  });
});

describe("laid-out text", () => {
  it("shows an escaped character as itself, so that it can be named on paper", () => {
    expect(layOut('["\\u200b","\\u0022","\\\\u0041","a\\nb"]')).toBe(
      '[\n  "\u200b",\n  "\\u0022",\n  "\\\\u0041",\n  "a\\nb"\n]',
    );
  });

  it("leaves what is not JSON as it is", () => {
    expect(layOut("not json")).toBe("not json");
  });

  it("means the same as before, whatever the value", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(layOut(text))).toEqual(JSON.parse(text));
      }),
    );
  });
});
