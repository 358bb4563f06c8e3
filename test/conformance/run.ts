/**
 * `npm run conformance`: the official suite against the built extension in real browsers, in both roles and both wires.
 * Writes `results/conformance.json` and exits with 1 when a required scenario failed. `--browser` and `--leg` narrow it
 * down. The matrix crosses the suite's wire with a server behind navra that speaks the other era only.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BROWSERS, type BrowserName } from "../browsers/find.ts";
import { installFolder } from "../servers/install.ts";
import { ROOT } from "../tools/run.ts";
import { clientRole } from "./client-role.ts";
import { bundlePage } from "./join.ts";
import { openPlace, type Place } from "./place.ts";
import { serverRole } from "./server-role.ts";
import { type Failure, type ScenarioResult, type SuiteRun, suiteVersion } from "./suite.ts";

const WIRES = ["2025-11-25", "2026-07-28"] as const;
/** What stands behind navra in the server role, and in the matrix also what stands there across the eras. */
const ERA_OF = { "2025-11-25": "legacy", "2026-07-28": "modern" } as const;
const OTHER_ERA = { legacy: "modern", modern: "legacy" } as const;

interface Leg {
  readonly name: string;
  /** A cell of the matrix is reported and does not fail the run. */
  readonly cell: boolean;
  readonly run: (place: Place) => Promise<SuiteRun>;
}

interface Score {
  readonly passed: number;
  readonly failed: number;
  readonly total: number;
  readonly failures: readonly Pick<Failure, "scenario" | "check">[];
}

const LEGS: readonly Leg[] = [
  ...WIRES.map((wire) => leg(`client/${wire}`, (place) => clientRole(place, wire))),
  ...WIRES.map((wire) => leg(`server/${wire}`, (place) => serverRole(place, wire, ERA_OF[wire]))),
  ...WIRES.map((wire) => {
    const era = OTHER_ERA[ERA_OF[wire]];
    return { ...leg(`server/${wire}/${era}`, (place) => serverRole(place, wire, era)), cell: true };
  }),
];

/** Scenarios, or their checks, that test the HTTP in front of the page and not navra. */
const SHIM_ONLY = [
  "dns-rebinding-protection",
  "server-sse-polling",
  "server-session-lifecycle",
  "http-header-validation",
  "http-custom-header-server-validation",
  "server-stateless · sep-2575-request-meta-invalid-missing-meta",
  "server-stateless · sep-2575-request-meta-invalid-missing-protocol-version",
  "server-stateless · sep-2575-http-server-header-mismatch-400",
  "server-stateless · the HTTP status of every other check",
];

/** Left of the sign-in to servers, which is not built yet; counted and listed, and no reason to fail. */
const NOT_YET = /^auth\//;

const { values } = parseArgs({
  options: {
    browser: { type: "string", multiple: true },
    /** The beginning of a leg's name, such as `client`, `server/2026-07-28`. */
    leg: { type: "string", multiple: true },
    /** A folder for what the suite printed. */
    log: { type: "string" },
  },
});

process.exit(await main());

async function main(): Promise<number> {
  installFolder("conformance");
  await bundlePage();
  const browsers = BROWSERS.filter((browser) => values.browser?.includes(browser) ?? true);
  const legs = LEGS.filter(({ name }) => values.leg?.some((wanted) => name.startsWith(wanted)) ?? true);
  const results: Record<string, unknown> = { suite: suiteVersion() };
  const matrix: Record<string, Record<string, Score>> = {};
  let failed = false;
  for (const browser of browsers) {
    const scores: Record<string, Score> = {};
    const unscored: Record<string, Score> = {};
    const cells: Record<string, Score> = {};
    await inPlace(browser, async (place) => {
      for (const { name, cell, run } of legs) {
        const begun = performance.now();
        const { required, unscored: rest, output } = await run(place);
        if (values.log !== undefined) writeFileSync(join(values.log, fileName(browser, name)), output);
        tell(`${browser} ${name}`, required, performance.now() - begun);
        if (cell) cells[name] = scoreOf(required);
        else {
          scores[name] = scoreOf(required);
          unscored[name] = scoreOf(rest);
          failed ||= required.some((one) => !one.passed && !NOT_YET.test(one.scenario));
        }
      }
    });
    results[browser] = { ...scores, unscored };
    matrix[browser] = cells;
  }
  results.matrix = matrix;
  results.shim = SHIM_ONLY;
  mkdirSync(join(ROOT, "results"), { recursive: true });
  writeFileSync(join(ROOT, "results", "conformance.json"), `${JSON.stringify(results, null, 2)}\n`);
  return failed ? 1 : 0;
}

function leg(name: string, run: Leg["run"]): Leg {
  return { name, cell: false, run };
}

async function inPlace(browser: BrowserName, use: (place: Place) => Promise<void>): Promise<void> {
  const place = await openPlace(browser);
  try {
    await use(place);
  } finally {
    await place.close();
  }
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

function tell(what: string, required: readonly ScenarioResult[], ms: number): void {
  const { passed, total } = scoreOf(required);
  console.log(`${what}: ${passed} of ${total} required scenarios pass (${(ms / 1000).toFixed(1)} s)`);
  for (const { failures } of required) {
    for (const { scenario, check, message } of failures) {
      if (!NOT_YET.test(scenario)) console.log(`   ${scenario} · ${check}: ${message}`);
    }
  }
}

function fileName(browser: BrowserName, name: string): string {
  return `${browser}-${name.replaceAll("/", "-")}.txt`;
}
