/** A newer server's words for an older agent: whatever the server sent, the agent gets a message, and nothing else changes. */
import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codecFor } from "../../src/core/mcp/codec.ts";
import { LEGACY_REVISIONS, MODERN_REVISIONS, type Revision, vocabularyOf } from "../../src/core/mcp/revision.ts";
import { wrappedSchema } from "../../src/core/mcp/structured.ts";
import type { JsonObject, JsonValue } from "../../src/core/wire/json.ts";
import { sliceAt } from "../../src/core/wire/splice.ts";

const ALL: readonly Revision[] = [...LEGACY_REVISIONS, ...MODERN_REVISIONS];
const PAIRS = ALL.flatMap((agent, at) => ALL.slice(at + 1).map((server) => ({ agent, server })));

const json = fc.jsonValue({ maxDepth: 3, noUnicodeString: false }) as fc.Arbitrary<JsonValue>;
const block = fc.oneof(
  json,
  fc.record({
    type: fc.constantFrom("text", "image", "audio", "resource_link", "resource", "tool_use", "new"),
    name: json,
    uri: json,
    annotations: json,
  }),
);
const result = fc.dictionary(
  fc.constantFrom("content", "structuredContent", "messages", "tools", "prompts", "isError", "kept", "_meta"),
  fc.oneof(json, fc.array(block), fc.array(fc.record({ name: json, title: json, outputSchema: json, content: block }))),
) as fc.Arbitrary<JsonObject>;
const method = fc.constantFrom("tools/call", "tools/list", "prompts/get", "prompts/list", "resources/read");

describe.each(PAIRS)("From $server to $agent", ({ agent, server }) => {
  const codec = codecFor(agent, server);
  if (!codec) throw new Error("There is no codec.");

  it("every result becomes one that can be read, and what the revision knows keeps its bytes", () => {
    fc.assert(
      fc.property(result, method, json, (value, asked, outputSchema) => {
        const text = `{"jsonrpc":"2.0","id":1,"result":${JSON.stringify(value)}}`;
        const told = codec.result({ text, value }, { method: asked, outputSchema });
        expect(() => JSON.parse(told)).not.toThrow();
        for (const name of ["kept", "_meta", "isError"]) {
          expect(sliceAt(told, ["result", name])).toBe(sliceAt(text, ["result", name]));
        }
      }),
      { numRuns: 25 },
    );
  });

  it("no kind of content and no member is left that the revision has no word for", () => {
    fc.assert(
      fc.property(result, method, (value, asked) => {
        const text = `{"jsonrpc":"2.0","id":1,"result":${JSON.stringify(value)}}`;
        const told = JSON.parse(codec.result({ text, value }, { method: asked, outputSchema: undefined })).result;
        const { blocks, members, structured } = vocabularyOf(agent);
        const later = vocabularyOf(server);
        if (asked === "tools/call" && Array.isArray(told.content)) {
          for (const one of told.content) expect(later.blocks.has(one?.type) && !blocks.has(one.type)).toBe(false);
        }
        if (asked === "tools/call" && structured === "none") expect(told).not.toHaveProperty("structuredContent");
        if (asked === "tools/list" && Array.isArray(told.tools)) {
          for (const one of told.tools) {
            for (const name of Object.keys(Object(one)))
              expect(later.members.has(name) && !members.has(name)).toBe(false);
          }
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe("A schema that is put into an object", () => {
  const leaf = fc.constantFrom<JsonValue>(
    { type: "string" },
    { type: "integer" },
    true,
    { const: { $ref: "#/x" } },
    { $ref: "#/$defs/d" },
  );
  const schema = fc.oneof(
    leaf,
    fc.record({ type: fc.constant("array"), items: leaf, $defs: fc.constant({ d: { type: "number" } }) }),
    fc.record({
      anyOf: fc.array(leaf, { minLength: 1, maxLength: 3 }),
      $defs: fc.constant({ d: { type: "boolean" } }),
    }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.record({ $ref: leaf, a: leaf }),
      $defs: fc.constant({ d: { enum: [{ $ref: "#" }, 1] } }),
    }),
  ) as fc.Arbitrary<JsonValue>;

  it("accepts the values in one that it accepted before, and no others", () => {
    fc.assert(
      fc.property(schema, fc.oneof(json, fc.array(json), fc.record({ a: json, $ref: json })), (original, value) => {
        const usable = JSON.stringify(original).includes('"#/$defs/d"') ? hasDefs(original) : true;
        fc.pre(usable);
        const before = new Validator(original as never, "2020-12").validate(value).valid;
        const after = new Validator(JSON.parse(wrappedSchema(original)), "2020-12").validate({ result: value }).valid;
        expect(after).toBe(before);
      }),
    );
  });

  it("keeps references of a document of its own, anchors, and the dialect at the root", () => {
    const original = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "array",
      items: { $id: "https://x.example/i", $ref: "#/$defs/a", $defs: { a: true } },
      contains: { $ref: "#anchor" },
      prefixItems: [{ $ref: "https://y.example/#/a" }],
    };
    const { $schema, ...rest } = original;
    expect(JSON.parse(wrappedSchema(original))).toEqual({
      $schema,
      type: "object",
      properties: { result: rest },
      required: ["result"],
    });
  });
});

function hasDefs(schema: JsonValue): boolean {
  return typeof schema === "object" && schema !== null && "$defs" in schema;
}
