/** The host as it is shipped: built once into a folder of the test's own, and run like a browser or a person runs it. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { createTestPort } from "./port.ts";

export const CHROMIUM_CALLER = "chrome-extension://alojfnnadgbneekkmjpbjaibclkemhdj/";

/** The path of the built file. */
export async function buildHost(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), "navra-host-"));
  const root = new URL("../..", import.meta.url).pathname;
  await build({ root, configFile: join(root, "vite.config.ts"), mode: "host", logLevel: "error", build: { outDir } });
  return join(outDir, "navra-host.mjs");
}

/** As a browser starts it, through the launcher or the file itself. */
export function callHost(program: string, args: readonly string[]) {
  const direct = program.endsWith(".mjs");
  const child = spawn(direct ? process.execPath : program, direct ? [program, ...args] : args, {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
  return { child, exited, port: createTestPort(child.stdin, child.stdout) };
}

export interface Person {
  readonly env?: Readonly<Record<string, string>>;
  /** As another user; only root can. */
  readonly uid?: number;
}

/** As a person runs it, without a terminal. */
export function runHost(program: string, args: readonly string[], { env = {}, uid }: Person = {}) {
  const done = spawnSync(process.execPath, [program, ...args], {
    encoding: "utf8",
    env: { ...process.env, ...env },
    input: "",
    cwd: "/",
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

/** As a person runs it at a terminal: each line is typed when a question stands there, for an earlier one answers nothing. */
export async function typeAtHost(program: string, args: readonly string[], typed: readonly string[]): Promise<string> {
  const words = [process.execPath, program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  // `script` gives the program a terminal; what is typed goes through its input.
  const child = spawn("script", ["-qec", words, "/dev/null"], { stdio: ["pipe", "pipe", "ignore"] });
  let shown = "";
  let answered = 0;
  child.stdin.on("error", () => {});
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    const asked = shown.split("\n").filter((line) => line.includes(QUESTION)).length;
    for (; answered < asked; answered += 1) child.stdin.write(`${typed[answered] ?? "no"}\n`);
  });
  await new Promise((resolve) => child.once("close", resolve));
  return shown;
}

const QUESTION = "Type yes or no: ";

export const canType = spawnSync("script", ["--version"], { stdio: "ignore" }).status === 0;

/** Which of the noted processes are there. */
export function alive(notes: string): number[] {
  if (!existsSync(notes)) return [];
  const pids = readFileSync(notes, "utf8").split("\n").filter(Boolean).map(Number);
  return pids.filter((pid) => {
    try {
      return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
    } catch {
      return false;
    }
  });
}

export async function until(fits: () => boolean): Promise<void> {
  while (!fits()) await new Promise((resolve) => setTimeout(resolve, 20));
}
