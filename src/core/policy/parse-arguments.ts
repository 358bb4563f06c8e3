/** Conditions on arguments: a JSON Pointer each, and exactly one test for the value there. @see RFC 6901 */
import type { JsonObject, JsonValue } from "../wire/json.ts";
import { didYouMean } from "./did-you-mean.ts";
import { isExact } from "./number-condition.ts";
import { folderComplaint } from "./path-condition.ts";
import { patternComplaint } from "./pattern.ts";
import type { ArgumentCondition, Net, PathShape, Range, UrlShape } from "./policy.ts";
import { below, type Complaint, quoted } from "./problem.ts";
import { isRecord, readList, refuseUnknown, type Site } from "./read.ts";
import { checkSchema } from "./schema-condition.ts";

const TESTS = ["equals", "pattern", "range", "schema", "url", "path", "exists", "not"] as const;
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
      remedy: `Use one of ${TESTS.join(", ")}; or write a second rule.`,
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
  if (test === "range") return wrap("range", readRange(operand, at));
  if (test === "url") return wrap("url", readUrlShape(operand, at));
  if (test === "path") return wrap("path", readPathShape(operand, at));
  if (test === "schema") return readSchema(operand, at);
  const complaint =
    typeof operand === "string"
      ? patternComplaint(operand)
      : { message: "A pattern is a text.", remedy: "Write it in quotes." };
  if (complaint) report(at.path, complaint);
  return complaint || typeof operand !== "string" ? undefined : { pattern: operand };
}

function wrap<Name extends "range" | "url" | "path", Value>(name: Name, value: Value | undefined) {
  return value === undefined ? undefined : ({ [name]: value } as { readonly [Key in Name]: Value } as never);
}

function readSchema(operand: unknown, site: Site): ArgumentCondition | undefined {
  const problems: Complaint[] = [];
  checkSchema(operand, {
    path: site.path,
    report: (path, complaint) => {
      problems.push(complaint);
      site.report(path, complaint);
    },
  });
  if (problems.length > 0 || !isPlainJson(operand, site, 0)) return undefined;
  if (isRecord(operand)) return { schema: operand as JsonObject };
  site.report(site.path, { message: "A schema is an object.", remedy: "Write the schema between { and }." });
  return undefined;
}

const BOUNDS = ["atLeast", "above", "atMost", "below"] as const;

function readRange(operand: unknown, site: Site): Range | undefined {
  const { path, report } = site;
  if (!isRecord(operand) || Object.keys(operand).length === 0) {
    report(path, { message: "“range” is empty or not an object.", remedy: `Use ${BOUNDS.join(", ")}.` });
    return undefined;
  }
  refuseUnknown(operand, BOUNDS, site);
  const bounds: Partial<Record<(typeof BOUNDS)[number], number>> = {};
  for (const bound of BOUNDS) {
    const value = operand[bound];
    if (value === undefined) continue;
    if (typeof value === "number" && isExact(value)) bounds[bound] = value;
    else
      report(below(path, bound), {
        message: "This is not a number that can be compared exactly.",
        remedy: "Write a smaller number, without quotes.",
      });
  }
  const { atLeast, above, atMost, below: under } = bounds;
  if ((atLeast !== undefined && above !== undefined) || (atMost !== undefined && under !== undefined)) {
    report(path, { message: "Two bounds on one side say one thing twice.", remedy: "Keep one of them." });
  }
  const low = atLeast ?? above;
  const high = atMost ?? under;
  const open = above !== undefined || under !== undefined;
  if (low !== undefined && high !== undefined && (low > high || (open && low === high))) {
    report(path, { message: "No number is in this range.", remedy: "Let the lower bound be below the upper." });
  }
  return bounds;
}

const NETS = ["loopback", "private", "metadata", "public"] as const satisfies readonly Net[];

function readUrlShape(operand: unknown, site: Site): UrlShape | undefined {
  const { path, report } = site;
  if (!isRecord(operand) || Object.keys(operand).length === 0) {
    report(path, { message: "“url” is empty or not an object.", remedy: "Use scheme, host, net." });
    return undefined;
  }
  refuseUnknown(operand, ["scheme", "host", "net"], site);
  const list = (key: string, check: (text: string) => Complaint | undefined) =>
    operand[key] === undefined ? undefined : readList(operand[key], { path: below(path, key), report, check });
  const scheme = list("scheme", (text) =>
    /^[a-z][a-z0-9+.-]*$/.test(text)
      ? undefined
      : { message: `${quoted(text)} is not a scheme.`, remedy: "Write https, without colon, in small letters." },
  );
  const host = list("host", hostComplaint);
  const net = list("net", (text) =>
    (NETS as readonly string[]).includes(text)
      ? undefined
      : { message: `${quoted(text)} is not a kind of network.`, remedy: didYouMean(text, NETS) },
  ) as readonly Net[] | undefined;
  return { ...(scheme && { scheme }), ...(host && { host }), ...(net && { net }) };
}

/** A host must be written as the URL parser does, else it would never match. */
function hostComplaint(text: string): Complaint | undefined {
  const bare = text.startsWith("*.") ? text.slice(2) : text;
  if (bare === "" || /[*/@:]/.test(bare.replace(/^\[[0-9a-f:]*\]$/, "")) || !URL.canParse(`http://${bare}/`)) {
    return {
      message: `${quoted(text)} is not a host.`,
      remedy: "Write example.org, or *.example.org for all below it.",
    };
  }
  const { hostname } = new URL(`http://${bare}/`);
  const plain = hostname.replace(/\.$/, "");
  return plain === bare
    ? undefined
    : {
        message: `${quoted(text)} is spelled differently in an address.`,
        remedy: `Write ${text === bare ? plain : `*.${plain}`}.`,
      };
}

function readPathShape(operand: unknown, site: Site): PathShape | undefined {
  const { path, report } = site;
  if (!isRecord(operand)) {
    report(path, { message: "“path” is not an object.", remedy: 'Write {"inside": ["/home/me/notes"]}.' });
    return undefined;
  }
  refuseUnknown(operand, ["inside"], site);
  const inside =
    operand.inside === undefined
      ? undefined
      : readList(operand.inside, { path: below(path, "inside"), report, check: folderComplaint });
  if (operand.inside === undefined) report(path, { message: "The folder is missing.", remedy: "Add “inside”." });
  return inside && { inside };
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
