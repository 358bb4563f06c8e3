/** Conditions on arguments: a JSON Pointer each, and exactly one test for the value there. @see RFC 6901 */
import type { JsonValue } from "../wire/json.ts";
import { patternComplaint } from "./pattern.ts";
import type { ArgumentCondition } from "./policy.ts";
import { below, quoted } from "./problem.ts";
import { isRecord, refuseUnknown, type Site } from "./read.ts";

const TESTS = ["equals", "pattern", "exists", "not"] as const;
const MOST_POINTERS = 50;
const DEEPEST = 16;

export function parseArguments(value: unknown, site: Site): Readonly<Record<string, ArgumentCondition>> | undefined {
  const { path, report } = site;
  const entries = isRecord(value) ? Object.entries(value) : [];
  if (entries.length === 0 || entries.length > MOST_POINTERS) {
    report(path, {
      message: "“args” is empty, too long, or not an object.",
      remedy: 'Write pointers and tests, for example {"/to": {"pattern": "@example\\\\.org$"}}.',
    });
    return undefined;
  }
  const conditions: [string, ArgumentCondition][] = [];
  for (const [pointer, test] of entries) {
    const at = below(path, pointer);
    if (!/^(\/([^/~]|~[01])*)*$/.test(pointer)) {
      report(at, {
        message: `${quoted(pointer)} is not a JSON Pointer.`,
        remedy: "Begin with /, for example /to or /items/0/name.",
      });
    }
    const condition = readCondition(test, { path: at, report }, 0);
    if (condition) conditions.push([pointer, condition]);
  }
  return conditions.length === entries.length ? Object.fromEntries(conditions) : undefined;
}

function readCondition(value: unknown, site: Site, depth: number): ArgumentCondition | undefined {
  const { path, report } = site;
  if (isRecord(value)) refuseUnknown(value, TESTS, site);
  const present = isRecord(value) ? TESTS.filter((test) => Object.hasOwn(value, test)) : [];
  const [test] = present;
  if (!isRecord(value) || test === undefined || present.length > 1) {
    report(path, {
      message: "A condition is exactly one test.",
      remedy: "Use one of equals, pattern, exists, not; or write a second rule.",
    });
    return undefined;
  }
  const operand = value[test];
  const at = { path: below(path, test), report };
  if (test === "equals") return isPlainJson(operand, at, 0) ? { equals: operand } : undefined;
  if (test === "not") return readNot(operand, at, depth);
  if (test === "exists") {
    if (typeof operand === "boolean") return { exists: operand };
    report(at.path, { message: "“exists” is true or false.", remedy: "Write true or false, without quotes." });
    return undefined;
  }
  const complaint =
    typeof operand === "string"
      ? patternComplaint(operand)
      : { message: "A pattern is a text.", remedy: "Write it in quotes." };
  if (complaint) report(at.path, complaint);
  return complaint || typeof operand !== "string" ? undefined : { pattern: operand };
}

function readNot(operand: unknown, site: Site, depth: number): ArgumentCondition | undefined {
  if (depth >= 1) {
    site.report(site.path, { message: "A “not” inside a “not” says nothing new.", remedy: "Take both out." });
    return undefined;
  }
  const inner = readCondition(operand, site, depth + 1);
  return inner && { not: inner };
}

/** Numbers that lose digits when read would equal a number nobody wrote. */
function isPlainJson(value: unknown, site: Site, depth: number): value is JsonValue {
  const refuse = (message: string, remedy: string): false => {
    site.report(site.path, { message, remedy });
    return false;
  };
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") {
    const exact = Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    return exact || refuse("The number is too large to compare exactly.", "Use a pattern, or a smaller number.");
  }
  if (typeof value !== "object") return refuse("There is nothing to compare with.", "Write a JSON value.");
  if (depth >= DEEPEST) return refuse("The value is nested too deeply.", "Point deeper and compare a smaller value.");
  const inside: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inside.every((item) => isPlainJson(item, site, depth + 1));
}
