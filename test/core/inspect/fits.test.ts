import { describe, expect, it } from "vitest";
import { fits } from "../../../src/core/inspect/fits.ts";
import type { JsonObject } from "../../../src/core/wire/json.ts";

const DRAFT_7 = "http://json-schema.org/draft-07/schema#";
/** Each step asks for the next one twice: a thousand million ways at the thirtieth. */
const BOMB: JsonObject = {
  $ref: "#/$defs/s0",
  $defs: Object.fromEntries(
    Array.from({ length: 31 }, (_, at) => [
      `s${at}`,
      at === 30 ? {} : { allOf: [{ $ref: `#/$defs/s${at + 1}` }, { $ref: `#/$defs/s${at + 1}` }] },
    ]),
  ),
};

describe("a value", () => {
  it.each<[string, JsonObject, unknown, boolean]>([
    ["the usual dialect", { type: "object", required: ["a"] }, { a: 1 }, true],
    ["what is missing", { type: "object", required: ["a"] }, {}, false],
    ["draft 7, where items may be a list", { $schema: DRAFT_7, items: [{ type: "string" }] }, ["a", 1], true],
    ["draft 7, where the list says otherwise", { $schema: DRAFT_7, items: [{ type: "string" }] }, [1], false],
    [
      "2020-12 by its name",
      { $schema: "https://json-schema.org/draft/2020-12/schema", prefixItems: [{ type: "string" }] },
      [1],
      false,
    ],
    ["a dialect that nobody knows", { $schema: "https://example.org/my-schema" }, {}, false],
    ["a dialect that is no text", { $schema: 7 }, {}, false],
    ["a reference within", { $ref: "#/$defs/a~1b", $defs: { "a/b": { type: "string" } } }, "x", true],
    ["a reference that leads nowhere", { $ref: "#/$defs/a" }, "x", false],
    ["a reference to the net", { $ref: "https://canary.example/schema.json" }, "x", false],
    ["a reference by a name", { $ref: "#name", $defs: { a: { $anchor: "name" } } }, "x", false],
    ["a reference that goes round", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }, "x", false],
    ["a pattern of a stranger's", { pattern: "^(a+)+$" }, "a", false],
    ["more steps than anyone waits for", BOMB, "x", false],
  ])("is judged by %s", (_what, schema, value, shown) => {
    expect(fits(schema, value as never)).toBe(shown);
  });
});
