/**
 * Whether an answer fits the form it is for. Pure, and asked twice: by the window while the person types, and by the
 * gateway before anything leaves.
 *
 * INVARIANT: what passes here is accepted by the server's schema. Names that were not asked for never pass.
 */
import { patternTest } from "../policy/pattern.ts";
import type { JsonObject, JsonValue } from "../wire/json.ts";
import type { FormField, ManyField, NumberField, TextField } from "./form.ts";
import { hasFormat } from "./formats.ts";

export type AnswerFault =
  | "missing"
  /** Not the kind of value that was asked for. */
  | "kind"
  | "short"
  | "long"
  | "pattern"
  | "format"
  | "low"
  | "high"
  | "step"
  | "option"
  | "few"
  | "many"
  | "unasked";

export interface AnswerProblem {
  readonly name: string;
  readonly fault: AnswerFault;
}

export function answerProblems(fields: readonly FormField[], content: JsonObject): readonly AnswerProblem[] {
  const asked = new Set(fields.map(({ name }) => name));
  const unasked = Object.keys(content).filter((name) => !asked.has(name));
  return [
    ...fields.flatMap((field) => {
      const fault = faultOf(field, Object.hasOwn(content, field.name) ? content[field.name] : undefined);
      return fault === undefined ? [] : [{ name: field.name, fault }];
    }),
    ...unasked.map((name) => ({ name, fault: "unasked" as const })),
  ];
}

/** The server's defaults, those of them that fit. */
export function initialAnswer(fields: readonly FormField[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field): [string, JsonValue][] => {
      const { name, initial } = field;
      return initial === undefined || faultOf(field, initial as JsonValue) !== undefined
        ? []
        : [[name, initial as JsonValue]];
    }),
  );
}

function faultOf(field: FormField, value: JsonValue | undefined): AnswerFault | undefined {
  if (value === undefined) return field.required ? "missing" : undefined;
  switch (field.kind) {
    case "text":
      return typeof value === "string" ? textFault(field, value) : "kind";
    case "number":
      return typeof value === "number" ? numberFault(field, value) : "kind";
    case "yes-no":
      return typeof value === "boolean" ? undefined : "kind";
    case "one":
      if (typeof value !== "string") return "kind";
      return field.options.some((option) => option.value === value) ? undefined : "option";
    case "many":
      return manyFault(field, value);
  }
}

function textFault({ minLength = 0, maxLength, pattern, format }: TextField, text: string): AnswerFault | undefined {
  const length = Array.from(text).length;
  if (length < minLength) return "short";
  if (maxLength !== undefined && length > maxLength) return "long";
  if (format !== undefined && !hasFormat(text, format)) return "format";
  return pattern === undefined || patternTest(pattern)(text) ? undefined : "pattern";
}

function numberFault(
  { whole, minimum, maximum, above, below, step }: NumberField,
  value: number,
): AnswerFault | undefined {
  // A number beyond what every reader agrees on would arrive as another one.
  if (!Number.isFinite(value) || (whole && !Number.isSafeInteger(value))) return "kind";
  if ((minimum !== undefined && value < minimum) || (above !== undefined && value <= above)) return "low";
  if ((maximum !== undefined && value > maximum) || (below !== undefined && value >= below)) return "high";
  return step === undefined || value % step === 0 ? undefined : "step";
}

function manyFault({ options, minItems = 0, maxItems }: ManyField, value: JsonValue): AnswerFault | undefined {
  if (!Array.isArray(value) || new Set(value).size !== value.length) return "kind";
  if (value.some((item: JsonValue) => !options.some((option) => option.value === item))) return "option";
  if (value.length < minItems) return "few";
  return maxItems !== undefined && value.length > maxItems ? "many" : undefined;
}
