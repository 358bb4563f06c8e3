/**
 * Files pinned by content. Reading a whole interpreter for every start would cost more than the start, so the content is
 * only read again when size, times or inode changed; `ctime` is set by the kernel and cannot be set back by whoever
 * replaces a file.
 */
import { createHash } from "node:crypto";
import { type BigIntStats, createReadStream, lstatSync } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { PinnedFile } from "./entry.ts";

export async function pinFile(path: string): Promise<PinnedFile> {
  const real = await realpath(path);
  return { path, real, sha256: await digestOf(real), stamp: await stampOf(real) };
}

/** What is wrong with it now, as the end of a sentence; nothing when it is what it was. */
export async function fileProblem(pinned: PinnedFile): Promise<string | undefined> {
  try {
    const real = await realpath(pinned.path);
    if (real !== pinned.real) return "leads to another file than when it was allowed";
    if ((await stampOf(real)) === pinned.stamp) return undefined;
    return (await digestOf(real)) === pinned.sha256 ? undefined : "has changed since it was allowed";
  } catch (problem) {
    const { code } = problem as NodeJS.ErrnoException;
    return code === "ENOENT" ? "is not there any more" : "cannot be read any more";
  }
}

/** Why a file must not be pinned at all: others could change it between a look and a start. */
export async function writersProblem(path: string): Promise<string | undefined> {
  if (process.platform === "win32") return undefined;
  const { uid, mode } = await stat(path);
  if ((mode & 0o002) !== 0) return openToAll(path);
  const mine = process.getuid?.() ?? 0;
  if (uid !== mine && uid !== 0) return `${path} belongs to another user, who could change it at any time.`;
  for (const folder of new Set([dirname(await realpath(path)), dirname(path)])) {
    const { mode: around } = await stat(folder);
    // In a folder such as /tmp everyone may add files, but replace only their own.
    if ((around & 0o002) !== 0 && (around & STICKY) === 0) return openToAll(folder);
  }
  return undefined;
}

const STICKY = 0o1000;

function openToAll(path: string): string {
  return `${path} can be written by everyone. Run: chmod o-w ${path}`;
}

export interface Tree {
  /** Over names, kinds and contents. */
  readonly contents: string;
  /** Over names and stamps: cheap, and equal only while nothing was touched. */
  readonly stamps: string;
}

/** All that is below a folder; links count as what they say. */
export async function treeOf(folder: string): Promise<Tree> {
  const contents = createHash("sha256");
  for (const [name, path] of await walk(folder)) {
    const { mode } = await lstat(path);
    contents.update(`${name}\0${mode & 0o111 ? "x" : "-"}\0${await digestOf(path)}\n`);
  }
  return { contents: contents.digest("hex"), stamps: await treeStamps(folder) };
}

export async function treeStamps(folder: string): Promise<string> {
  const stamps = createHash("sha256");
  for (const [index, [name, path]] of (await walk(folder)).entries()) {
    // A synchronous look takes a few microseconds, a queued one ten times that; the port gets its turn in between.
    if (index % TURN === TURN - 1) await new Promise((resolve) => setImmediate(resolve));
    stamps.update(`${name}\0${stampText(lstatSync(path, { bigint: true }))}\n`);
  }
  return stamps.digest("hex");
}

const TURN = 500;

async function walk(folder: string): Promise<[string, string][]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => !entry.isDirectory())
    .map((entry): [string, string] => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length), path];
    })
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

async function digestOf(path: string): Promise<string> {
  const info = await lstat(path);
  if (info.isSymbolicLink()) return `link ${await realpath(path).catch(() => "to nothing")}`;
  if (!info.isFile()) throw new Error(`${path} is no file.`);
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

async function stampOf(path: string): Promise<string> {
  return stampText(await lstat(path, { bigint: true }));
}

function stampText({ size, mtimeNs, ctimeNs, ino, dev }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ctimeNs} ${ino} ${dev}`;
}
