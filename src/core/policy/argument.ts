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
import { decodings } from "./readings.ts";
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
    const folded = steps.map(fold);
    return conditionTest(condition, quantifier, {
      surely: (args) => valueAt(args, steps),
      maybe: (args) => maybeAt(args, folded),
    });
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

/** What a lenient reader may find there: also in the items of a list, and under a name in another case. */
function maybeAt(value: JsonValue | undefined, folded: readonly string[]): JsonValue | undefined {
  let places: JsonValue[] = value === undefined ? [] : [value];
  for (const step of folded) {
    const next: JsonValue[] = [];
    for (const place of places) collect(place, step, next);
    places = next;
  }
  return places.length > 1 ? places : places[0];
}

function collect(place: JsonValue, step: string, found: JsonValue[]): void {
  if (Array.isArray(place)) {
    const item = valueAt(place, [step]);
    if (item !== undefined) found.push(item);
    else for (const one of place) collect(one, step, found);
  } else if (isObject(place)) {
    for (const name of Object.keys(place)) {
      const member = place[name];
      if (member !== undefined && (name === step || fold(name) === step)) found.push(member);
    }
  }
}

/** Some readers take a member whatever the case of its name. */
function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

/** How a rule that allows finds a value in the arguments, and how one that asks or denies does. */
type Finders = Readonly<Record<"surely" | "maybe", (args: JsonValue | undefined) => JsonValue | undefined>>;

function conditionTest(condition: ArgumentCondition, quantifier: Quantifier, find: Finders): ArgumentTest {
  const some = quantifier === "some";
  if ("not" in condition) {
    const inner = conditionTest(condition.not, some ? "every" : "some", find);
    return (args) => !inner(args);
  }
  if ("exists" in condition) {
    const { exists } = condition;
    const found = some === exists ? find.maybe : find.surely;
    return (args) => (found(args) !== undefined) === exists;
  }
  const test = valueTest(condition, some);
  const found = some ? find.maybe : find.surely;
  return (args) => test(found(args));
}

function valueTest(condition: ArgumentCondition, some: boolean): ArgumentTest {
  if ("equals" in condition) {
    const wanted = condition.equals;
    return some ? (value) => equalOrHolds(value, wanted) : (value) => equal(value, wanted);
  }
  if ("pattern" in condition) {
    const matches = patternTest(condition.pattern);
    return present(
      some
        ? (value) => someText(value, (text, exact) => !exact || decodings(text).some(matches))
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

/** Some text or number that is a value, at any depth: a number may be an address too. Names are no addresses and no paths. */
function someLeaf(test: (text: string) => boolean): (value: JsonValue) => boolean {
  const some = (value: JsonValue): boolean => {
    if (typeof value === "string") return test(value);
    if (typeof value === "number") return !isExact(value) || test(String(value));
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
  if (equal(value, wanted) || mayBeRead(value, wanted)) return true;
  if (Array.isArray(value)) return value.some((item: JsonValue) => equalOrHolds(item, wanted));
  return isObject(value) && Object.values(value).some((item) => equalOrHolds(item, wanted));
}

/** Whether a server that converts what it is given may read a value as the one wanted, such as `"5"` as 5. */
function mayBeRead(value: JsonValue | undefined, wanted: JsonValue): boolean {
  if (value === undefined || typeof value === "object" || typeof wanted === "object") return false;
  if (typeof wanted === "string") return decodings(String(value)).includes(wanted);
  const word = fold(String(value)).trim();
  return word !== "" && (word === String(wanted) || Number(word) === wanted);
}
