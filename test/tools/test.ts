/**
 * `npm test`: the gates, the unit tests, then the journeys in both browsers, and one closing line that counts them all.
 * `npm test -- --browser firefox` walks only that browser's journeys. Browsers are found or brought first.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BROWSERS, findBrowser } from "../browsers/find.ts";
import { check } from "./check.ts";
import { ROOT, runTool } from "./run.ts";

interface Count {
  readonly passed: number;
  readonly failed: number;
}

const RESULTS = join(ROOT, "results");
const E2E = "test/e2e/vitest.config.ts";
const LIFETIME = "test/e2e/idle-worker.e2e.ts";

async function main(): Promise<Count> {
  mkdirSync(RESULTS, { recursive: true });
  const only = process.argv[process.argv.indexOf("--browser") + 1];
  const browsers = BROWSERS.filter((browser) => !process.argv.includes("--browser") || browser === only);
  for (const browser of browsers) console.log(`${browser}: ${await findBrowser(browser)}`);
  heading("Gates");
  const gates = await check();
  const counts: Count[] = [
    { passed: gates.filter((gate) => gate.passed).length, failed: gates.filter((gate) => !gate.passed).length },
  ];
  const environment = { NAVRA_BROWSERS: browsers.join(","), NAVRA_BUILT: "1" };
  // It waits for a minute and a half while nothing happens; the units take that long.
  const undisturbed = vitest({ config: E2E, name: "lifetime", args: [LIFETIME], environment, quiet: true });
  heading("Units");
  counts.push(await vitest({ config: "test/vitest.config.ts", name: "units" }));
  heading("Lifetime");
  counts.push(await undisturbed);
  heading("Journeys");
  counts.push(await vitest({ config: E2E, name: "journeys", args: ["--exclude", LIFETIME], environment }));
  return counts.reduce((sum, one) => ({ passed: sum.passed + one.passed, failed: sum.failed + one.failed }));
}

interface Run {
  readonly config: string;
  readonly name: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Says what went on at its end, and nothing before. */
  readonly quiet?: true;
}

/** Counts come from the report file, never from the words on the screen. A run without a report is a failure. */
async function vitest({ config, name, args = [], environment = {}, quiet }: Run): Promise<Count> {
  const file = join(RESULTS, `${name}.json`);
  rmSync(file, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const options = { shown: !quiet, environment };
  const { code, output } = await runTool("vitest", ["run", "-c", config, ...reporters, ...args], options);
  if (quiet) process.stdout.write(output);
  try {
    const report = JSON.parse(readFileSync(file, "utf8")) as Report;
    const failed = report.numFailedTests + emptyFailures(report);
    return { passed: report.numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** Files that could not be loaded or set up have no failed test to count. */
function emptyFailures(report: Report): number {
  return report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed"),
  ).length;
}

function heading(text: string): void {
  console.log(`\n${text}`);
}

const begun = Date.now();
const { passed, failed } = await main();
console.log(`\n${((Date.now() - begun) / 1000).toFixed(0)} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
