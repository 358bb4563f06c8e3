/**
 * Packages that only tests and the demo need stay out of the project's own: each folder with its own `package.json` and lock
 * is installed by the script that uses it, when its lock is not what is there.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export function installFolder(
  folder:
    | "agent/clients"
    | "bench/client"
    | "cedar"
    | "conformance"
    | "conformance/suite"
    | "demo"
    | "hosts"
    | "servers",
): void {
  const path = fileURLToPath(new URL(`../${folder}`, import.meta.url));
  const lock = join(path, "package-lock.json");
  const mark = join(path, "node_modules", ".installed-lock.json");
  if (existsSync(mark) && readFileSync(mark, "utf8") === readFileSync(lock, "utf8")) return;
  console.error(`Installing test/${folder} …`);
  const run = spawnSync("npm", ["ci", "--no-fund", "--no-audit", "--ignore-scripts"], {
    cwd: path,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (run.status !== 0) throw new Error(`npm ci failed in test/${folder}. Run it there by hand to see why.`);
  copyFileSync(lock, mark);
}
