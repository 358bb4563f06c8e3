import { describe, expect, it } from "vitest";
import { paramHeaderProblem, paramHeaders } from "../../../src/core/mcp/param-headers.ts";
import type { JsonObject } from "../../../src/core/wire/json.ts";

const schema = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const marked = (name: unknown, type: unknown = "string") => ({ type, "x-mcp-header": name }) as JsonObject;

describe("arguments repeated as headers", () => {
  it("are those that the schema marks, at any depth of properties", () => {
    const tool = schema({
      region: marked("Region"),
      count: marked("Count", "integer"),
      dry: marked("Dry", "boolean"),
      where: schema({ zone: marked("Zone") }),
      note: { type: "string" },
    });
    const args = { region: "eu", count: 42, dry: false, where: { zone: "a b" }, note: "private" };
    expect(paramHeaders(tool, args)).toEqual({
      "Mcp-Param-Region": "eu",
      "Mcp-Param-Count": "42",
      "Mcp-Param-Dry": "false",
      "Mcp-Param-Zone": "a b",
    });
  });

  it("are left out where the argument is null, absent, a structure, or an integer that readers disagree on", () => {
    const tool = schema({ a: marked("A"), b: marked("B"), c: marked("C"), d: marked("D", "integer") });
    expect(paramHeaders(tool, { a: null, c: { x: 1 }, d: 2 ** 60 })).toEqual({});
  });

  it("are encoded where they are not plain, and empty where they are empty", () => {
    const tool = schema({ a: marked("A"), b: marked("B"), c: marked("C") });
    expect(paramHeaders(tool, { a: "Grüße", b: "", c: "x\r\nSet-Cookie: y" })).toEqual({
      "Mcp-Param-A": "=?base64?R3LDvMOfZQ==?=",
      "Mcp-Param-B": "",
      "Mcp-Param-C": expect.stringMatching(/^=\?base64\?/),
    });
  });

  it("come from the arguments' own members only", () => {
    expect(paramHeaders(schema({ constructor: marked("C"), toString: marked("T") }), {})).toEqual({});
  });
});

describe("a schema whose marks break the rules", () => {
  it.each([
    ["an empty name", schema({ a: marked("") })],
    ["a name that is no token", schema({ a: marked("My Region") })],
    ["a name with a line break", schema({ a: marked("A\r\nB") })],
    ["a name that is no string", schema({ a: marked(7) })],
    ["one name twice, but for case", schema({ a: marked("Field"), b: marked("FIELD") })],
    ["a number", schema({ a: marked("A", "number") })],
    ["an object", schema({ a: marked("A", "object") })],
    ["several types", schema({ a: marked("A", ["string", "null"]) })],
    ["the root", { ...marked("A"), properties: {} }],
    ["items of a list", schema({ a: { type: "array", items: marked("A") } })],
    ["one of several schemas", { type: "object", anyOf: [schema({ a: marked("A") })] }],
    ["a definition", { type: "object", $defs: { a: marked("A") } }],
    ["additional properties", { type: "object", additionalProperties: marked("A") }],
  ])("has a problem: %s", (_what, broken) => {
    expect(paramHeaderProblem(broken)).toBeTypeOf("string");
    expect(paramHeaders(broken, { a: "x" })).toEqual({});
  });

  it.each([
    ["no marks", schema({ a: { type: "string" } })],
    ["an argument of that name", schema({ "x-mcp-header": { type: "string" } })],
    ["the word in data", schema({ a: { type: "object", default: { "x-mcp-header": "" } } })],
  ])("is not one with %s", (_what, fine) => {
    expect(paramHeaderProblem(fine)).toBeUndefined();
  });
});
