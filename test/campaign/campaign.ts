/**
 * `npm run campaign NAME`: what takes too long for a test. `subscription` holds an agent's subscription of each era for 90
 * minutes in a browser with no debugger near: `npm run campaign subscription [-- --minutes 90 --browser chromium --era modern]`.
 * Writes `results/campaign-NAME.json`; exits with 1 when it did not hold.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { BROWSERS } from "../browsers/find.ts";
import { bundleAgentPage } from "../demo/serve.ts";
import { runTool } from "../tools/run.ts";
import { holdSubscription, type SubscriptionResult } from "./subscription.ts";

const ERAS = ["legacy", "modern"] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string", default: "90" },
    browser: { type: "string", default: "chromium" },
    era: { type: "string" },
    /** Takes what is built already. */
    built: { type: "boolean", default: false },
  },
});

async function main(): Promise<number> {
  const browser = BROWSERS.find((one) => one === values.browser);
  const minutes = Number(values.minutes);
  const eras = ERAS.filter((era) => values.era === undefined || era === values.era);
  if (positionals[0] !== "subscription" || browser === undefined || eras.length === 0 || !(minutes > 0)) {
    console.error(
      "npm run campaign subscription [-- --minutes 90 --browser chromium|firefox --era legacy|modern --built]",
    );
    return 2;
  }
  if (!values.built) {
    const { code, output } = await runTool("vite", ["build", "--mode", browser, "--logLevel", "warn"]);
    if (code !== 0) throw new Error(output);
    await bundleAgentPage();
  }
  const log = (line: string): void => console.log(`${new Date().toISOString()} ${line}`);
  const results = await Promise.all(eras.map((era) => holdSubscription({ browser, era, minutes, log })));
  keep(results);
  for (const result of results) console.log(JSON.stringify(result));
  return results.every(({ passed }) => passed) ? 0 : 1;
}

/** Rows of other browsers and eras stay. */
function keep(results: readonly SubscriptionResult[]): void {
  const folder = new URL("../../results/", import.meta.url);
  const file = new URL("campaign-subscription.json", folder);
  mkdirSync(folder, { recursive: true });
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as readonly SubscriptionResult[]) : [];
  const others = before.filter((row) =>
    results.every(({ browser, era }) => browser !== row.browser || era !== row.era),
  );
  writeFileSync(file, `${JSON.stringify([...others, ...results], null, 2)}\n`);
}

process.exit(await main());
