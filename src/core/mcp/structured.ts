/**
 * Structured results for agents that know objects only. Up to 2025-11-25 `structuredContent` is an object and so is what
 * `outputSchema` describes; since then both may be anything. What is no object is put into one, under `result`, and
 * references inside the schema are made to point to where it went.
 *
 * @see MCP 2025-11-25 · Tools · Structured content, Output schema
 * @see JSON Schema 2020-12 · 8.2 Base URI, anchors, and dereferencing
 */
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";

/** Whether values of this schema are put into an object: all of a tool's are, or none. */
export function isWrapped(outputSchema: JsonValue | undefined): boolean {
  return outputSchema !== undefined && !(isObject(outputSchema) && outputSchema.type === "object");
}

/** The only re-encoding of a definition there is; the agent's revision has no word for what was there. */
export function wrappedSchema(outputSchema: JsonValue): string {
  const { $schema, ...rest } = isObject(outputSchema) ? outputSchema : {};
  // A dialect is named at the root of a document only.
  const inner = isObject(outputSchema) ? moved(rest, false) : outputSchema;
  return JSON.stringify({
    ...($schema === undefined ? {} : { $schema }),
    type: "object",
    properties: { result: inner },
    required: ["result"],
  });
}

/** Takes the value's own text, so that its numbers stay as they are spelled. */
export function wrappedValue(text: string): string {
  return `{"result":${text}}`;
}

const PLACE = "#/properties/result";
const REFERENCES: ReadonlySet<string> = new Set(["$ref", "$dynamicRef", "$recursiveRef"]);
/** Keywords whose value is data and no schema. */
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);
/** Keywords that hold schemas by names of the author's. */
const NAMED: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

/** `names`: the members are names of the author's, whatever they look like. */
function moved(node: JsonValue, names: boolean): JsonValue {
  if (Array.isArray(node)) return node.map((item) => moved(item, false));
  if (!isObject(node)) return node;
  // A schema with an address of its own is a document of its own, and its references stay inside.
  if (!names && typeof node.$id === "string" && !node.$id.startsWith("#")) return node;
  const entries = Object.entries(node).map(([name, child]): [string, JsonValue] => {
    if (names) return [name, moved(child, false)];
    if (DATA.has(name)) return [name, child];
    if (REFERENCES.has(name) && typeof child === "string") return [name, pointed(child)];
    return [name, moved(child, NAMED.has(name))];
  });
  return Object.fromEntries(entries) as JsonObject;
}

/** A pointer within the document; an anchor and another document are found as before. */
function pointed(reference: string): string {
  if (reference === "#") return PLACE;
  return reference.startsWith("#/") ? `${PLACE}${reference.slice(1)}` : reference;
}
