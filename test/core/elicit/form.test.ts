/** Forms that servers ask for: which are read, and which answers fit them. */
import { describe, expect, it } from "vitest";
import { initialAnswer, answerProblems as problemsOf } from "../../../src/core/elicit/answer.ts";
import { readForm } from "../../../src/core/elicit/form.ts";
import { patternTest } from "../../../src/core/policy/pattern.ts";
import type { JsonObject } from "../../../src/core/wire/json.ts";

const answerProblems = (fields: Parameters<typeof problemsOf>[0], content: JsonObject) =>
  problemsOf(fields, content, (pattern, text) => patternTest(pattern)(text));

function form(properties: JsonObject, required: readonly string[] = []) {
  return readForm({ type: "object", properties, required });
}

/** The fault of one value in a form of one field. */
function fault(schema: JsonObject, value: JsonObject[string]): string | undefined {
  const fields = form({ it: schema }) ?? [];
  expect(fields).toHaveLength(1);
  return answerProblems(fields, { it: value })[0]?.fault;
}

describe("a form", () => {
  it("is read in the server's order, with its own words", () => {
    const fields = form(
      { zip: { type: "string", title: "Zip", description: "Five digits" }, age: { type: "integer" } },
      ["age"],
    );
    expect(fields).toEqual([
      { kind: "text", name: "zip", title: "Zip", description: "Five digits", required: false },
      { kind: "number", whole: true, name: "age", title: "", description: "", required: true },
    ]);
  });

  it.each([
    ["a list of texts", { type: "string", enum: ["a", "b"] }],
    ["older names for them", { type: "string", enum: ["a", "b"], enumNames: ["a", "b"] }],
    [
      "constants with titles",
      {
        type: "string",
        oneOf: [
          { const: "a", title: "a" },
          { const: "b", title: "b" },
        ],
      },
    ],
  ])("reads one choice from %s", (_what, schema) => {
    expect(form({ it: schema })?.[0]).toMatchObject({
      kind: "one",
      options: [
        { value: "a", title: "a" },
        { value: "b", title: "b" },
      ],
    });
  });

  it.each([
    ["a list of texts", { type: "string", enum: ["a"] }],
    ["constants with titles", { anyOf: [{ const: "a", title: "a" }] }],
  ])("reads several choices from %s", (_what, items) => {
    expect(form({ it: { type: "array", items, minItems: 1, maxItems: 2 } })?.[0]).toMatchObject({
      kind: "many",
      options: [{ value: "a", title: "a" }],
      minItems: 1,
      maxItems: 2,
    });
  });

  it("shows older names beside the values", () => {
    expect(form({ it: { type: "string", enum: ["#f00"], enumNames: ["Red"] } })?.[0]).toMatchObject({
      options: [{ value: "#f00", title: "Red" }],
    });
  });

  it("may have no fields: then it asks for a yes", () => {
    expect(readForm({ type: "object" })).toEqual([]);
    expect(form({})).toEqual([]);
  });

  it.each([
    ["nested objects", { it: { type: "object", properties: {} } }],
    ["lists of anything", { it: { type: "array", items: { type: "string" } } }],
    ["a keyword that would restrict it and is not known", { it: { type: "string", not: { const: "a" } } }],
    ["references", { it: { $ref: "#/$defs/a" } }],
    ["a pattern that takes for ever", { it: { type: "string", pattern: "^(?=a)b" } }],
    ["two types", { it: { type: ["string", "null"] } }],
    ["no choices", { it: { type: "string", enum: [] } }],
    ["one choice twice", { it: { type: "string", enum: ["a", "a"] } }],
    ["both ways of choices", { it: { type: "string", enum: ["a"], oneOf: [{ const: "a" }] } }],
    ["a minimum that is no number", { it: { type: "number", minimum: "1" } }],
  ])("is not read with %s", (_what, properties) => {
    expect(form(properties as JsonObject)).toBeUndefined();
  });

  it("is not read where it is no object, or demands what it does not describe", () => {
    expect(readForm({ type: "string" })).toBeUndefined();
    expect(readForm(undefined)).toBeUndefined();
    expect(form({}, ["ghost"])).toBeUndefined();
    expect(readForm({ type: "object", properties: {}, minProperties: 1 })).toBeUndefined();
  });
});

