/**
 * The form that a server asks for, read into fields. Only the shapes that MCP names are read: a flat object of texts,
 * numbers, yes or no, one of a list, several of a list. A keyword that would restrict an answer and is not known here makes
 * the whole form unreadable, because an answer that was not checked against everything could be one that the server's own
 * schema refuses.
 *
 * @see MCP 2025-11-25 · Elicitation · Requested schema; MCP 2026-07-28 · Elicitation · Requested schema
 */
import { patternComplaint } from "../policy/pattern.ts";
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";

interface FieldBase {
  readonly name: string;
  /** The server's own words, empty where it has none. */
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  /** The schema's own word for it beside those that are checked, such as `password`. */
  readonly hint?: string;
}

export type TextFormat = "email" | "uri" | "date" | "date-time";

export interface TextField extends FieldBase {
  readonly kind: "text";
  readonly format?: TextFormat;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly initial?: string;
}

export interface NumberField extends FieldBase {
  readonly kind: "number";
  readonly whole: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly above?: number;
  readonly below?: number;
  readonly step?: number;
  readonly initial?: number;
}

export interface YesNoField extends FieldBase {
  readonly kind: "yes-no";
  readonly initial?: boolean;
}

export interface Option {
  readonly value: string;
  readonly title: string;
}

export interface OneField extends FieldBase {
  readonly kind: "one";
  readonly options: readonly Option[];
  readonly initial?: string;
}

export interface ManyField extends FieldBase {
  readonly kind: "many";
  readonly options: readonly Option[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly initial?: readonly string[];
}

export type FormField = TextField | NumberField | YesNoField | OneField | ManyField;

/** The fields in the server's order; nothing where it is no form that MCP knows. */
export function readForm(schema: JsonValue | undefined): readonly FormField[] | undefined {
  if (!isObject(schema) || schema.type !== "object" || !knowsAll(schema, FORM_KEYWORDS)) return undefined;
  // Nothing but a yes is asked for where there are none.
  const { properties = {}, required = [] } = schema;
  if (!isObject(properties) || !isTexts(required)) return undefined;
  const entries = Object.entries(properties);
  if (entries.length > MOST_FIELDS || required.some((name) => !Object.hasOwn(properties, name))) return undefined;
  const fields = entries.map(([name, value]) => readField(name, value, required.includes(name)));
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

const MOST_FIELDS = 100;
const MOST_OPTIONS = 1_000;

function readField(name: string, value: JsonValue, required: boolean): FormField | undefined {
  if (!isObject(value)) return undefined;
  const { title = "", description = "" } = value;
  if (typeof title !== "string" || typeof description !== "string") return undefined;
  const hint = hintOf(value);
  const base = { name, title, description, required, ...(hint === undefined ? {} : { hint }) };
  return READERS.get(shapeOf(value))?.(value, base);
}

type Reader = (value: JsonObject, base: FieldBase) => FormField | undefined;

function shapeOf({ type, enum: choices, oneOf }: JsonObject): string {
  if (choices !== undefined || oneOf !== undefined) return type === undefined || type === "string" ? "one" : "";
  return typeof type === "string" ? type : "";
}

function readText(value: JsonObject, base: FieldBase): TextField | undefined {
  const { minLength, maxLength, pattern, format } = value;
  if (!knowsAll(value, TEXT_KEYWORDS) || !areCounts(minLength, maxLength)) return undefined;
  if (pattern !== undefined && (typeof pattern !== "string" || patternComplaint(pattern))) return undefined;
  return {
    ...base,
    kind: "text",
    ...(isFormat(format) ? { format } : {}),
    ...(typeof minLength === "number" ? { minLength } : {}),
    ...(typeof maxLength === "number" ? { maxLength } : {}),
    ...(typeof pattern === "string" ? { pattern } : {}),
    ...(typeof value.default === "string" ? { initial: value.default } : {}),
  };
}

function readNumber(value: JsonObject, base: FieldBase): NumberField | undefined {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf: step } = value;
  const limits = { minimum, maximum, above, below, step };
  if (!knowsAll(value, NUMBER_KEYWORDS)) return undefined;
  if (Object.values(limits).some((limit) => limit !== undefined && typeof limit !== "number")) return undefined;
  if (typeof step === "number" && step <= 0) return undefined;
  const set = Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
  return {
    ...base,
    kind: "number",
    whole: value.type === "integer",
    ...(set as Pick<NumberField, "minimum" | "maximum" | "above" | "below" | "step">),
    ...(typeof value.default === "number" ? { initial: value.default } : {}),
  };
}

function readYesNo(value: JsonObject, base: FieldBase): YesNoField | undefined {
  if (!knowsAll(value, ANNOTATIONS)) return undefined;
  return { ...base, kind: "yes-no", ...(typeof value.default === "boolean" ? { initial: value.default } : {}) };
}

function readOne(value: JsonObject, base: FieldBase): OneField | undefined {
  const options = optionsOf(value, "oneOf");
  if (!options || !knowsAll(value, ONE_KEYWORDS)) return undefined;
  const initial = typeof value.default === "string" ? { initial: value.default } : {};
  return { ...base, kind: "one", options, ...initial };
}

function readMany(value: JsonObject, base: FieldBase): ManyField | undefined {
  const { items, minItems, maxItems, uniqueItems = false } = value;
  if (!isObject(items) || !knowsAll(value, MANY_KEYWORDS) || !knowsAll(items, ITEM_KEYWORDS)) return undefined;
  if (!areCounts(minItems, maxItems) || typeof uniqueItems !== "boolean") return undefined;
  if (items.type !== undefined && items.type !== "string") return undefined;
  const options = optionsOf(items, "anyOf") ?? optionsOf(items, "oneOf");
  if (!options) return undefined;
  return {
    ...base,
    kind: "many",
    options,
    ...(typeof minItems === "number" ? { minItems } : {}),
    ...(typeof maxItems === "number" ? { maxItems } : {}),
    ...(isTexts(value.default) ? { initial: value.default } : {}),
  };
}

/** From `enum`, with older servers' `enumNames`, or from constants with titles. */
function optionsOf(value: JsonObject, titled: "oneOf" | "anyOf"): readonly Option[] | undefined {
  const { enum: plain, enumNames } = value;
  const listed = value[titled];
  if ((plain === undefined) === (listed === undefined)) return undefined;
  const options = plain === undefined ? titledOptions(listed) : plainOptions(plain, enumNames);
  const known = new Set(options?.map((option) => option.value));
  return options && options.length > 0 && options.length <= MOST_OPTIONS && known.size === options.length
    ? options
    : undefined;
}

function plainOptions(values: JsonValue, names: JsonValue | undefined): readonly Option[] | undefined {
  if (!isTexts(values)) return undefined;
  const titles = isTexts(names) && names.length === values.length ? names : values;
  return values.map((value, at) => ({ value, title: titles[at] ?? value }));
}

function titledOptions(listed: JsonValue | undefined): readonly Option[] | undefined {
  if (!Array.isArray(listed)) return undefined;
  const options = listed.map((option: JsonValue): Option | undefined => {
    if (!isObject(option) || typeof option.const !== "string" || !knowsAll(option, OPTION_KEYWORDS)) return undefined;
    return { value: option.const, title: typeof option.title === "string" ? option.title : option.const };
  });
  return options.every((option) => option !== undefined) ? options : undefined;
}

/** What a schema says of how a value is to be typed, without restricting it. */
function hintOf({ format, writeOnly, contentMediaType }: JsonObject): string | undefined {
  if (writeOnly === true) return "write-only";
  if (typeof format === "string" && !isFormat(format)) return format;
  return typeof contentMediaType === "string" ? contentMediaType : undefined;
}

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["string", readText],
  ["number", readNumber],
  ["integer", readNumber],
  ["boolean", readYesNo],
  ["one", readOne],
  ["array", readMany],
]);

