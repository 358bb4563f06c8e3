/**
 * `doctor`: everything between the browser and a server, looked at one by one, each with what was found and the command
 * that repairs it. The extension shows the same list.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import type { Check } from "../../bridge/native.ts";
import { HOST_NAME } from "../../bridge/native.ts";
import { readEntries, readProposals } from "../allow/allow-list.ts";
import { entryProblem } from "../allow/check-entry.ts";
import type { Entry } from "../allow/entry.ts";
import type { Home } from "../allow/home.ts";
import { valuesFor } from "../allow/values.ts";
import {
  CHROMIUM_ID,
  FIREFOX_ID,
  isThere,
  type Machine,
  manifestOf,
  planInstall,
  registryKey,
  type Scope,
} from "../browsers/install-plan.ts";
import { BROWSERS, type Browser } from "../browsers/table.ts";
import { lastHello } from "../hello-line.ts";
import { lastLines, logPath } from "../log-file.ts";
import type { SpellOut } from "../own-name.ts";
import { visible } from "../readable.ts";
import { VERSION } from "../version.ts";
import type { Context } from "./context.ts";

export async function doctor(context: Context): Promise<number> {
  const checks = await runChecks(context);
  for (const { what, ok, found, remedy } of checks) {
    context.screen.say(`${ok ? "ok  " : "FAIL"} ${what}: ${found}`);
    if (remedy !== undefined) context.screen.say(`     ${remedy}`);
  }
  return checks.every((check) => check.ok) ? 0 : 1;
}

export interface CheckPorts {
  readonly machine: Machine;
  readonly scope: Scope;
  readonly home: Home;
  /** The file that runs now. */
  readonly bundle: string;
  readonly spellOut: SpellOut;
}

export async function runChecks(ports: CheckPorts): Promise<Check[]> {
  const { spellOut } = ports;
  const checks = [
    nodeCheck(ports),
    programCheck(ports),
    ...browserChecks(ports),
    pathCheck(ports),
    ...(await listChecks(ports)),
    ...waitingChecks(ports),
  ].concat(logChecks(ports));
  return checks.map((check) => ({
    ...check,
    ...(check.ok ? {} : { found: spellOut(check.found) }),
    ...(check.remedy === undefined ? {} : { remedy: spellOut(check.remedy) }),
  }));
}

/** The one that the launcher starts, where there is a launcher: a terminal's may be another. */
function nodeCheck({ machine, scope }: CheckPorts): Check {
  const named = nodeOf(planInstall(machine, scope).launcher);
  const node = named !== undefined && existsSync(named) ? named : process.execPath;
  const version = node === process.execPath ? process.version : versionOf(node);
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  const remedy = ok ? {} : { remedy: "Install Node 20.19 or later from https://nodejs.org, then: navra-host install" };
  return { what: "Node", ok, found: `${version || "no version"}, ${node}`, ...remedy };
}

function nodeOf(launcher: string): string | undefined {
  if (!existsSync(launcher)) return undefined;
  const text = readFileSync(launcher, "utf8");
  return /'([^']+)'/.exec(text)?.[1] ?? /"([^"]+)"/.exec(text)?.[1]?.replaceAll("%%", "%");
}

function programCheck({ machine, scope, bundle: self }: CheckPorts): Check {
  const { program, launcher } = planInstall(machine, scope);
  const what = "navra-host";
  if (!existsSync(program) || !existsSync(launcher)) {
    return { what, ok: false, found: `${launcher} is not there`, remedy: INSTALL };
  }
  for (const path of [program, launcher]) {
    if (machine.platform !== "win32" && (statSync(path).mode & 0o022) !== 0) {
      return { what, ok: false, found: `${path} can be written by others`, remedy: `Look into it, then: ${INSTALL}` };
    }
  }
  if (machine.platform !== "win32" && (statSync(launcher).mode & 0o111) === 0) {
    return { what, ok: false, found: `${launcher} may not be executed`, remedy: INSTALL };
  }
  const node = nodeOf(launcher);
  if (node === undefined || !existsSync(node)) {
    return { what, ok: false, found: `its Node ${node ?? ""} is not there any more`, remedy: INSTALL };
  }
  const version = program === self ? VERSION : versionOf(process.execPath, program);
  if (version !== VERSION) {
    return {
      what,
      ok: false,
      found: `version ${version || "unknown"} is installed, this is ${VERSION}`,
      remedy: INSTALL,
    };
  }
  return { what, ok: true, found: `version ${version}, ${launcher}` };
}

function versionOf(program: string, ...args: readonly string[]): string {
  const asked = spawnSync(program, [...args, "--version"], { encoding: "utf8", windowsHide: true });
  // One that cannot be started has no output at all.
  return asked.stdout?.trim() ?? "";
}

