/**
 * `npm run bench [-- NAME…]`: builds, measures, prints, and writes `results/bench.json`. Names are rows or how rows begin
 * (`pipeline`, `stream/10MB`); without any all are measured, and with some the other rows of an earlier run stay in the
 * file. Each row compares two things in one run, because machines are noisy; nothing here is ever asserted.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { runTool } from "../tools/run.ts";
import { browserRows } from "./browser-rows.ts";
import { clientRows } from "./client-rows.ts";
import { nativeRows } from "./native-rows.ts";
import { policyRows } from "./policy.ts";
import type { BenchRow, Wanted } from "./rows.ts";
import { workerRows } from "./worker-rows.ts";

interface Group {
  /** How the names of its rows begin. */
  readonly heads: readonly string[];
  readonly rows: (wanted: Wanted) => Promise<readonly BenchRow[]>;
  /** It needs the built extension. */
  readonly built: boolean;
}

const GROUPS: readonly Group[] = [
  { heads: ["decide/", "compile/", "simulate/"], rows: policyRows, built: false },
  { heads: ["decode/", "pipeline/"], rows: workerRows, built: false },
  { heads: ["stream/", "notifications/", "list/", "concurrent/"], rows: clientRows, built: false },
  { heads: ["roundtrip/", "wake", "asked/", "approved/"], rows: browserRows, built: true },
  { heads: ["native/"], rows: nativeRows, built: true },
];

const names = process.argv.slice(2);
const wanted: Wanted = (row) => names.length === 0 || names.some((name) => row.startsWith(name));
const groups = GROUPS.filter(
  ({ heads }) =>
    names.length === 0 || heads.some((head) => names.some((name) => name.startsWith(head) || head.startsWith(name))),
);
if (groups.length === 0) throw new Error(`No row begins with ${names.join(" or ")}.`);

if (groups.some(({ built }) => built)) {
  const { code, output } = await runTool("vite", ["build", "--mode", "chromium", "--logLevel", "warn"]);
  if (code !== 0) throw new Error(output);
}
const rows: BenchRow[] = [];
for (const group of groups) {
  for (const row of (await group.rows(wanted)).filter(({ name }) => wanted(name))) {
    rows.push(row);
    print(row);
  }
}
keep(rows);
process.exit(0);

function print({ name, unit, p50, p99, n, against, againstP50, ratio, memoryMB }: BenchRow): void {
  const figures = `p50 ${p50} ${unit}, p99 ${p99} ${unit}, n ${n}`;
  const memory = memoryMB === undefined ? "" : `, ${memoryMB} MB`;
  console.log(
    `${name.padEnd(20)} ${figures.padEnd(44)} against ${againstP50} ${unit} (${against}): ×${ratio}${memory}`,
  );
}

function keep(measured: readonly BenchRow[]): void {
  const folder = new URL("../../results/", import.meta.url);
  const file = new URL("bench.json", folder);
  mkdirSync(folder, { recursive: true });
  const before = names.length > 0 && existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as BenchRow[]) : [];
  const others = before.filter((row) => measured.every(({ name }) => name !== row.name));
  writeFileSync(file, `${JSON.stringify([...others, ...measured], null, 2)}\n`);
}
