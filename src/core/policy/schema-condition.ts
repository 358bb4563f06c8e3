/**
 * JSON Schema as a condition. Only keywords that are judged in time linear in the value are accepted: no `pattern` and no
 * `format`, which run in an engine that can take forever (the `pattern` condition has its own), and no references.
 *
 * @see JSON Schema 2020-12 · Validation
 */
import { type Schema, Validator } from "@cfworker/json-schema";
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";
import { didYouMean } from "./did-you-mean.ts";
import { isExact } from "./number-condition.ts";
import { below, quoted, type Report } from "./problem.ts";

/** For rules that tighten: the value fits, or one item of it does, or a number in it can no longer be judged. */
export function maybeFits(schema: JsonObject): (value: JsonValue) => boolean {
  const fits = validatorOf(schema);
  const some = (value: JsonValue): boolean => fits(value) || (Array.isArray(value) && value.some(some));
  return (value) => hasLostNumber(value) || some(value);
}

/** For rules that widen. */
export function surelyFits(schema: JsonObject): (value: JsonValue) => boolean {
  const fits = validatorOf(schema);
  return (value) => !hasLostNumber(value) && fits(value);
}

/** Reports everything in a schema that cannot be used. */
export function checkSchema(value: unknown, site: { readonly path: string; readonly report: Report }, depth = 0): void {
  const { path, report } = site;
  if (value === true || value === false) return;
  if (depth > DEEPEST || typeof value !== "object" || value === null || Array.isArray(value)) {
    report(path, {
      message: depth > DEEPEST ? "The schema is nested too deeply." : "A schema is an object.",
      remedy: 'Write a JSON Schema such as {"type": "string", "maxLength": 200}.',
    });
    return;
  }
  if (depth === 0 && Object.keys(value).length === 0) {
    report(path, {
      message: "An empty schema fits everything.",
      remedy: 'Write {"exists": true} if any value will do.',
    });
  }
  for (const [keyword, inside] of Object.entries(value)) {
    const at = below(path, keyword);
    const kind = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword as Keyword] : undefined;
    const here = (problem: string): void => report(at, { message: problem, remedy: "See JSON Schema 2020-12." });
    if (kind === undefined) {
      report(at, {
        message: `The keyword ${quoted(keyword)} cannot be used here.`,
        remedy: REMEDIES.get(keyword) ?? didYouMean(keyword, Object.keys(KEYWORDS)),
      });
    } else if (kind === "schema") checkSchema(inside, { path: at, report }, depth + 1);
    else if (kind === "list") {
      if (!Array.isArray(inside) || inside.length === 0) here("A list of schemas is expected.");
      else for (const [index, one] of inside.entries()) checkSchema(one, { path: below(at, index), report }, depth + 1);
    } else if (kind === "named") {
      if (typeof inside !== "object" || inside === null || Array.isArray(inside)) here("Named schemas are expected.");
      else
        for (const [name, one] of Object.entries(inside))
          checkSchema(one, { path: below(at, name), report }, depth + 1);
    } else if (!kind(inside)) here(`The value of ${quoted(keyword)} has the wrong type.`);
  }
}

const DEEPEST = 16;

type Keyword = keyof typeof KEYWORDS;
type Kind = "schema" | "list" | "named" | ((value: unknown) => boolean);

const TYPES: readonly unknown[] = ["string", "number", "integer", "boolean", "object", "array", "null"];
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isNumber = (value: unknown): boolean => typeof value === "number" && isExact(value);
const isText = (value: unknown): boolean => typeof value === "string";
const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

const KEYWORDS = {
  type: (value: unknown) =>
    Array.isArray(value) ? value.length > 0 && value.every((one) => TYPES.includes(one)) : TYPES.includes(value),
  enum: isList,
  const: () => true,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value: unknown) => isNumber(value) && (value as number) > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  required: (value: unknown) => Array.isArray(value) && value.every(isText),
  title: isText,
  description: isText,
  properties: "named",
  items: "schema",
  additionalProperties: "schema",
  contains: "schema",
  propertyNames: "schema",
  not: "schema",
  if: "schema",
  // biome-ignore lint/suspicious/noThenProperty: the keyword's name
  then: "schema",
  else: "schema",
  prefixItems: "list",
  allOf: "list",
  anyOf: "list",
  oneOf: "list",
} as const satisfies Readonly<Record<string, Kind>>;

const REMEDIES: ReadonlyMap<string, string> = new Map([
  ["pattern", "Use a “pattern” condition beside this one, which never takes long."],
  ["patternProperties", "Use properties, propertyNames or additionalProperties."],
  ["format", "Use a “url” or “pattern” condition."],
  ["$ref", "Write the schema out; references are not followed."],
]);

function validatorOf(schema: JsonObject): (value: JsonValue) => boolean {
  const validator = new Validator(schema as Schema, "2020-12", true);
  return (value) => validator.validate(value).valid;
}

function hasLostNumber(value: JsonValue): boolean {
  if (typeof value === "number") return !isExact(value);
  if (Array.isArray(value)) return value.some(hasLostNumber);
  return isObject(value) && Object.values(value).some(hasLostNumber);
}
