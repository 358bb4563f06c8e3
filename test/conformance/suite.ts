/**
 * Runs the official suite in its own process, with the Node it needs, against one revision's frozen requirements, and reads
 * what it wrote. A scenario passes when none of its checks failed, exactly as the suite itself counts. The suite and that
 * Node lie in a folder of their own: nothing else needs them.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export type Leg = "client" | "server";

export interface SuiteOptions {
  readonly leg: Leg;
  readonly revision: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Failure {
  readonly scenario: string;
  readonly check: string;
  readonly message: string;
}

export interface ScenarioResult {
  readonly scenario: string;
  readonly passed: boolean;
  readonly failures: readonly Failure[];
}

export interface SuiteRun {
  readonly required: readonly ScenarioResult[];
  readonly unscored: readonly ScenarioResult[];
  /** What the suite printed. */
  readonly output: string;
}

const MODULES = fileURLToPath(new URL("./suite/node_modules", import.meta.url));
const SUITE = join(MODULES, "@modelcontextprotocol", "conformance");
const LEAST_NODE = 22;

export function suiteVersion(): string {
  const { name, version } = JSON.parse(readFileSync(join(SUITE, "package.json"), "utf8")) as Record<string, string>;
  return `${name}@${version}`;
}

export async function runSuite({ leg, revision, args, environment }: SuiteOptions): Promise<SuiteRun> {
  const out = mkdtempSync(join(tmpdir(), "navra-conformance-"));
  try {
    const command = [join(SUITE, "dist", "index.js"), leg, "--requirements", revision, ...args, "-o", out];
    const output = await run(command, environment ?? {});
    const requirements = readRequirements(leg, revision);
    const read = (scenarios: readonly string[]) => scenarios.map((scenario) => readResult(out, leg, scenario));
    return { required: read(requirements.required), unscored: read(requirements.unscored), output };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** The one that runs this, where it is new enough; else the one that came with the suite. */
function nodeForSuite(): string {
  if (Number.parseInt(process.versions.node, 10) >= LEAST_NODE) return process.execPath;
  const name = process.platform === "win32" ? "node.exe" : "node";
  const brought = readdirSync(MODULES)
    .filter((folder) => folder.startsWith("node-"))
    .map((folder) => join(MODULES, folder, "bin", name))
    .find((file) => existsSync(file));
  if (brought === undefined) {
    throw new Error(
      `The suite needs Node ${LEAST_NODE} or newer, and none was brought for this machine. Run this with one.`,
    );
  }
  return brought;
}

function run(command: readonly string[], environment: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const node = nodeForSuite();
    const PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
    const child = spawn(node, command, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1", PATH, ...environment },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.once("error", reject);
    child.once("close", () => resolve(output));
  });
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly description: string;
  readonly errorMessage?: string;
}

function readResult(out: string, leg: Leg, scenario: string): ScenarioResult {
  const checks = readChecks(out, leg, scenario);
  // A scenario that left nothing did not run; that is no pass.
  if (checks.length === 0) {
    return { scenario, passed: false, failures: [{ scenario, check: "ran", message: "The suite recorded no check." }] };
  }
  const failures = checks
    .filter(({ status }) => status === "FAILURE")
    .map(({ id, description, errorMessage }) => ({ scenario, check: id, message: errorMessage ?? description }));
  return { scenario, passed: failures.length === 0, failures };
}

/** A scenario's name may hold slashes, so its folder may lie in another one; its name ends with the time of the run. */
function readChecks(out: string, leg: Leg, scenario: string): readonly Check[] {
  const whole = leg === "server" ? `server-${scenario}` : scenario;
  const folder = join(out, dirname(whole));
  const base = whole.split("/").at(-1) ?? whole;
  try {
    const found = readdirSync(folder).find((name) => name.startsWith(`${base}-`) && TIME.test(name.slice(base.length)));
    if (found === undefined) return [];
    return JSON.parse(readFileSync(join(folder, found, "checks.json"), "utf8")) as readonly Check[];
  } catch {
    return [];
  }
}

const TIME = /^-\d{4}-\d{2}-\d{2}T[\d-]+Z$/;

interface Requirements {
  readonly required: readonly string[];
  readonly unscored: readonly string[];
}

/** The requirement files are plain lists; a line that is not understood is an error, so that nothing is silently left out. */
function readRequirements(leg: Leg, revision: string): Requirements {
  const lists = { client: [] as string[], server: [] as string[], unscored: [] as string[] };
  let list: keyof typeof lists | undefined;
  let pending: string | undefined;
  for (const line of readFileSync(join(SUITE, "requirements", `${revision}.yaml`), "utf8").split("\n")) {
    const head = /^(client|server|not_scored):$/.exec(line)?.[1];
    const item = /^ {2}- (?:scenario: )?(\S+)$/.exec(line)?.[1];
    const itsLeg = /^ {4}leg: (\S+)$/.exec(line)?.[1];
    if (head !== undefined) list = head === "not_scored" ? "unscored" : (head as Leg);
    else if (item !== undefined && list === "unscored") pending = item;
    else if (item !== undefined && list !== undefined) lists[list].push(item);
    else if (itsLeg === leg && pending !== undefined) lists.unscored.push(pending);
    else if (!/^(#.*|\s*|#? {4,}\S.*)$/.test(line)) throw new Error(`Not understood in the requirements: ${line}`);
  }
  return { required: lists[leg], unscored: lists.unscored };
}
