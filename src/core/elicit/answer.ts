/**
 * Whether an answer fits the form it is for. Pure, and asked twice: by the window while the person types, and by the
 * gateway before anything leaves. Only the gateway brings the engine for patterns, which is large; the window hears of a
 * pattern when the answer is sent.
 *
 * INVARIANT: what passes here, patterns tested, is accepted by the server's schema. Names that were not asked for never pass.
 */
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
  | "unasked"
  /** Flagged, and not confirmed. */
  | "secret";

export interface AnswerProblem {
  readonly name: string;
  readonly fault: AnswerFault;
}

/** Whether a text fits a pattern. */
export type PatternTest = (pattern: string, text: string) => boolean;

export function answerProblems(
  fields: readonly FormField[],
  content: JsonObject,
  fits: PatternTest = () => true,
): readonly AnswerProblem[] {
  const asked = new Set(fields.map(({ name }) => name));
  const unasked = Object.keys(content).filter((name) => !asked.has(name));
  return [
    ...fields.flatMap((field) => {
      const fault = faultOf(field, Object.hasOwn(content, field.name) ? content[field.name] : undefined, fits);
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
      return initial === undefined || faultOf(field, initial as JsonValue, () => true) !== undefined
        ? []
        : [[name, initial as JsonValue]];
    }),
  );
}

function faultOf(field: FormField, value: JsonValue | undefined, fits: PatternTest): AnswerFault | undefined {
  if (value === undefined) return field.required ? "missing" : undefined;
  switch (field.kind) {
    case "text":
      return typeof value === "string" ? textFault(field, value, fits) : "kind";
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

function textFault(
  { minLength = 0, maxLength, pattern, format }: TextField,
  text: string,
  fits: PatternTest,
): AnswerFault | undefined {
  const length = Array.from(text).length;
  if (length < minLength) return "short";
  if (maxLength !== undefined && length > maxLength) return "long";
  if (format !== undefined && !hasFormat(text, format)) return "format";
  return pattern === undefined || fits(pattern, text) ? undefined : "pattern";
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
