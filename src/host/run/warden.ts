/**
 * No orphan, ever: a second small process that outlives the host. It is told each group when it begins and ends, and when
 * its input closes, however the host died, it ends what is left. Without it a host that is killed would leave servers that
 * do not watch their input.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { type Group, kill, terminate } from "./group.ts";

export const WARDEN_FLAG = "--warden";

export interface Warden {
  began(group: Group): void;
  ended(group: Group): void;
}

/** Started with the first server, because most ports never start one. */
export function createWarden(script: string): Warden {
  let child: ChildProcess | undefined;
  return {
    began: (group) => tell(`+${group.pid} ${group.mark}\n`),
    ended: (group) => tell(`-${group.pid} ${group.mark}\n`),
  };

  function tell(line: string): void {
    child ??= start();
    child.stdin?.write(line);
  }

  function start(): ChildProcess {
    const made = spawn(process.execPath, ["--max-old-space-size=16", script, WARDEN_FLAG], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
      windowsHide: true,
      // Windows starts no Node without it.
      env: process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot },
      cwd: "/",
    });
    made.on("error", () => {});
    made.stdin?.on("error", () => {});
    made.unref();
    return made;
  }
}

/** The warden's own process. Resolves when it has ended what was left. */
export async function keepWatch(input: NodeJS.ReadableStream, graceMs = 500): Promise<void> {
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, () => {});
  const groups = new Map<string, Group>();
  for await (const line of createInterface({ input })) {
    const match = /^([+-])(\d+) ([0-9a-f]+)$/.exec(line);
    if (!match) continue;
    const [, sign, pid, mark = ""] = match;
    if (sign === "+") groups.set(mark, { pid: Number(pid), mark });
    else groups.delete(mark);
  }
  if (groups.size === 0) return;
  for (const group of groups.values()) terminate(group);
  await new Promise((resolve) => setTimeout(resolve, graceMs));
  for (const group of groups.values()) kill(group);
}
