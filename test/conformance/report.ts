/** What a run of the suite comes to: scores, what stands in the results file, and whether the run fails. */
import { type Leg, nameOf } from "./legs.ts";
import type { Failure, ScenarioResult, SuiteRun } from "./suite.ts";

export interface Score {
  readonly passed: number;
  readonly failed: number;
  readonly total: number;
  readonly failures: readonly { readonly scenario: string; readonly check: string; readonly why?: string }[];
}

export interface BrowserReport {
  readonly scores: Record<string, Score>;
  readonly unscored: Record<string, Score>;
  /** By wire and era behind navra; what fails across the eras says why. */
  readonly matrix: Record<string, Score>;
}

/** Scenarios, or their checks, that test the HTTP in front of the page and not navra; README.md says why. */
export const SHIM_ONLY = [
  "dns-rebinding-protection",
  "server-sse-polling",
  "server-session-lifecycle",
  "http-header-validation",
  "http-custom-header-server-validation",
  "tasks-request-headers · tasks-headers-reject-mismatched-method",
  "tasks-request-headers · sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get",
  "server-stateless · sep-2575-request-meta-invalid-missing-meta",
  "server-stateless · sep-2575-request-meta-invalid-missing-protocol-version",
  "server-stateless · sep-2575-http-server-header-mismatch-400",
  "server-stateless · the HTTP status of every other check",
];

/** Why a scenario cannot pass across the eras, or does not yet, by cell and scenario. */
const WHY: Readonly<Record<string, string>> = {
  "2026-07-28/legacy server-stateless":
    "A server of a session asks only for what was declared when it was opened. The fixture therefore fails in words and never says that it lacks a capability.",
  "2026-07-28/legacy input-required-result-basic-elicitation":
    "The suite looks for the key that its fixture gives the question. A request in a session has no key, so navra gives it one.",
};

/** navra cannot sign in to servers yet. They count as failed; a required one that passes must be taken out of here. */
const NOT_YET = /^auth\//;

export function emptyReport(): BrowserReport {
  return { scores: {}, unscored: {}, matrix: {} };
}

export function addRun(report: BrowserReport, leg: Leg, { required, unscored }: SuiteRun): void {
  const score = scoreOf(required);
  const cell = `${leg.wire}/${leg.era}`;
  if (leg.era !== undefined && leg.role !== "stdio")
    report.matrix[cell] = { ...score, failures: score.failures.map(explainedIn(cell)) };
  if (leg.role === "matrix") return;
  report.scores[nameOf(leg)] = score;
  report.unscored[nameOf(leg)] = scoreOf(unscored);
}

/**
 * Sentences about what must not be; empty when the run is good. Scenarios that are not scored must pass too, where they are
 * not about signing in. A cell of the matrix may fail, but never without a reason that still holds.
 */
export function problemsOf(leg: Leg, { required, unscored }: SuiteRun): readonly string[] {
  if (leg.role === "matrix") return unexplained(leg, required);
  const passesByNow = required.filter(({ scenario, passed }) => passed && NOT_YET.test(scenario));
  return [
    ...[...required, ...unscored].flatMap((one) => (NOT_YET.test(one.scenario) ? [] : one.failures.map(lineOf))),
    ...passesByNow.map(({ scenario }) => `${scenario} passes, and stands in the list of those that cannot yet.`),
  ];
}

function unexplained({ wire, era }: Leg, required: readonly ScenarioResult[]): readonly string[] {
  const cell = `${wire}/${era}`;
  return required.flatMap(({ scenario, passed, failures }) => {
    const explained = WHY[`${cell} ${scenario}`] !== undefined;
    if (passed) return explained ? [`${scenario} passes, and has a reason why it cannot. Take it out.`] : [];
    return explained ? [] : failures.map(lineOf);
  });
}

export function summaryOf(leg: Leg, { required }: SuiteRun): string {
  const { passed, total } = scoreOf(required);
  const others = required.filter(({ scenario }) => !NOT_YET.test(scenario));
  const without = others.length < total ? ` (${scoreOf(others).passed} of ${others.length} without sign-in)` : "";
  return `${nameOf(leg)}: ${passed} of ${total} required scenarios pass${without}`;
}

function lineOf({ scenario, check, message }: Failure): string {
  return `${scenario} · ${check}: ${message}`;
}

function explainedIn(cell: string): (failure: Score["failures"][number]) => Score["failures"][number] {
  return (failure) => {
    const why = WHY[`${cell} ${failure.scenario}`];
    return why === undefined ? failure : { ...failure, why };
  };
}

function scoreOf(results: readonly ScenarioResult[]): Score {
  const passed = results.filter((one) => one.passed).length;
  return {
    passed,
    failed: results.length - passed,
    total: results.length,
    failures: results.flatMap(({ failures }) => failures.map(({ scenario, check }) => ({ scenario, check }))),
  };
}
