/**
 * Log files that never grow past their size and never stop anything: lines are written a moment later, all at once, and
 * when they cannot be written (a full disk) they are dropped. Readable by their owner alone, because servers write what
 * they like.
 */
import { appendFileSync, chmodSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "./allow/safe-file.ts";

export interface LogFile {
  append(bytes: string | Buffer): void;
  flush(): void;
}

const MOST_BYTES = 512 * 1024;
const MOST_WAITING = 256 * 1024;
const PAUSE_MS = 200;

/** `wanted`: whether there still is a place for it. */
export function createLogFile(path: string, wanted: () => boolean = () => true): LogFile {
  let waiting: Buffer[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  return { append, flush };

  function append(bytes: string | Buffer): void {
    const more = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    if (size + more.length > MOST_WAITING) return;
    waiting.push(more);
    size += more.length;
    timer ??= setTimeout(flush, PAUSE_MS).unref();
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const bytes = Buffer.concat(waiting);
    waiting = [];
    size = 0;
    if (bytes.length === 0 || !wanted()) return;
    try {
      makeFolder(dirname(path));
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) renameSync(path, `${path}.1`);
      appendFileSync(path, bytes, { mode: 0o600 });
      if (process.platform !== "win32") chmodSync(path, 0o600);
    } catch {
      // A log that cannot be written must not end a server.
    }
  }
}

export function logPath(folder: string, server?: string): string {
  return join(folder, server === undefined ? "host.log" : `server-${server}.log`);
}

/** The last lines of a log, oldest first. */
export function lastLines(path: string, most: number): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean).slice(-most);
  } catch {
    return [];
  }
}
