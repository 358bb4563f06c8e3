/**
 * How a package at an exact version gets into a folder of ours, as commands that are values. Install scripts never run:
 * npm is told so, and for Python only wheels are taken, because building one runs its project's code.
 */
import { join } from "node:path";
import type { PackageSpec } from "./classify.ts";

export interface PackagePlan {
  readonly folder: string;
  readonly commands: readonly { readonly program: string; readonly args: readonly string[] }[];
}

export interface PackageTools {
  /** Absolute path of `node`, and of the script that is npm. */
  readonly node: string;
  readonly npm: string | undefined;
  readonly uv: string | undefined;
}

/** @throws Error with the remedy when the manager is not there */
export function planPackage(spec: PackageSpec, folder: string, tools: PackageTools): PackagePlan {
  if (spec.manager === "npm") {
    if (!tools.npm) throw new Error("npm was not found beside Node. Install Node with npm, from https://nodejs.org.");
    const options = ["--ignore-scripts", "--save-exact", "--omit=dev", "--no-audit", "--no-fund", "--no-bin-links"];
    const args = [tools.npm, "install", "--prefix", folder, ...options, "--", `${spec.name}@${spec.version}`];
    return { folder, commands: [{ program: tools.node, args }] };
  }
  if (!tools.uv) throw new Error("uv was not found. Install it from https://docs.astral.sh/uv and try again.");
  const python = join(folder, "venv");
  return {
    folder,
    commands: [
      { program: tools.uv, args: ["venv", "--no-project", python] },
      {
        program: tools.uv,
        args: ["pip", "install", "--python", python, "--only-binary", ":all:", `${spec.name}==${spec.version}`],
      },
    ],
  };
}

/** Which file of an npm package is its command. @throws Error naming the commands there are */
export function binOf(manifest: unknown, spec: PackageSpec): string {
  const bin = (manifest as { readonly bin?: unknown } | null)?.bin;
  const short = spec.name.split("/").at(-1) ?? spec.name;
  const all = typeof bin === "string" ? { [short]: bin } : ((bin ?? {}) as Readonly<Record<string, unknown>>);
  const names = Object.keys(all).filter((name) => typeof all[name] === "string");
  const wanted = spec.command ?? (names.length === 1 ? names[0] : short);
  const file = names.includes(wanted ?? "") ? all[wanted ?? ""] : undefined;
  if (typeof file !== "string") {
    throw new Error(
      names.length === 0
        ? `${spec.name} has no command to run.`
        : `${spec.name} has the commands ${names.join(", ")}. Name one: npx -p ${spec.name}@${spec.version} ${names[0]}`,
    );
  }
  return file;
}