describe("an answer", () => {
  it.each([
    [{ type: "string", minLength: 2 }, "a", "short"],
    [{ type: "string", maxLength: 2 }, "abc", "long"],
    [{ type: "string", maxLength: 2 }, "\u{1f600}\u{1f600}", undefined],
    [{ type: "string", pattern: "^\\d{4}-\\d{2}$" }, "4711-02", undefined],
    [{ type: "string", pattern: "^\\d{4}-\\d{2}$" }, "4711-", "pattern"],
    [{ type: "string" }, 1, "kind"],
    [{ type: "integer" }, 1.5, "kind"],
    [{ type: "integer" }, 2 ** 53, "kind"],
    [{ type: "integer", minimum: 1, maximum: 8 }, 0, "low"],
    [{ type: "integer", minimum: 1, maximum: 8 }, 9, "high"],
    [{ type: "number", exclusiveMinimum: 0 }, 0, "low"],
    [{ type: "number", exclusiveMaximum: 1 }, 1, "high"],
    [{ type: "number", multipleOf: 5 }, 7, "step"],
    [{ type: "number" }, Number.NaN, "kind"],
    [{ type: "boolean" }, "true", "kind"],
    [{ type: "boolean" }, false, undefined],
    [{ type: "string", enum: ["a"] }, "b", "option"],
    [{ type: "array", items: { enum: ["a", "b"] } }, ["a", "c"], "option"],
    [{ type: "array", items: { enum: ["a", "b"] } }, ["a", "a"], "kind"],
    [{ type: "array", items: { enum: ["a", "b"] }, minItems: 1 }, [], "few"],
    [{ type: "array", items: { enum: ["a", "b"] }, maxItems: 1 }, ["a", "b"], "many"],
  ])("to %j that is %j has the fault %s", (schema, value, expected) => {
    expect(fault(schema as JsonObject, value as string)).toBe(expected);
  });

  it.each([
    ["email", "ada@example.org", "ada@localhost"],
    ["email", "a.b+c@x.example", "ada@@example.org"],
    ["email", "a@b.example", ".a@b.example"],
    ["uri", "https://example.org/a?b#c", "example.org"],
    ["uri", "mailto:ada@example.org", "https://exa mple.org"],
    ["date", "2024-02-29", "2023-02-29"],
    ["date", "2026-11-30", "2026-11-31"],
    ["date-time", "2026-11-30T23:45:00Z", "2026-11-30T24:00:00Z"],
    ["date-time", "2026-11-30T23:45:00.5+01:00", "2026-11-30 23:45"],
  ])("in the format %s fits as %s and not as %s", (format, good, bad) => {
    expect(fault({ type: "string", format }, good)).toBeUndefined();
    expect(fault({ type: "string", format }, bad)).toBe("format");
  });

  it("may leave out what is not required, and nothing else", () => {
    const fields = form({ a: { type: "string" }, b: { type: "string" } }, ["b"]) ?? [];
    expect(answerProblems(fields, {})).toEqual([{ name: "b", fault: "missing" }]);
  });

  it("holds nothing that was not asked for", () => {
    expect(answerProblems(form({ a: { type: "string" } }) ?? [], { a: "x", __proto__x: 1 })).toEqual([
      { name: "__proto__x", fault: "unasked" },
    ]);
  });

  it("begins with the defaults that fit", () => {
    const fields = form({
      a: { type: "string", default: "x" },
      b: { type: "integer", minimum: 5, default: 1 },
      c: { type: "boolean", default: false },
      d: { type: "array", items: { enum: ["p", "q"] }, default: ["q"] },
      e: { type: "string", enum: ["p"], default: "z" },
    });
    expect(initialAnswer(fields ?? [])).toEqual({ a: "x", c: false, d: ["q"] });
  });
});
