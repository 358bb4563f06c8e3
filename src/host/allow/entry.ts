/**
 * One line of the allow-list: everything that decides what is started, as it was when a person allowed it. What cannot be
 * read exactly is refused as a whole, because a list that is half understood is not the list that was allowed.
 */
import { type Proposal, SERVER_NAME } from "../../bridge/native.ts";

export interface Entry extends Proposal {
  /** Absolute. */
  readonly program: string;
  /** Absolute. */
  readonly cwd: string;
  /** `PATH` of the terminal in which it was allowed: a desktop gives its programs another one. */
  readonly path: string;
  /** Files whose content is part of what was allowed: the program, its script, their interpreter. */
  readonly files: readonly PinnedFile[];
  readonly package?: PinnedPackage;
  /** What was asked for, where a runner was: `npx` and its arguments. Asked for again by `review`. */
  readonly asked?: Pick<Proposal, "program" | "args">;
  /** Epoch milliseconds. */
  readonly allowedAt: number;
}

export interface PinnedFile {
  /** As it is named, and what that name led to. */
  readonly path: string;
  readonly real: string;
  readonly sha256: string;
  /** Size, times and inode: while they are the same, so is the content. `ctime` cannot be set back. */
  readonly stamp: string;
}

/** A package that navra-host installed into a folder of its own. */
export interface PinnedPackage {
  readonly manager: "npm" | "uv";
  readonly name: string;
  readonly version: string;
  /** As the registry gave it; empty where the manager has none. */
  readonly integrity: string;
  readonly folder: string;
  /** Of all files below the folder: names and contents, and the stamps at that time. */
  readonly contents: string;
  readonly stamps: string;
}

/** @throws Error naming the file's part that is not understood, and the remedy */
export function parseEntries(text: string, path: string): Entry[] {
  const unreadable = (what: string) =>
    new Error(`The allow-list is not understood: ${what}. Remove ${path} and add the servers again.`);
  const list = parsedJson(text);
  if (!isObject(list) || list.version !== 1 || !Array.isArray(list.servers)) throw unreadable("its outer form");
  const entries = list.servers.map((value, index) => {
    const entry = parseEntry(value);
    if (!entry) throw unreadable(`server ${index + 1}`);
    return entry;
  });
  if (new Set(entries.map((entry) => entry.name)).size !== entries.length)
    throw unreadable("a name that is there twice");
  return entries;
}

export function entriesText(servers: readonly Entry[]): string {
  return `${JSON.stringify({ version: 1, servers }, null, 2)}\n`;
}

function parseEntry(value: unknown): Entry | undefined {
  if (!isObject(value)) return undefined;
  const { name, program, args, cwd, env, path, files, allowedAt } = value;
  if (!isText(name) || !SERVER_NAME.test(name) || !isText(program) || !isText(cwd) || !isText(path)) return undefined;
  if (!isTexts(args) || !isTexts(env) || !Array.isArray(files) || typeof allowedAt !== "number") return undefined;
  if (files.length === 0 || !files.every(isPinnedFile)) return undefined;
  const entry = { name, program, args, cwd, env, path, files, allowedAt };
  if (value.package === undefined) return entry;
  if (!isPinnedPackage(value.package) || !isObject(value.asked)) return undefined;
  const { program: runner, args: words } = value.asked;
  if (!isText(runner) || !isTexts(words)) return undefined;
  return { ...entry, package: value.package, asked: { program: runner, args: words } };
}

function isPinnedFile(value: unknown): value is PinnedFile {
  return isObject(value) && isText(value.path) && isText(value.real) && isText(value.sha256) && isText(value.stamp);
}

function isPinnedPackage(value: unknown): value is PinnedPackage {
  if (!isObject(value) || (value.manager !== "npm" && value.manager !== "uv")) return false;
  return ["name", "version", "integrity", "folder", "contents", "stamps"].every((member) => isText(value[member]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
