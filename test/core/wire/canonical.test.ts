import { describe, expect, it } from "vitest";
import { canonicalize } from "../../../src/core/wire/canonical.ts";

describe("the canonical form", () => {
  it.each([
    ["drops white space", ' { "a" : [ 1 , { } , [ ] ] }\n', '{"a":[1,{},[]]}'],
    ["sorts keys", '{"b":1,"a":{"d":2,"c":3}}', '{"a":{"c":3,"d":2},"b":1}'],
    ["sorts by UTF-16 code unit", '{"\ufb01":1,"\u{1f600}":2}', '{"\u{1f600}":2,"\ufb01":1}'],
    ["sorts by the name, not by how it is written", '{"b":1,"\\u0061":2}', '{"a":2,"b":1}'],
    ["sorts a name before those it begins", '{"a!":1,"a":2}', '{"a":2,"a!":1}'],
    ["escapes as little as can be", '["\\u0061\\/\\u000a\\u001f\\"\\\\é"]', '["a/\\n\\u001f\\"\\\\é"]'],
    ["keeps number tokens", "[1.0,1e2,-0,9007199254740993,0.10]", "[1.0,1e2,-0,9007199254740993,0.10]"],
    ["keeps the order of arrays", "[3,1,2]", "[3,1,2]"],
    ["keeps literals", "[true,false,null]", "[true,false,null]"],
    ["takes a bare value", ' "x" ', '"x"'],
    ["treats __proto__ as any name", '{"z":1,"__proto__":{"b":1,"a":2}}', '{"__proto__":{"a":2,"b":1},"z":1}'],
  ])("%s", (_, text, expected) => {
    expect(canonicalize(text)).toBe(expected);
  });

  it("tells 2^53 and 2^53 + 1 apart", () => {
    expect(canonicalize("[9007199254740992]")).not.toBe(canonicalize("[9007199254740993]"));
  });

  it("reaches any depth", () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    expect(canonicalize(deep)).toBe(deep);
  });
});
