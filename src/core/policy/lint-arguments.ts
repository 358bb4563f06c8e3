/** Pointers that lead nowhere in any tool's schema, and values that no tool takes there. */
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";
import { didYouMean } from "./did-you-mean.ts";
import { equal } from "./equal.ts";
import { globTest } from "./glob.ts";
import type { LintKind } from "./lint.ts";
import { type LiveTools, toolsOf } from "./lint-names.ts";
import type { ArgumentCondition, Rule } from "./policy.ts";
import { below, type Complaint, quoted } from "./problem.ts";

type ReportLint = (kind: LintKind, path: string, complaint: Complaint) => void;

export function argumentLints(rule: Rule, live: LiveTools, report: ReportLint): void {
  const { args, tool } = rule.when;
  if (!args) return;
  const tools = toolsOf(rule.when.server, live)?.filter(
    ({ name }) => tool?.some((glob) => globTest(glob)(name)) ?? true,
  );
  const schemas = tools?.map(({ value }) => value.inputSchema).filter(isObject);
  if (!schemas || schemas.length === 0) return;
  for (const [pointer, condition] of Object.entries(args)) {
    const places = schemas.map((schema) => placeAt(schema, stepsOf(pointer)));
    const path = below("/when/args", pointer);
    if (places.every((place) => place === "nowhere")) {
      report("unknown-argument", path, {
        message: `None of these tools has an argument at ${quoted(pointer)}.`,
        remedy: didYouMean(pointer, schemas.flatMap(pointersOf)),
      });
    } else if (places.every((place) => place === "nowhere" || (place !== "anything" && !mayHold(place, condition)))) {
      report("impossible-argument", path, {
        message: `No value that these tools take at ${quoted(pointer)} fits.`,
        remedy: "Look at the tool's schema, and mind quotes around numbers.",
      });
    }
  }
}

type Place = JsonObject | "anything" | "nowhere";

function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The schema of what a pointer points at, as far as plain members and items lead. */
function placeAt(schema: JsonObject, steps: readonly string[]): Place {
  let at: JsonValue | undefined = schema;
  for (const step of steps) {
    if (!isObject(at) || COMPOSED.some((keyword) => Object.hasOwn(at as JsonObject, keyword))) return "anything";
    const { properties, items, additionalProperties }: JsonObject = at;
    if (isObject(properties) && Object.hasOwn(properties, step)) at = properties[step];
    else if (isObject(properties)) {
      if (additionalProperties === undefined || additionalProperties === false) return "nowhere";
      at = additionalProperties;
    } else if (isObject(items) && /^[0-9]+$/.test(step)) at = items;
    else
      return typesOf(at).some((type) => type === "object" || type === "array") || typesOf(at).length === 0
        ? "anything"
        : "nowhere";
  }
  return isObject(at) ? at : "anything";
}

const COMPOSED = ["$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties"] as const;

function typesOf(schema: JsonObject): readonly string[] {
  const { type } = schema;
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((one): one is string => typeof one === "string") : [];
}

/** Whether some value of the schema may meet the condition; true where that takes more than a look. */
function mayHold(schema: JsonObject, condition: ArgumentCondition): boolean {
  const types = typesOf(schema);
  const has = (...wanted: readonly string[]): boolean =>
    types.length === 0 || types.some((type) => wanted.includes(type));
  if ("range" in condition) return has("number", "integer", "string", "array", "object");
  if ("url" in condition || "path" in condition) return has("string", "array", "object");
  if (!("equals" in condition)) return true;
  const { equals } = condition;
  if (Array.isArray(schema.enum)) return schema.enum.some((one: JsonValue) => equal(one, equals) || Array.isArray(one));
  // A list may hold the value.
  if (has("array")) return true;
  return has(...typesOfValue(equals));
}

function typesOfValue(value: JsonValue): readonly string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (typeof value === "number") return Number.isInteger(value) ? ["integer", "number"] : ["number"];
  return [typeof value];
}

function pointersOf(schema: JsonObject): readonly string[] {
  return isObject(schema.properties) ? Object.keys(schema.properties).map((name) => below("", name)) : [];
}
