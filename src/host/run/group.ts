/**
 * Ending everything a server started. On Linux and macOS a server leads a process group of its own and the signal goes to
 * the group; on Windows `taskkill /T` walks the tree. A process that left the group is found on Linux by a mark in its
 * environment, which every descendant inherits unless it was started with an environment made for it alone.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** The variable that marks all descendants of a run. */
export const MARK = "NAVRA_RUN";

export interface Group {
  readonly pid: number;
  /** Value of `MARK`, unguessable. */
  readonly mark: string;
}

/** Asks the whole group to end. */
export function terminate(group: Group): void {
  if (process.platform === "win32") return;
  signalGroup(group, "SIGTERM");
}

/** Ends the whole group, and what left it. */
export function kill(group: Group): void {
  if (process.platform === "win32") {
    spawnSync("taskkill.exe", ["/PID", String(group.pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    return;
  }
  signalGroup(group, "SIGKILL");
  for (const pid of strays(group.mark)) signal(pid, "SIGKILL");
}

/** Whether anything of the group is left. */
export function isAlive(group: Group): boolean {
  if (process.platform === "win32") return signal(group.pid, 0);
  return signal(-group.pid, 0) || strays(group.mark).length > 0;
}

function signalGroup(group: Group, name: "SIGTERM" | "SIGKILL"): void {
  // Without a leader there is no group; zero would be our own.
  if (group.pid > 1) signal(-group.pid, name);
}

function signal(pid: number, name: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (problem) {
    // Only "no such process" is the end of it; one that may not be signalled is alive.
    return (problem as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Linux only: elsewhere the environment of other processes cannot be read without a native module. */
function strays(mark: string): number[] {
  if (process.platform !== "linux") return [];
  const wanted = `${MARK}=${mark}\0`;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && environmentOf(pid).includes(wanted));
}

function environmentOf(pid: number): string {
  try {
    return `${readFileSync(`/proc/${pid}/environ`, "latin1")}\0`;
  } catch {
    return "";
  }
}