/** Keywords that restrict nothing. */
const ANNOTATIONS: readonly string[] = [
  "type",
  "title",
  "description",
  "default",
  "examples",
  "$comment",
  "deprecated",
  "readOnly",
  "writeOnly",
  "format",
  "contentMediaType",
];
const TEXT_KEYWORDS = [...ANNOTATIONS, "minLength", "maxLength", "pattern"];
const NUMBER_KEYWORDS = [...ANNOTATIONS, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const ONE_KEYWORDS = [...ANNOTATIONS, "enum", "enumNames", "oneOf"];
const MANY_KEYWORDS = [...ANNOTATIONS, "items", "minItems", "maxItems", "uniqueItems"];
const ITEM_KEYWORDS = [...ANNOTATIONS, "enum", "enumNames", "anyOf", "oneOf"];
const OPTION_KEYWORDS = [...ANNOTATIONS, "const"];
const FORM_KEYWORDS = [...ANNOTATIONS, "$schema", "$id", "properties", "required", "additionalProperties"];

function knowsAll(value: JsonObject, keywords: readonly string[]): boolean {
  return Object.keys(value).every((keyword) => keywords.includes(keyword) || keyword.startsWith("x-"));
}

function areCounts(...values: readonly (JsonValue | undefined)[]): boolean {
  return values.every((value) => value === undefined || (Number.isInteger(value) && (value as number) >= 0));
}

function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item: JsonValue) => typeof item === "string");
}

function isFormat(value: JsonValue | undefined): value is TextFormat {
  return value === "email" || value === "uri" || value === "date" || value === "date-time";
}
