/**
 * `npm run conformance`: the official suite against the built extension in real browsers, in both roles and both wires.
 * Writes `results/conformance.json` and exits with 1 when a required scenario failed. `--browser` and `--leg` narrow it
 * down, `--log` names a folder for what the suite printed.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BROWSERS, type BrowserName } from "../browsers/find.ts";
import { installFolder } from "../servers/install.ts";
import { ROOT } from "../tools/run.ts";
import { bundlePage } from "./join.ts";
import { LEGS, nameOf } from "./legs.ts";
import { openPlace } from "./place.ts";
import { addRun, type BrowserReport, emptyReport, lineOf, problemsOf, SHIM_ONLY, summaryOf } from "./report.ts";
import { fixtureMachine } from "./stdio.ts";
import { suiteVersion } from "./suite.ts";

const { values } = parseArgs({
  options: {
    browser: { type: "string", multiple: true },
    /** A role, or one leg by its whole name, such as `server/2026-07-28`. */
    leg: { type: "string", multiple: true },
    log: { type: "string" },
  },
});

process.exit(await main());

async function main(): Promise<number> {
  installFolder("conformance");
  await bundlePage();
  const reports: Record<string, unknown> = {};
  const matrix: Record<string, unknown> = {};
  let problems = 0;
  for (const browser of BROWSERS.filter((one) => values.browser?.includes(one) ?? true)) {
    const { report, failed } = await runIn(browser);
    reports[browser] = { ...report.scores, unscored: report.unscored };
    matrix[browser] = report.matrix;
    problems += failed;
  }
  const results = { suite: suiteVersion(), ...reports, matrix, shim: SHIM_ONLY };
  mkdirSync(join(ROOT, "results"), { recursive: true });
  writeFileSync(join(ROOT, "results", "conformance.json"), `${JSON.stringify(results, null, 2)}\n`);
  return problems > 0 ? 1 : 0;
}

async function runIn(browser: BrowserName): Promise<{ report: BrowserReport; failed: number }> {
  const report = emptyReport();
  let failed = 0;
  const machine = await fixtureMachine();
  const place = await openPlace(browser, machine);
  try {
    for (const leg of LEGS.filter((one) => values.leg?.some((w) => w === one.role || w === nameOf(one)) ?? true)) {
      const begun = performance.now();
      const run = await leg.run(place);
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      addRun(report, leg, run);
      const problems = problemsOf(leg, run);
      failed += problems.length;
      console.log(`${browser} ${summaryOf(leg, run)}, ${seconds} s`);
      for (const problem of problems) console.log(`   ${problem}`);
      for (const { failures } of run.unscored) {
        if (leg.role === "server" || leg.role === "stdio")
          for (const failure of failures) console.log(`   (unscored) ${lineOf(failure)}`);
      }
      if (values.log !== undefined) keepLog(values.log, `${browser}-${nameOf(leg)}`, run.output);
    }
  } finally {
    await place.close();
    await machine.discard();
  }
  return { report, failed };
}

function keepLog(folder: string, name: string, output: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name.replaceAll("/", "-")}.txt`), output);
}
