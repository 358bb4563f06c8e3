/**
 * From the clauses of a rule to one test of the facts, made once. Cheap clauses go first, patterns last. A fact that is
 * missing counts as nothing known (no findings, clean labels, no argument), except a tool's class, which counts as the
 * strictest: nobody has shown that the tool does less.
 */
import { CLEAN, CONFIDENTIALITY } from "../flow/labels.ts";
import { argumentsTest } from "./argument.ts";
import { endOfDay } from "./calendar.ts";
import { globTest, isLiteral } from "./glob.ts";
import { isExactOrigin, originTest } from "./origin.ts";
import type { Facts, Rule, When } from "./policy.ts";

export type FactsTest = (facts: Facts) => boolean;

/** Whether a rule holds for these facts. The test may throw: then the rule denies. */
export function ruleTest(rule: Rule): FactsTest {
  const { when } = rule;
  const widens = rule.verdict === "allow";
  const tests: FactsTest[] = [];
  if (rule.expires !== undefined) tests.push(expiryTest(rule.expires));
  if (when.server) tests.push(one(when.server, (facts) => facts.serverId));
  if (when.tool) tests.push(globs(when.tool, (facts) => facts.tool));
  if (when.method) tests.push(globs(when.method, (facts) => facts.method));
  if (when.origin) tests.push(origins(when.origin, (facts) => facts.origin));
  if (when.topSite) tests.push(origins(when.topSite, (facts) => facts.topSite));
  if (when.class)
    tests.push(one(when.class, (facts) => facts.class ?? (facts.tool === undefined ? undefined : "external")));
  if (when.labels) tests.push(labelsTest(when.labels, widens));
  if (when.findings) tests.push(findingsTest(when.findings));
  if (when.args) tests.push(argsTest(when.args, widens));
  return (facts) => {
    for (const test of tests) if (!test(facts)) return false;
    return true;
  };
}

function expiryTest(expires: string): FactsTest {
  const end = endOfDay(expires);
  if (end === undefined) return unreadable;
  return (facts) => facts.now + (facts.utcOffsetMinutes ?? 0) * 60_000 < end;
}

function one(values: readonly string[], read: (facts: Facts) => string | undefined): FactsTest {
  const wanted: ReadonlySet<string | undefined> = new Set(values);
  return (facts) => wanted.has(read(facts));
}

function globs(patterns: readonly string[], read: (facts: Facts) => string | undefined): FactsTest {
  if (patterns.every(isLiteral)) return one(patterns, read);
  const tests = patterns.map(globTest);
  return (facts) => {
    const name = read(facts);
    return name !== undefined && tests.some((test) => test(name));
  };
}

function origins(patterns: readonly string[], read: (facts: Facts) => string): FactsTest {
  if (patterns.every(isExactOrigin)) return one(patterns, read);
  const tests = patterns.map(originTest);
  return (facts) => {
    const origin = read(facts);
    return tests.some((test) => test(origin));
  };
}

/** Confidentiality reads “at least” where a match tightens and “at most” where it widens. */
function labelsTest(wanted: NonNullable<When["labels"]>, widens: boolean): FactsTest {
  const level = wanted.confidentiality === undefined ? undefined : CONFIDENTIALITY.indexOf(wanted.confidentiality);
  return (facts) => {
    const labels = facts.labels ?? CLEAN;
    if (wanted.integrity !== undefined && labels.integrity !== wanted.integrity) return false;
    if (level === undefined) return true;
    const actual = CONFIDENTIALITY.indexOf(labels.confidentiality);
    return widens ? actual <= level : actual >= level;
  };
}

function findingsTest(wanted: readonly string[]): FactsTest {
  const names = new Set(wanted);
  return (facts) => facts.findings?.some((finding) => names.has(finding.kind) || names.has(finding.type)) ?? false;
}

function argsTest(args: NonNullable<When["args"]>, widens: boolean): FactsTest {
  try {
    const test = argumentsTest(args, widens ? "every" : "some");
    return (facts) => test(facts.args);
  } catch {
    return unreadable;
  }
}

function unreadable(): never {
  throw new Error("A clause of this rule cannot be read.");
}
