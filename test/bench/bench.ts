/**
 * `npm run bench`: builds, measures, prints, and writes `results/bench.json`. Each row compares two things in one run,
 * because machines are noisy; nothing here is ever asserted.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { runTool } from "../tools/run.ts";
import { browserRows } from "./browser-rows.ts";
import { nativeRows } from "./native-rows.ts";
import { policyRows } from "./policy.ts";
import { workerRows } from "./worker-rows.ts";

const { code, output } = await runTool("vite", ["build", "--mode", "chromium", "--logLevel", "warn"]);
if (code !== 0) throw new Error(output);

const rows = [...(await policyRows()), ...(await workerRows()), ...(await browserRows()), ...(await nativeRows())];
const folder = new URL("../../results/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("bench.json", folder), `${JSON.stringify(rows, null, 2)}\n`);
for (const { name, unit, p50, p99, n, against, againstP50, ratio } of rows) {
  const figures = `p50 ${p50} ${unit}, p99 ${p99} ${unit}, n ${n}`;
  console.log(`${name.padEnd(20)} ${figures.padEnd(44)} against ${againstP50} ${unit} (${against}): ×${ratio}`);
}
process.exit(0);
