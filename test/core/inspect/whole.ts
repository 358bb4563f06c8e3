/** Masks a text to its end, as a record does with its beginning. */
import { inspect } from "../../../src/core/inspect/inspect.ts";
import { knownValues } from "../../../src/core/inspect/known.ts";
import { maskStart } from "../../../src/core/inspect/mask.ts";
import type { JsonValue } from "../../../src/core/wire/json.ts";

export function maskAll(text: string, value: JsonValue): string {
  return maskStart(text, knownValues(value, inspect(value)), Number.POSITIVE_INFINITY);
}
