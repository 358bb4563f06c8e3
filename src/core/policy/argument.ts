/**
 * Tests on argument values. Where a match tightens (ask, deny), one matching text anywhere inside the value is enough;
 * where it widens (allow), every text inside must match. So wrapping an address in a list, or adding a second one, never
 * slips past a rule. `not` swaps the two readings, which is what negation does to "some" and "every".
 *
 * @see RFC 6901 · 4 Evaluation
 */

import { isObject, type JsonValue } from "../wire/json.ts";
import { equal } from "./equal.ts";
import { isExact, maybeInRange, surelyInRange } from "./number-condition.ts";
import { maybeInside, surelyInside } from "./path-condition.ts";
import { patternTest } from "./pattern.ts";
import type { ArgumentCondition } from "./policy.ts";
import { maybeFits, surelyFits } from "./schema-condition.ts";
import { maybeUrl, surelyUrl } from "./url-condition.ts";

type Quantifier = "some" | "every";
type ArgumentTest = (args: JsonValue | undefined) => boolean;

/** A test of all pointers of an `args` clause. Throws where a pattern cannot be compiled. */
export function argumentsTest(
  conditions: Readonly<Record<string, ArgumentCondition>>,
  quantifier: Quantifier,
): ArgumentTest {
  const tests = Object.entries(conditions).map(([pointer, condition]) => {
    const steps = pointerSteps(pointer);
    const test = conditionTest(condition, quantifier);
    return (args: JsonValue | undefined) => test(valueAt(args, steps));
  });
  return (args) => tests.every((test) => test(args));
}

function pointerSteps(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Own members only: a pointer never reaches a prototype. */
function valueAt(value: JsonValue | undefined, steps: readonly string[]): JsonValue | undefined {
  let at = value;
  for (const step of steps) {
    if (Array.isArray(at)) at = /^(0|[1-9][0-9]*)$/.test(step) ? at[Number(step)] : undefined;
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[step];
    else return undefined;
  }
  return at;
}

function conditionTest(condition: ArgumentCondition, quantifier: Quantifier): ArgumentTest {
  const some = quantifier === "some";
  if ("not" in condition) {
    const inner = conditionTest(condition.not, some ? "every" : "some");
    return (value) => !inner(value);
  }
  if ("exists" in condition) return (value) => (value !== undefined) === condition.exists;
  if ("equals" in condition) {
    const wanted = condition.equals;
    return some ? (value) => equalOrHolds(value, wanted) : (value) => equal(value, wanted);
  }
  if ("pattern" in condition) {
    const matches = patternTest(condition.pattern);
    return present(
      some
        ? (value) => someText(value, (text, exact) => !exact || matches(text))
        : (value) => hasText(value) && !someText(value, (text, exact) => !exact || !matches(text)),
    );
  }
  if ("range" in condition) return present(some ? maybeInRange(condition.range) : surelyInRange(condition.range));
  if ("schema" in condition) return present(some ? maybeFits(condition.schema) : surelyFits(condition.schema));
  if ("url" in condition)
    return present(some ? someLeaf(maybeUrl(condition.url)) : everyLeaf(surelyUrl(condition.url)));
  if ("path" in condition) {
    return present(some ? someLeaf(maybeInside(condition.path)) : everyLeaf(surelyInside(condition.path)));
  }
  throw new Error("A condition of this rule cannot be read.");
}

function present(test: (value: JsonValue) => boolean): ArgumentTest {
  return (value) => value !== undefined && test(value);
}

/** Some text or number that is a value, at any depth. Names are no addresses and no paths. */
function someLeaf(test: (text: string) => boolean): (value: JsonValue) => boolean {
  const some = (value: JsonValue): boolean => {
    if (typeof value === "string") return test(value);
    if (Array.isArray(value)) return value.some((item: JsonValue) => some(item));
    return isObject(value) && Object.values(value).some(some);
  };
  return some;
}

/** A text, or a list of nothing but texts, all of which pass. */
function everyLeaf(test: (text: string) => boolean): (value: JsonValue) => boolean {
  return (value) => {
    if (typeof value === "string") return test(value);
    return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string" && test(item));
  };
}

type TextTest = (text: string, exact: boolean) => boolean;

/**
 * Every text inside a value: strings, member names, and the spelling of numbers, booleans and null. A number that lost
 * digits when it was read is no longer the text that was sent, and so is not exact.
 */
function someText(value: JsonValue, test: TextTest): boolean {
  if (typeof value === "string") return test(value, true);
  if (typeof value === "number") return test(String(value), isExact(value));
  if (Array.isArray(value)) return value.some((item) => someText(item, test));
  if (!isObject(value)) return test(String(value), true);
  for (const name of Object.keys(value)) {
    const inside = value[name];
    if (test(name, true) || (inside !== undefined && someText(inside, test))) return true;
  }
  return false;
}

function hasText(value: JsonValue): boolean {
  return someText(value, () => true);
}

function equalOrHolds(value: JsonValue | undefined, wanted: JsonValue): boolean {
  return equal(value, wanted) || (Array.isArray(value) && value.some((item: JsonValue) => equalOrHolds(item, wanted)));
}
