/**
 * `npm run check`: every gate that needs no browser, one line each with its time, all of them even after a failure. Run as a
 * program it exits with 1 when any gate failed.
 */
import { pathToFileURL } from "node:url";
import { installFolder } from "../servers/install.ts";
import { bundleProblems, sizeProblems, sizes } from "./bundle.ts";
import { runTool } from "./run.ts";

export interface GateResult {
  readonly name: string;
  readonly passed: boolean;
}

interface Gate {
  readonly name: string;
  /** What is wrong, or empty. */
  run(): Promise<string>;
}

export async function check(): Promise<readonly GateResult[]> {
  installFolder("servers");
  installFolder("demo");
  installFolder("conformance");
  installFolder("agent/clients");
  installFolder("bench/client");
  const results: GateResult[] = [];
  for (const gate of GATES) {
    const begun = performance.now();
    const problem = await gate.run().catch((thrown: unknown) => String(thrown));
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`${problem === "" ? "ok  " : "FAIL"} ${gate.name.padEnd(12)} ${seconds.padStart(6)} s`);
    if (problem !== "") console.log(shortened(problem));
    results.push({ name: gate.name, passed: problem === "" });
  }
  return results;
}

const MOST_LINES = 60;

/** Enough to act on; the rest is one command away. */
function shortened(problem: string): string {
  const lines = problem.trimEnd().split("\n");
  const rest = lines.length - MOST_LINES;
  const shown = rest > 0 ? [...lines.slice(0, MOST_LINES), `… and ${rest} more lines`] : lines;
  return shown.map((line) => `     ${line}`).join("\n");
}

const GATES: readonly Gate[] = [
  tool("style", "biome", ["ci", "--error-on-warnings", "--diagnostic-level=warn", "--colors=off"]),
  tool("types", "tsc", ["-b", "--force", "--pretty", "false"]),
  tool("walls", "vitest", ["run", "-c", "test/vitest.config.ts", "test/architecture.test.ts", "test/pins"]),
  tool("unused", "knip", ["--no-progress"]),
  { name: "build", run: build },
  { name: "bundle", run: async () => bundleProblems().join("\n") },
  { name: "size", run: async () => sizeProblems().join("\n") },
  tool("web-ext", "web-ext", ["lint", "-s", "dist/firefox", "--self-hosted"]),
];

function tool(name: string, command: string, args: readonly string[]): Gate {
  return {
    name,
    async run() {
      const { code, output } = await runTool(command, args);
      return code === 0 ? "" : output || `${command} ended with ${code}.`;
    },
  };
}

async function build(): Promise<string> {
  for (const mode of ["chromium", "firefox", "agent", "host"]) {
    const { code, output } = await runTool("vite", ["build", "--mode", mode, "--logLevel", "warn"]);
    if (code !== 0) return output;
  }
  return "";
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const results = await check();
  for (const { what, kilobytes, budget } of sizes()) {
    console.log(`     ${what.padEnd(18)} ${kilobytes.toFixed(2).padStart(7)} of ${budget} kB gzip`);
  }
  process.exitCode = results.every((result) => result.passed) ? 0 : 1;
}
