/**
 * What stands in the boxes of a form, as an answer. Boxes hold text; an empty box is no answer. Pure.
 *
 * @see MCP 2025-11-25 · Elicitation · Requested schema
 */
import { initialAnswer } from "../../core/elicit/answer.ts";
import { ABOVE, type AskedSecrets } from "../../core/elicit/flagged.ts";
import type { FormField } from "../../core/elicit/form.ts";
import type { JsonObject, JsonValue } from "../../core/wire/json.ts";

/** By field name: the text of a box, or the values that are ticked. */
export type Boxes = Readonly<Record<string, string | readonly string[]>>;

export const YES = "yes";
export const NO = "no";

export function initialBoxes(fields: readonly FormField[]): Boxes {
  const content = initialAnswer(fields);
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      boxOf(field, Object.hasOwn(content, field.name) ? content[field.name] : undefined),
    ]),
  );
}

/** `confirmed` are the flagged fields that the person chose to answer; the others are left out, whatever is in them. */
export function contentOf(
  fields: readonly FormField[],
  boxes: Boxes,
  { secrets, confirmed }: { readonly secrets: AskedSecrets; readonly confirmed: readonly string[] },
): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field): [string, JsonValue][] => {
      const { name } = field;
      if (Object.hasOwn(secrets, name) && name !== ABOVE && !confirmed.includes(name)) return [];
      const value = valueIn(field, Object.hasOwn(boxes, name) ? (boxes[name] ?? "") : "");
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A moment as the browser's own picker writes it, in local time. */
export function localMoment(text: string): string {
  const at = new Date(text);
  if (text === "" || Number.isNaN(at.getTime())) return "";
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** What the picker says, as it is sent. */
export function sentMoment(local: string): string {
  const at = new Date(local);
  return local === "" || Number.isNaN(at.getTime()) ? "" : at.toISOString();
}

function boxOf(field: FormField, value: JsonValue | undefined): string | readonly string[] {
  if (field.kind === "many") return Array.isArray(value) ? (value as readonly string[]) : [];
  if (typeof value === "boolean") return value ? YES : NO;
  return value === undefined ? "" : String(value);
}

function valueIn(field: FormField, box: string | readonly string[]): JsonValue | undefined {
  if (typeof box !== "string") return box.length === 0 && !field.required ? undefined : box;
  if (box === "") return undefined;
  if (field.kind === "yes-no") return box === YES;
  if (field.kind !== "number") return box;
  // What is no number is passed on as it is, to be found at fault.
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(box.trim()) ? Number(box) : box;
}
