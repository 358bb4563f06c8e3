/**
 * From the clauses of a rule to one test of the facts, made once. Cheap clauses go first, patterns last. A fact that is
 * missing counts as nothing known (no findings, clean labels, no argument, no past), except a tool's class, which counts as
 * the strictest: nobody has shown that the tool does less.
 */
import { CLEAN, CONFIDENTIALITY } from "../flow/labels.ts";
import { argumentsTest } from "./argument.ts";
import { endOfDay } from "./calendar.ts";
import { timeTest } from "./clock-clause.ts";
import { globTest, isLiteral } from "./glob.ts";
import { isExactOrigin, originTest } from "./origin.ts";
import type { Annotations, Facts, LabelsClause, Rule, SizeClause, When } from "./policy.ts";
import { uriTest } from "./uri-clause.ts";
import { afterTest, inARowTest, rateTest, refusalsTest } from "./usage-clauses.ts";

export type FactsTest = (facts: Facts) => boolean;
export type ClauseName = keyof When | "expires";

export interface ClauseTest {
  readonly clause: ClauseName;
  /** May throw: then the rule denies. */
  readonly test: FactsTest;
}

/** Whether a rule holds for these facts. The test may throw: then the rule denies. */
export function ruleTest(rule: Rule): FactsTest {
  const tests = clauseTests(rule).map(({ test }) => test);
  const [first, second] = tests;
  if (!first) return () => true;
  if (!second) return first;
  if (tests.length === 2) return (facts) => first(facts) && second(facts);
  return (facts) => {
    for (const test of tests) if (!test(facts)) return false;
    return true;
  };
}

/** One test for each clause of a rule, in the order in which they are tried. */
export function clauseTests(rule: Rule): readonly ClauseTest[] {
  const { when, expires } = rule;
  const widens = rule.verdict === "allow";
  const tests: ClauseTest[] = [];
  if (expires !== undefined) tests.push({ clause: "expires", test: expiryTest(expires) });
  for (const clause of ORDER) {
    const value = when[clause];
    if (value !== undefined) tests.push({ clause, test: safely(() => MAKERS[clause](value as never, widens)) });
  }
  return tests;
}

type Maker<Clause extends keyof When> = (value: NonNullable<When[Clause]>, widens: boolean) => FactsTest;

const MAKERS: { readonly [Clause in keyof When]-?: Maker<Clause> } = {
  server: (ids) => one(ids, (facts) => facts.serverId),
  tool: (names) => globs(names, (facts) => facts.tool),
  prompt: (names) => globs(names, (facts) => facts.prompt),
  method: (names) => globs(names, (facts) => facts.method),
  origin: (list) => origins(list, (facts) => facts.origin),
  topSite: (list) => origins(list, (facts) => facts.topSite),
  frame: (kind) => (facts) => (facts.origin === facts.topSite) === (kind === "top"),
  private: (wanted) => (facts) => facts.private === wanted,
  direction: (wanted) => (facts) => facts.direction === wanted,
  era: (wanted) => (facts) => facts.era === wanted,
  class: (classes) => one(classes, (facts) => facts.class ?? (facts.tool === undefined ? undefined : "external")),
  pin: (states) => one(states, (facts) => facts.pin),
  annotations: annotationsTest,
  labels: labelsTest,
  findings: findingsTest,
  size: sizeTest,
  time: timeTest,
  uri: (list, widens) => uriTest(list, widens),
  inARow: inARowTest,
  refusals: refusalsTest,
  rate: rateTest,
  after: afterTest,
  args: (args, widens) => {
    const test = argumentsTest(args, widens ? "every" : "some");
    return (facts) => test(facts.args);
  },
};

const ORDER = Object.keys(MAKERS) as readonly (keyof When)[];

/** A clause that cannot be read fails when it is tried, so that the rule errs and denies. */
function safely(make: () => FactsTest): FactsTest {
  try {
    return make();
  } catch {
    return unreadable;
  }
}

function expiryTest(expires: string): FactsTest {
  const end = endOfDay(expires);
  if (end === undefined) return unreadable;
  return (facts) => facts.now + (facts.utcOffsetMinutes ?? 0) * 60_000 < end;
}

function one(values: readonly string[], read: (facts: Facts) => string | undefined): FactsTest {
  const [only] = values;
  if (values.length === 1) return (facts) => read(facts) === only;
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

function annotationsTest(wanted: Annotations): FactsTest {
  const hints = Object.entries(wanted) as [keyof Annotations, boolean][];
  return ({ tool, annotations }) =>
    tool !== undefined && hints.every(([hint, value]) => (annotations?.[hint] ?? HINT_DEFAULTS[hint]) === value);
}

/** @see MCP 2025-11-25 · Schema reference · ToolAnnotations */
const HINT_DEFAULTS: Readonly<Record<keyof Annotations, boolean>> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** Confidentiality reads “at least” where a match tightens and “at most” where it widens. */
function labelsTest({ integrity, confidentiality, sources }: LabelsClause, widens: boolean): FactsTest {
  const level = confidentiality === undefined ? undefined : CONFIDENTIALITY.indexOf(confidentiality);
  return (facts) => {
    const labels = facts.labels ?? CLEAN;
    if (integrity !== undefined && labels.integrity !== integrity) return false;
    if (sources === "other" && !labels.sources.some((source) => source !== facts.serverId)) return false;
    if (Array.isArray(sources) && !labels.sources.some((source) => sources.includes(source))) return false;
    if (level === undefined) return true;
    const actual = CONFIDENTIALITY.indexOf(labels.confidentiality);
    return widens ? actual <= level : actual >= level;
  };
}

function findingsTest(wanted: readonly string[]): FactsTest {
  const names = new Set(wanted);
  return (facts) => facts.findings?.some((finding) => names.has(finding.kind) || names.has(finding.type)) ?? false;
}

function sizeTest({ over, under }: SizeClause): FactsTest {
  return ({ bytes }) => (over === undefined || bytes > over) && (under === undefined || bytes < under);
}

function unreadable(): never {
  throw new Error("A clause of this rule cannot be read.");
}
