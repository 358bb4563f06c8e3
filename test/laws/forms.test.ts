/** No answer passes that its own schema refuses, as an independent reader of JSON Schema judges it. */
import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerProblems, initialAnswer } from "../../src/core/elicit/answer.ts";
import { readForm } from "../../src/core/elicit/form.ts";
import { patternTest } from "../../src/core/policy/pattern.ts";
import type { JsonObject } from "../../src/core/wire/json.ts";

const count = fc.integer({ min: 0, max: 4 });
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const texts = fc.uniqueArray(fc.constantFrom("a", "b", "c", "ä", "\u{1f600}"), { minLength: 1, maxLength: 4 });

const textSchema = fc.record(
  {
    type: fc.constant("string"),
    minLength: some(count),
    maxLength: some(count),
    pattern: some(fc.constantFrom("^a", "\\d", "^.{2}$")),
    format: some(fc.constantFrom("email", "uri", "date", "date-time", "hostname")),
    default: some(fc.string()),
  },
  { requiredKeys: ["type"] },
);
const numberSchema = fc.record(
  {
    type: fc.constantFrom("number", "integer"),
    minimum: some(fc.integer({ min: -3, max: 3 })),
    maximum: some(fc.integer({ min: -3, max: 3 })),
    exclusiveMinimum: some(fc.integer({ min: -3, max: 3 })),
    multipleOf: some(fc.constantFrom(1, 2, 0.5)),
  },
  { requiredKeys: ["type"] },
);
const choiceSchema = fc.oneof(
  texts.map((values) => ({ type: "string", enum: values })),
  texts.map((values) => ({ type: "string", oneOf: values.map((value) => ({ const: value, title: value })) })),
);
const choicesSchema = fc.record(
  {
    type: fc.constant("array"),
    items: fc.oneof(
      texts.map((values) => ({ type: "string", enum: values })),
      texts.map((values) => ({ anyOf: values.map((value) => ({ const: value, title: value })) })),
    ),
    minItems: some(count),
    maxItems: some(count),
    uniqueItems: some(fc.boolean()),
  },
  { requiredKeys: ["type", "items"] },
);
const fieldSchema = fc.oneof(textSchema, numberSchema, choiceSchema, choicesSchema, fc.constant({ type: "boolean" }));
const names = fc.constantFrom("a", "b", "c");
const schema = fc.dictionary(names, fieldSchema).chain((properties) =>
  fc.record({
    type: fc.constant("object"),
    properties: fc.constant(JSON.parse(JSON.stringify(properties))),
    required: fc.subarray(Object.keys(properties)),
    additionalProperties: fc.constant(false),
  }),
);
const value = fc.oneof(
  fc.string({ maxLength: 6, unit: "grapheme" }),
  fc.constantFrom(
    "a",
    "b",
    "ada@example.org",
    "a@b@c.de",
    "https://x.example/",
    "x:y",
    "2024-02-29",
    "2026-01-01T00:00:00Z",
  ),
  fc.integer({ min: -5, max: 5 }),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.constantFrom("a", "b", "c", "x"), { maxLength: 4 }),
);
const content = fc.dictionary(fc.oneof(names, fc.constant("d")), value);

const fits = (pattern: string, text: string) => patternTest(pattern)(text);

function accepts(form: JsonObject, answer: object): boolean {
  return new Validator(form as object, "2020-12").validate(answer).valid;
}

describe("answers to forms", () => {
  it("pass only where the schema accepts them", () => {
    let passed = 0;
    fc.assert(
      fc.property(schema, content, (form, answer) => {
        const fields = readForm(form as unknown as JsonObject);
        if (!fields || answerProblems(fields, answer as unknown as JsonObject, fits).length > 0) return;
        passed += 1;
        expect(accepts(form as unknown as JsonObject, answer)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
    expect(passed).toBeGreaterThan(50);
  });

  it("begin with defaults of which none is refused", () => {
    fc.assert(
      fc.property(schema, (form) => {
        const fields = readForm(form as unknown as JsonObject) ?? [];
        const faults = answerProblems(fields, initialAnswer(fields)).filter(({ fault }) => fault !== "missing");
        expect(faults).toEqual([]);
      }),
    );
  });
});
