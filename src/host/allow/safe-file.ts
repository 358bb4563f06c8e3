/**
 * Files that decide what may run: readable and writable by their owner alone, refused when anyone else could have written
 * them, changed under a lock and by replacement, so that a reader sees the old list or the new one and a full disk leaves
 * the old. On Windows a profile's folders keep others out by their access lists; there are no modes to look at.
 */
import {
  chmodSync,
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/** A sentence with the remedy. */
export class UnsafeFile extends Error {}

/** Its text, or `undefined` when there is none. @throws UnsafeFile */
export function readOwned(path: string): string | undefined {
  let handle: number;
  try {
    if (lstatSync(path).isSymbolicLink()) throw new UnsafeFile(`${path} is a link. Put the file itself there.`);
    checkFolder(dirname(path));
    handle = openSync(path, "r");
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw problem;
  }
  try {
    // The open file is looked at, not the name: what was checked is what is read.
    const { uid, mode } = fstatSync(handle);
    checkOwner(path, uid);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new UnsafeFile(`${path} can be reached by others. Look into it, then run: chmod 600 ${path}`);
    }
    return readFileSync(handle, "utf8");
  } finally {
    closeSync(handle);
  }
}

/** Replaces the file as a whole. @throws UnsafeFile; the old file stays whatever happens */
export function writeOwned(path: string, text: string): void {
  makeFolder(dirname(path));
  const fresh = `${path}.${process.pid}.new`;
  try {
    rmSync(fresh, { force: true });
    const handle = openSync(fresh, "wx", 0o600);
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(fresh, path);
  } catch (problem) {
    rmSync(fresh, { force: true });
    throw isFull(problem) ? noRoom(path) : problem;
  }
}

/** Runs while no other process runs its part on the same file. @throws UnsafeFile after a few seconds of waiting */
export async function withLock<T>(path: string, run: () => T | Promise<T>): Promise<T> {
  makeFolder(dirname(path));
  const lock = `${path}.lock`;
  for (let tries = 0; !taken(path, lock); tries += 1) {
    if (tries >= LOCK_TRIES) {
      throw new UnsafeFile(`Another navra-host is changing ${path}. If none runs, remove ${lock} and try again.`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_PAUSE_MS));
  }
  try {
    return await run();
  } finally {
    rmSync(lock, { force: true });
  }
}

export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  checkFolder(folder);
}

/** @throws UnsafeFile when someone else could put files there */
export function checkFolder(folder: string): void {
  if (process.platform === "win32") return;
  const { uid, mode } = lstatSync(folder);
  checkOwner(folder, uid);
  if ((mode & 0o022) !== 0) {
    throw new UnsafeFile(`${folder} can be written by others. Look into it, then run: chmod 700 ${folder}`);
  }
  if ((mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

const LOCK_TRIES = 60;
const LOCK_PAUSE_MS = 50;

function checkOwner(path: string, uid: number): void {
  const mine = process.getuid?.();
  if (mine === undefined || uid === mine) return;
  throw new UnsafeFile(
    `${path} belongs to another user (${uid}). Remove it, or run navra-host as the user it belongs to.`,
  );
}

function taken(path: string, lock: string): boolean {
  let handle: number | undefined;
  try {
    handle = openSync(lock, "wx", 0o600);
    writeSync(handle, String(process.pid));
    return true;
  } catch (problem) {
    // One of our own without a number in it would be in everybody's way for ever.
    if (handle !== undefined) rmSync(lock, { force: true });
    if (isFull(problem)) throw noRoom(path);
    if ((problem as NodeJS.ErrnoException).code !== "EEXIST") throw problem;
    if (isLeftBehind(lock)) rmSync(lock, { force: true });
    return false;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function isFull(problem: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EFBIG"].includes((problem as NodeJS.ErrnoException).code ?? "");
}

function noRoom(path: string): UnsafeFile {
  return new UnsafeFile(`There is no room to write ${path}. Nothing was changed. Make room and try again.`);
}

/** Whether the process that made it is gone. An empty one is just being written. */
function isLeftBehind(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    if (!Number.isSafeInteger(pid) || pid <= 0) return false;
    process.kill(pid, 0);
    return false;
  } catch (problem) {
    return (problem as NodeJS.ErrnoException).code === "ESRCH";
  }
}
