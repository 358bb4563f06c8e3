import { describe, expect, it } from "vitest";
import { jsonLines } from "../../../src/ui/shared/json-lines.ts";

const shown = (text: string) =>
  jsonLines(text).map(({ depth, tokens }) => "  ".repeat(depth) + tokens.map((token) => token.text).join(""));

describe("JSON text on lines", () => {
  it("puts each member on a line of its own", () => {
    expect(shown('{"a":1,"b":[true]}')).toEqual(["{", '  "a": 1,', '  "b": [', "    true", "  ]", "}"]);
  });

  it("keeps numbers, escapes and doubled keys as they were sent", () => {
    const text = '{"n":9007199254740993,"n":1e2,"s":"\\u0041\\""}';
    expect(shown(text).join("").replaceAll(/\s/g, "")).toBe(text);
  });

  it("leaves empty lists and objects on their line", () => {
    expect(shown('{"a":[],"b":{ }}')).toEqual(["{", '  "a": [],', '  "b": {}', "}"]);
  });

  it("lays out text that was cut in the middle of a string", () => {
    expect(shown('{"a":"half of')).toEqual(["{", '  "a": "half of']);
  });

  it("tells keys from strings", () => {
    expect(jsonLines('{"a":"b"}')[1]?.tokens.map((token) => token.kind)).toEqual(["key", "mark", "string"]);
  });
});
