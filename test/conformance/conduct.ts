/**
 * Runs the legs in each browser, says how they went, and writes `results/conformance.json`. What it imports needs the
 * packages of this folder, so they are brought before this file is read.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BROWSERS, type BrowserName } from "../browsers/find.ts";
import { ROOT } from "../tools/run.ts";
import { bundlePage } from "./join.ts";
import { LEGS, nameOf } from "./legs.ts";
import { openPlace, type Place } from "./place.ts";
import { addRun, type BrowserReport, emptyReport, problemsOf, SHIM_ONLY, summaryOf } from "./report.ts";
import { fixtureMachine } from "./stdio.ts";
import { suiteVersion } from "./suite.ts";

export interface Wanted {
  /** Names of browsers; all where absent. */
  readonly browser?: readonly string[];
  /** Roles, or legs by their whole names, such as `server/2026-07-28`. */
  readonly leg?: readonly string[];
  /** A folder for what the suite printed. */
  readonly log?: string;
}

/** Whether everything passed that must. */
export async function conduct(wanted: Wanted): Promise<boolean> {
  await bundlePage();
  const reports: Record<string, unknown> = {};
  const matrix: Record<string, unknown> = {};
  let problems = 0;
  for (const browser of BROWSERS.filter((one) => wanted.browser?.includes(one) ?? true)) {
    const { report, failed } = await runIn(browser, wanted);
    reports[browser] = { ...report.scores, unscored: report.unscored };
    matrix[browser] = report.matrix;
    problems += failed;
  }
  const results = { suite: suiteVersion(), ...reports, matrix };
  mkdirSync(join(ROOT, "results"), { recursive: true });
  writeFileSync(join(ROOT, "results", "conformance.json"), `${JSON.stringify(results, null, 2)}\n`);
  console.log(`Decided by the HTTP in front of the page, not by navra:\n   ${SHIM_ONLY.join("\n   ")}`);
  return problems === 0;
}

async function runIn(browser: BrowserName, wanted: Wanted): Promise<{ report: BrowserReport; failed: number }> {
  const machine = await fixtureMachine();
  try {
    const place = await openPlace(browser, machine);
    try {
      return await walk(place, browser, wanted);
    } finally {
      await place.close();
    }
  } finally {
    await machine.discard();
  }
}

async function walk(place: Place, browser: BrowserName, wanted: Wanted) {
  const report = emptyReport();
  let failed = 0;
  for (const leg of LEGS.filter((one) => wanted.leg?.some((w) => w === one.role || w === nameOf(one)) ?? true)) {
    const begun = performance.now();
    const run = await leg.run(place);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    addRun(report, leg, run);
    const problems = problemsOf(leg, run);
    failed += problems.length;
    console.log(`${browser} ${summaryOf(leg, run)}, ${seconds} s`);
    for (const problem of problems) console.log(`   ${problem}`);
    if (wanted.log !== undefined) keepLog(wanted.log, `${browser}-${nameOf(leg)}`, run.output);
  }
  return { report, failed };
}

function keepLog(folder: string, name: string, output: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name.replaceAll("/", "-")}.txt`), output);
}
