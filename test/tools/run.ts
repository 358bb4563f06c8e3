/** Runs a command of the project to its end, and gives its output and exit code. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Ran {
  readonly code: number;
  readonly output: string;
}

export interface RunOptions {
  /** Passes the output on as it comes. */
  readonly shown?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A program from `node_modules/.bin`, with its arguments. */
export function runTool(tool: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn("npx", ["--no-install", tool, ...args], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", ...options.environment },
      shell: process.platform === "win32",
    });
    const parts: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        parts.push(text);
        if (options.shown) process.stdout.write(text);
      });
    }
    child.once("error", (problem) => resolve({ code: 1, output: String(problem) }));
    child.once("close", (code) => resolve({ code: code ?? 1, output: parts.join("") }));
  });
}
