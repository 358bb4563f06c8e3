/**
 * Carries an install or removal out. Files are replaced whole; of what is removed, only what is ours by name, and folders
 * that were made for it and are empty now.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import type { RemovalPlan, Step } from "./install-plan.ts";

/** `bundle` is the file that runs now. */
export function carryOut(steps: readonly Step[], bundle: string): void {
  for (const step of steps) {
    switch (step.kind) {
      case "folder":
        mkdirSync(step.path, { recursive: true, mode: 0o755 });
        break;
      case "file":
        replace(step.path, (fresh) => writeFileSync(fresh, step.text, { mode: step.mode, flag: "wx" }));
        break;
      case "program":
        // Installing from the installed file itself only writes manifests anew.
        if (step.path !== bundle)
          replace(step.path, (fresh) => {
            copyFileSync(bundle, fresh);
            chmodSync(fresh, 0o644);
          });
        break;
      case "registry":
        if (!registry(["ADD", step.key, "/ve", "/t", "REG_SZ", "/d", step.value, "/f"]))
          throw new Error(`The registry key ${step.key} could not be written. A key of HKLM needs an administrator.`);
    }
  }
}

/** What was removed, as paths and keys. */
export function takeAway(plan: RemovalPlan, folders: readonly string[]): string[] {
  const gone: string[] = [];
  for (const file of plan.files) {
    if (existsSync(file)) {
      rmSync(file);
      gone.push(file);
    }
    removeEmpty(dirname(file));
  }
  for (const key of plan.registry) if (registry(["DELETE", key, "/f"])) gone.push(key);
  for (const folder of [plan.place, ...folders]) {
    if (!existsSync(folder)) continue;
    rmSync(folder, { recursive: true, force: true });
    gone.push(folder);
  }
  return gone;
}

function replace(path: string, write: (fresh: string) => void): void {
  const fresh = `${path}.${process.pid}.new`;
  rmSync(fresh, { force: true });
  try {
    write(fresh);
    renameSync(fresh, path);
  } catch (problem) {
    rmSync(fresh, { force: true });
    throw problem;
  }
}

/** Only a folder for hosts, and only while it is empty: a browser makes its own again when it needs one. */
function removeEmpty(folder: string): void {
  if (!/native-?messaging-?hosts$/i.test(folder)) return;
  for (const one of [folder, ...(basename(dirname(folder)) === ".mozilla" ? [dirname(folder)] : [])]) {
    if (existsSync(one) && readdirSync(one).length === 0) rmdirSync(one);
  }
}

function registry(args: readonly string[]): boolean {
  return spawnSync("reg.exe", args, { stdio: "ignore", windowsHide: true }).status === 0;
}
