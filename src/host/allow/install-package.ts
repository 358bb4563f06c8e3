/**
 * Installs a package for an entry and pins all of it. Each install has a folder of its own, because a Python environment
 * cannot be moved: one that fails leaves what was allowed before as it was, and only the list says which folder runs.
 */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { PackageSpec } from "./classify.ts";
import type { PinnedPackage } from "./entry.ts";
import { binOf, type PackageTools, planPackage } from "./package-plan.ts";
import { treeOf } from "./pin-file.ts";
import { makeFolder } from "./safe-file.ts";

export interface Installed {
  readonly package: PinnedPackage;
  readonly program: string;
  readonly args: readonly string[];
}

export interface InstallPackageOptions {
  readonly spec: PackageSpec;
  /** Each server has a copy of its own: what one replaces does not change under another. */
  readonly server: string;
  /** Folder of all packages. */
  readonly into: string;
  readonly tools: PackageTools;
  readonly say: (line: string) => void;
}

/** @throws Error with a sentence */
export async function installPackage({ spec, server, into, tools, say }: InstallPackageOptions): Promise<Installed> {
  makeFolder(into);
  const folder = join(into, `${server}-${randomBytes(4).toString("hex")}`);
  makeFolder(folder);
  try {
    if (spec.manager === "npm") writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    for (const command of planPackage(spec, folder, tools).commands) {
      say(`Installing ${spec.name} ${spec.version} without its install scripts …`);
      const done = spawnSync(command.program, command.args, { encoding: "utf8", cwd: folder, windowsHide: true });
      if (done.status !== 0)
        throw new Error(`${spec.name} ${spec.version} could not be installed.\n${done.stderr ?? ""}`);
    }
    const found = spec.manager === "npm" ? npmCommand(spec, folder, tools) : uvCommand(spec, folder);
    const { name, version, manager } = spec;
    const package_ = { manager, name, version, integrity: found.integrity, folder, ...(await treeOf(folder)) };
    return { package: package_, program: found.program, args: [...found.args, ...spec.args] };
  } catch (problem) {
    rmSync(folder, { recursive: true, force: true });
    throw problem;
  }
}

/** Only a folder of ours, whatever the list says. */
export function removePackage(into: string, folder: string | undefined): void {
  if (folder === undefined || dirname(folder) !== into) return;
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Windows keeps the files of what still runs; `uninstall` takes them.
  }
}

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly integrity: string;
}

function npmCommand(spec: PackageSpec, folder: string, tools: PackageTools): Command {
  const root = join(folder, "node_modules", spec.name);
  const manifest = readJson(join(root, "package.json"));
  const lock = readJson(join(folder, "package-lock.json")) as Lock;
  const locked = lock.packages?.[`node_modules/${spec.name}`];
  if (locked?.version !== spec.version) throw new Error(`npm installed another version than ${spec.version}.`);
  if (!locked.integrity) throw new Error(`npm gave no integrity for ${spec.name}. Use a registry that has them.`);
  const file = resolve(root, binOf(manifest, spec));
  if (!inside(root, file) || !existsSync(file)) throw new Error(`${spec.name} names a command that it does not have.`);
  const first = readFileSync(file, "utf8").slice(0, 200).split("\n")[0] ?? "";
  const integrity = locked.integrity;
  if (/^#!.*\bnode\b/.test(first) || /\.[cm]?js$/.test(file)) return { program: tools.node, args: [file], integrity };
  return { program: file, args: [], integrity };
}

function uvCommand(spec: PackageSpec, folder: string): Command {
  const scripts = join(folder, "venv", process.platform === "win32" ? "Scripts" : "bin");
  const name = spec.command ?? spec.name;
  const file = join(scripts, process.platform === "win32" ? `${name}.exe` : name);
  if (!inside(scripts, file) || !existsSync(file)) {
    throw new Error(`${spec.name} has no command ${name}. Name one: uvx --from ${spec.name}==${spec.version} COMMAND`);
  }
  return { program: file, args: [], integrity: "" };
}

interface Lock {
  readonly packages?: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>;
}

function inside(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== "" && !way.startsWith(`..${sep}`) && way !== "..";
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** npm's own script, so that no `npm.cmd` and no shell is needed. */
export function findNpm(node: string): string | undefined {
  const beside = dirname(node);
  return [
    join(beside, "node_modules", "npm", "bin", "npm-cli.js"),
    join(beside, "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
    join("/usr/share", "nodejs", "npm", "bin", "npm-cli.js"),
  ].find(existsSync);
}