function browserChecks(ports: CheckPorts): Check[] {
  const { machine, scope } = ports;
  if (scope.kind === "profile") {
    return planInstall(machine, scope).steps.flatMap((step) =>
      step.kind === "file" && step.path.endsWith(".json") ? [manifestCheck(step.path, step.path, step.text)] : [],
    );
  }
  const there = BROWSERS.filter((browser) => isThere(browser, machine, scope));
  if (there.length === 0) {
    return [
      {
        what: "Browsers",
        ok: false,
        found: "none was found",
        remedy: "Start your browser once, then: navra-host install",
      },
    ];
  }
  return there.map((browser) => browserCheck(browser, ports));
}

function browserCheck(browser: Browser, { machine, scope }: CheckPorts): Check {
  const path = manifestOf(browser, machine, scope) ?? "";
  const { steps } = planInstall(machine, scope);
  const step = steps.find((one) => one.kind === "file" && one.path === path);
  const check = manifestCheck(browser.name, path, step?.kind === "file" ? step.text : "");
  if (!check.ok || machine.platform !== "win32") return check;
  const key = registryKey(browser.win32.keys[0] ?? "", scope);
  const asked = spawnSync("reg.exe", ["QUERY", key, "/ve"], { encoding: "utf8", windowsHide: true });
  if (asked.status === 0 && asked.stdout.includes(path)) return check;
  return { what: browser.name, ok: false, found: `the registry does not name ${path}`, remedy: INSTALL };
}

function manifestCheck(what: string, path: string, wanted: string): Check {
  if (!existsSync(path)) return { what, ok: false, found: `no manifest at ${path}`, remedy: INSTALL };
  const text = readFileSync(path, "utf8");
  if (text === wanted) return { what, ok: true, found: path };
  const problem = manifestProblem(text, wanted);
  return { what, ok: false, found: `${path} ${problem}`, remedy: INSTALL };
}

function manifestProblem(text: string, wanted: string): string {
  try {
    const found = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const ids = [...listOf(found.allowed_origins), ...listOf(found.allowed_extensions)];
    if (!ids.some((id) => id === `chrome-extension://${CHROMIUM_ID}/` || id === FIREFOX_ID)) {
      return `is for another extension (${ids.join(", ") || "none"})`;
    }
    if (found.name !== HOST_NAME) return "is for another host";
    const { path } = JSON.parse(wanted) as { readonly path?: string };
    return found.path === path ? "was changed" : `starts ${String(found.path)}, which is another program`;
  } catch {
    return "is not JSON";
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Entries keep the `PATH` of their terminal; this is what a variable-less program would get from the desktop. */
function pathCheck({ machine }: CheckPorts): Check {
  return { what: "PATH here", ok: true, found: machine.env.PATH ?? machine.env.Path ?? "not set" };
}

async function listChecks({ home, machine }: CheckPorts): Promise<Check[]> {
  try {
    const entries = readEntries(home);
    const list: Check = {
      what: "Allow-list",
      ok: true,
      found: `${counted(entries.length, "server")}, ${home.servers}`,
    };
    const each = await Promise.all(
      entries.map(async (entry): Promise<Check> => {
        const problem = (await entryProblem(entry)) ?? missing(() => valuesFor(home, entry, machine.env));
        if (problem === undefined) return { what: `Server ${entry.name}`, ok: true, found: runsText(entry) };
        return { what: `Server ${entry.name}`, ok: false, found: problem };
      }),
    );
    return [list, ...each];
  } catch (problem) {
    return [{ what: "Allow-list", ok: false, found: (problem as Error).message }];
  }
}

function waitingChecks({ home }: CheckPorts): Check[] {
  const what = "Proposals";
  try {
    const count = readProposals(home).length;
    if (count === 0) return [];
    return [{ what, ok: true, found: `${counted(count, "proposal")} for you to look at`, remedy: "navra-host review" }];
  } catch (problem) {
    return [{ what, ok: false, found: (problem as Error).message }];
  }
}

function logChecks({ home }: CheckPorts): Check[] {
  const lines = lastLines(logPath(home.logs), 500);
  if (lines.length === 0) return [];
  return [...extensionChecks(lastHello(lines)), { what: "Last words", ok: true, found: lines.slice(-3).join(" | ") }];
}

function extensionChecks(version: string | undefined): Check[] {
  if (version === undefined) return [];
  const found = `version ${version} spoke last`;
  if (version === VERSION) return [{ what: "navra in the browser", ok: true, found }];
  const remedy = "Build both from one version, load the extension again, then: navra-host install";
  return [{ what: "navra in the browser", ok: false, found: `${found}, this is ${VERSION}`, remedy }];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function runsText({ package: installed, program, args }: Entry): string {
  if (installed) return `${installed.name} ${installed.version}`;
  return [program, ...args].map(visible).join(" ");
}

function missing(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (problem) {
    return (problem as Error).message;
  }
}

const INSTALL = "navra-host install";
