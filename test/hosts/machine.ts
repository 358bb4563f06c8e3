/**
 * A machine of a test's own: a folder in which the native host is installed for a browser profile, with its own list, and
 * nothing outside of it. The list is filled as a person fills it, through `navra-host` and its questions.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { BrowserName } from "../browsers/find.ts";
import type { LaunchOptions } from "../drivers/driver.ts";
import { until } from "../drivers/wait.ts";
import { runTool } from "../tools/run.ts";

export interface Allowed {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Said {
  readonly code: number;
  readonly output: string;
}

export interface Machine {
  readonly folder: string;
  /** Where servers may work. */
  readonly work: string;
  /** The host as a browser starts it. */
  readonly launcher: string;
  /** For a browser that shall find the host. */
  browser(name: BrowserName): Pick<LaunchOptions, "profile" | "environment">;
  /** Another program in the host's place, or the same for another extension: what a half-done installation leaves. */
  misinstall(how: { readonly script?: string; readonly extension?: string }): void;
  /** One more native host, which Chromium finds by this name. */
  addHost(name: string, script: string): void;
  /** `navra-host` from a script. */
  navraHost(args: readonly string[]): Promise<Said>;
  /** `navra-host` in a terminal; what is typed answers its questions. */
  terminal(args: readonly string[], typed: string): Promise<Said>;
  allow(server: Allowed): Promise<void>;
  /** Processes that run in the machine's folder or name it, where the system tells. */
  processes(): readonly string[];
  /** When what runs there has ended: a host that leaves still writes its log. */
  discard(): Promise<void>;
}

const HOST = fileURLToPath(new URL("../../dist/host/navra-host.mjs", import.meta.url));

export async function buildHost(): Promise<void> {
  const { code, output } = await runTool("vite", ["build", "--mode", "host", "--logLevel", "warn"]);
  if (code !== 0) throw new Error(output);
}

export async function createMachine(options: { readonly installed?: boolean } = {}): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), "navra-machine-"));
  const work = join(folder, "work");
  mkdirSync(work);
  mkdirSync(join(folder, "firefox"));
  const discard = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  process.once("exit", discard);
  const hostArgs = ([command = "", ...rest]: readonly string[]) => [HOST, command, "--profile", folder, ...rest];
  const machine: Machine = {
    folder,
    work,
    launcher: join(folder, "navra-host", "program", "navra-host"),
    browser: (name) => ({
      profile: name === "chromium" ? folder : join(folder, "firefox"),
      environment: { HOME: folder, XDG_CONFIG_HOME: join(folder, ".config") },
    }),
    addHost(name, script) {
      const path = writeLauncher(folder, script);
      const origin = "chrome-extension://alojfnnadgbneekkmjpbjaibclkemhdj/";
      const manifest = { name, description: "another", path, type: "stdio", allowed_origins: [origin] };
      writeManifest(join(folder, "NativeMessagingHosts"), manifest);
    },
    misinstall({ script = "process.exit(1);", extension }) {
      const launcher = writeLauncher(folder, script);
      const common = { name: "dev.navra.host", description: "another", path: launcher, type: "stdio" };
      const origin = `chrome-extension://${extension ?? "alojfnnadgbneekkmjpbjaibclkemhdj"}/`;
      writeManifest(join(folder, "NativeMessagingHosts"), { ...common, allowed_origins: [origin] });
      const allowed = { ...common, allowed_extensions: [extension ?? "navra@navra.dev"] };
      writeManifest(join(folder, ".mozilla", "native-messaging-hosts"), allowed);
    },
    navraHost: (args) => run(process.execPath, hostArgs(args)),
    terminal: (args, typed) => {
      const line = [process.execPath, ...hostArgs(args)].map((word) => `'${word}'`).join(" ");
      return run("script", ["--quiet", "--return", "--command", line, "/dev/null"], typed);
    },
    async allow({ name, program, args, env = {} }) {
      const names = Object.keys(env).flatMap((one) => ["--env", one]);
      const line = ["add", name, "--yes", "--cwd", work, ...names, "--", program, ...args];
      const { code, output } = await machine.navraHost(line);
      if (code !== 0) throw new Error(`${name} was not allowed:\n${output}`);
      writeValues(join(folder, "navra-host", "env"), name, env);
    },
    processes: () => processesOf(folder),
    async discard() {
      const over = { what: "the machine's programs to end", timeoutMs: 10_000 };
      await until(async () => processesOf(folder).length === 0, over).catch(() => undefined);
      process.off("exit", discard);
      discard();
    },
  };
  if (options.installed !== false) {
    const { code, output } = await machine.navraHost(["install"]);
    if (code !== 0 || !existsSync(machine.launcher)) throw new Error(`navra-host could not be installed:\n${output}`);
  }
  return machine;
}

function writeLauncher(folder: string, script: string): string {
  const program = join(folder, "another-host.mjs");
  const launcher = join(folder, "another-host");
  writeFileSync(program, script);
  writeFileSync(launcher, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });
  return launcher;
}

function writeManifest(folder: string, manifest: { readonly name: string; readonly [member: string]: unknown }): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${manifest.name}.json`), JSON.stringify(manifest));
}

function processesOf(folder: string): readonly string[] {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      return line.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) ? [`${pid} ${line}`] : [];
    } catch {
      return [];
    }
  });
}

function writeValues(folder: string, name: string, env: Readonly<Record<string, string>>): void {
  if (Object.keys(env).length === 0) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const lines = Object.entries(env).map(([key, value]) => `${key}=${value}\n`);
  writeFileSync(join(folder, `${name}.env`), lines.join(""), { mode: 0o600 });
}

function run(program: string, args: readonly string[], typed = ""): Promise<Said> {
  return new Promise((resolve) => {
    const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(program, args, {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1" },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.stdin.on("error", () => undefined);
    child.stdin.end(typed);
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
