/**
 * Tests on argument values. Where a match tightens (ask, deny), one matching text anywhere inside the value is enough;
 * where it widens (allow), every text inside must match. So wrapping an address in a list, or adding a second one, never
 * slips past a rule. `not` swaps the two readings, which is what negation does to "some" and "every".
 *
 * @see RFC 6901 · 4 Evaluation
 */
import { isObject, type JsonValue } from "../wire/json.ts";
import { patternTest } from "./pattern.ts";
import type { ArgumentCondition } from "./policy.ts";

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
  if ("not" in condition) {
    const inner = conditionTest(condition.not, quantifier === "some" ? "every" : "some");
    return (value) => !inner(value);
  }
  if ("exists" in condition) return (value) => (value !== undefined) === condition.exists;
  if ("equals" in condition) {
    const wanted = condition.equals;
    return quantifier === "every" ? (value) => equal(value, wanted) : (value) => equalOrHolds(value, wanted);
  }
  const matches = patternTest(condition.pattern);
  return quantifier === "some"
    ? (value) => value !== undefined && someText(value, matches)
    : (value) => value !== undefined && hasText(value) && !someText(value, (text) => !matches(text));
}

/** Every text inside a value: strings, member names, and the spelling of numbers, booleans and null. */
function someText(value: JsonValue, test: (text: string) => boolean): boolean {
  if (typeof value === "string") return test(value);
  if (Array.isArray(value)) return value.some((item) => someText(item, test));
  if (!isObject(value)) return test(String(value));
  for (const name of Object.keys(value)) {
    const inside = value[name];
    if (test(name) || (inside !== undefined && someText(inside, test))) return true;
  }
  return false;
}

function hasText(value: JsonValue): boolean {
  return someText(value, () => true);
}

function equalOrHolds(value: JsonValue | undefined, wanted: JsonValue): boolean {
  return equal(value, wanted) || (Array.isArray(value) && value.some((item: JsonValue) => equalOrHolds(item, wanted)));
}

function equal(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item: JsonValue, index) => equal(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]))
  );
}
