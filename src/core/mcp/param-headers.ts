/**
 * Arguments that a tool wants repeated as HTTP headers (`x-mcp-header` in its schema). The values come from the arguments
 * that are sent, so header and body cannot disagree. A definition that breaks the rules for these marks is no tool over
 * HTTP: two parties that read it differently would route one call and carry out another.
 *
 * @see MCP 2026-07-28 · Transports · Streamable HTTP · Custom headers from tool parameters
 * @see RFC 9110 · 5.6.2 Tokens
 */
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";
import { encodeHeaderValue } from "./headers.ts";

/** What is wrong with the marks of a schema, as a sentence; nothing where they are fine or absent. */
export function paramHeaderProblem(schema: JsonValue | undefined): string | undefined {
  const marks = marksOf(schema);
  return typeof marks === "string" ? marks : undefined;
}

export function paramHeaders(schema: JsonValue | undefined, args: JsonValue | undefined): Record<string, string> {
  const marks = marksOf(schema);
  const headers: Record<string, string> = {};
  if (typeof marks === "string") return headers;
  for (const { name, path } of marks) {
    const value = spelled(valueAt(args, path));
    if (value !== undefined) headers[`Mcp-Param-${name}`] = encodeHeaderValue(value);
  }
  return headers;
}

interface Mark {
  readonly name: string;
  readonly path: readonly string[];
}

const MARK = "x-mcp-header";
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);
/** Keywords whose value is data, and those that hold schemas by name. */
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", MARK]);
const BY_NAME: ReadonlySet<string> = new Set(["$defs", "definitions", "patternProperties", "dependentSchemas"]);

/** Once per schema: it is asked for with every call. */
const KNOWN = new WeakMap<JsonObject, readonly Mark[] | string>();

function marksOf(schema: JsonValue | undefined): readonly Mark[] | string {
  if (!isObject(schema)) return [];
  const known = KNOWN.get(schema);
  if (known !== undefined) return known;
  const marks: Mark[] = [];
  const found = visit(schema, [], marks) ?? marks;
  KNOWN.set(schema, found);
  return found;
}

/** `path` is absent where only `properties` do not lead. Gives the first problem. */
function visit(node: JsonValue, path: readonly string[] | undefined, marks: Mark[]): string | undefined {
  if (Array.isArray(node)) return firstOf(node, (item) => visit(item, undefined, marks));
  if (!isObject(node)) return undefined;
  const problem = Object.hasOwn(node, MARK) ? mark(node, path, marks) : undefined;
  if (problem !== undefined) return problem;
  return firstOf(Object.entries(node), ([keyword, child]) => {
    if (DATA.has(keyword)) return undefined;
    if (keyword === "properties" && isObject(child)) {
      return firstOf(Object.entries(child), ([name, schema]) => visit(schema, path && [...path, name], marks));
    }
    if (!BY_NAME.has(keyword) || !isObject(child)) return visit(child, undefined, marks);
    return firstOf(Object.values(child), (schema) => visit(schema, undefined, marks));
  });
}

function mark(node: JsonObject, path: readonly string[] | undefined, marks: Mark[]): string | undefined {
  const name = node[MARK];
  if (path === undefined || path.length === 0) return "A header mark stands where no argument of its own is.";
  if (typeof name !== "string" || !TOKEN.test(name)) return "A header mark is not a name that a header can have.";
  if (!TYPES.has(node.type)) return "A header mark stands at something that is no string, integer or boolean.";
  if (marks.some((other) => other.name.toLowerCase() === name.toLowerCase())) return "Two header marks have one name.";
  marks.push({ name, path });
  return undefined;
}

function firstOf<Item>(items: readonly Item[], look: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function valueAt(args: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let value = args;
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** Nothing for what has no header form: null, structures, and integers beyond what every reader agrees on. */
function spelled(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number") return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}
