/**
 * Whether a value can be shown to fit a server's schema. The schema is a stranger's: what would need another document, an
 * engine that may run for ever, or more steps than anyone should wait for, cannot be shown, and counts as not fitting. Nothing is
 * ever fetched.
 *
 * @see MCP 2026-07-28 · Base protocol · JSON Schema usage (dialects, `$ref`, composition)
 */
import { type SchemaDraft, Validator } from "@cfworker/json-schema";
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";

export function fits(schema: JsonObject, value: JsonValue): boolean {
  const dialect = dialectOf(schema);
  if (dialect === undefined || hasPatterns(schema) || stepsOf(schema) > MOST_STEPS) return false;
  return new Validator(schema, dialect, true).validate(value).valid;
}

/** The one a schema names; the newest where it names none, nothing where nobody here knows it. */
function dialectOf({ $schema }: JsonObject): SchemaDraft | undefined {
  if ($schema === undefined) return "2020-12";
  return typeof $schema === "string" ? DIALECTS.get($schema.replace(/^http:/, "https:").replace(/#$/, "")) : undefined;
}

const DIALECTS: ReadonlyMap<string, SchemaDraft> = new Map([
  ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
  ["https://json-schema.org/draft/2019-09/schema", "2019-09"],
  ["https://json-schema.org/draft-07/schema", "7"],
  ["https://json-schema.org/draft-06/schema", "7"],
  ["https://json-schema.org/draft-04/schema", "4"],
]);

/** A server's own patterns would run in a backtracking engine, and a hostile one could hold up the worker with them. */
function hasPatterns(schema: JsonValue): boolean {
  if (Array.isArray(schema)) return schema.some(hasPatterns);
  if (!isObject(schema)) return false;
  return Object.entries(schema).some(
    ([name, value]) =>
      name === "patternProperties" || (name === "pattern" && typeof value === "string") || hasPatterns(value),
  );
}

const MOST_STEPS = 10_000;

/** Parts of the schema that are looked at for one value, references followed; endless where they go round or elsewhere. */
function stepsOf(root: JsonObject): number {
  const known = new Map<JsonValue, number>();
  const count = (node: JsonValue): number => {
    if (typeof node !== "object" || node === null) return 0;
    const before = known.get(node);
    if (before !== undefined) return before;
    // Until it is counted: whoever meets it again meanwhile goes round.
    known.set(node, Number.POSITIVE_INFINITY);
    let steps = 1;
    for (const child of Object.values(node)) steps += count(child);
    if (isObject(node)) for (const name of REFERENCES) steps += countTarget(node[name]);
    known.set(node, steps);
    return steps;
  };
  const countTarget = (reference: JsonValue | undefined): number => {
    if (typeof reference !== "string") return 0;
    const target = reference.startsWith("#/") ? at(root, reference.slice(2)) : undefined;
    return target === undefined ? Number.POSITIVE_INFINITY : count(target);
  };
  return count(root);
}

/** @see RFC 6901 · JSON Pointer */
function at(root: JsonValue, pointer: string): JsonValue | undefined {
  let node: JsonValue | undefined = root;
  for (const written of pointer.split("/")) {
    const name = written.replaceAll("~1", "/").replaceAll("~0", "~");
    node =
      (isObject(node) || Array.isArray(node)) && Object.hasOwn(node, name) ? (node as JsonObject)[name] : undefined;
  }
  return node;
}

const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"] as const;
