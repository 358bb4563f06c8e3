/**
 * From what a person or a browser wrote to an entry that pins what really runs. Used by `add` and by `review`, after the
 * question was answered; everything that can be refused is refused before it is asked.
 */
import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, resolve } from "node:path";
import { type Proposal, SERVER_NAME } from "../../bridge/native.ts";
import { visible } from "../readable.ts";
import type { Platform } from "../run/spawn-plan.ts";
import { type Classified, classify } from "./classify.ts";
import type { Entry, PinnedFile } from "./entry.ts";
import type { Home } from "./home.ts";
import { findNpm, installPackage } from "./install-package.ts";
import { pinFile, writersProblem } from "./pin-file.ts";
import { resolveProgram } from "./resolve-program.ts";
import { variableProblem } from "./values.ts";

export interface Terminal {
  /** `PATH` of the terminal. */
  readonly path: string;
  /** Where a relative program is; a script too, unless a working folder is given. */
  readonly folder: string;
  readonly platform: Platform;
  readonly extensions: string | undefined;
}

/** What would be allowed, as far as it is known before anything is installed. */
export interface Draft {
  readonly proposal: Proposal;
  /** Absolute. */
  readonly program: string;
  readonly cwd: string;
  /** Absolute path of the script, where one runs. */
  readonly script?: string;
  readonly what: Exclude<Classified, { readonly kind: "refused" }>;
  readonly path: string;
}

/** @throws Error with a sentence when it can never be allowed like this */
export function draftEntry(proposal: Proposal, terminal: Terminal): Draft {
  if (!SERVER_NAME.test(proposal.name))
    throw new Error("A name has 1 to 64 letters, digits, dots, dashes, underscores.");
  for (const name of proposal.env) {
    const problem = variableProblem(name);
    if (problem !== undefined) throw new Error(problem);
  }
  const cwd = proposal.cwd === "" ? homedir() : proposal.cwd;
  if (!isAbsolute(cwd)) throw new Error("The working folder must be an absolute path.");
  if (!isFolder(cwd)) throw new Error(`There is no folder ${visible(cwd)}.`);
  const program = resolveProgram(proposal.program, {
    platform: terminal.platform,
    path: terminal.path,
    from: terminal.folder,
    isProgram,
    ...(terminal.extensions === undefined ? {} : { extensions: terminal.extensions }),
  });
  // A name says what it is before it is looked for: the remedy for `npx` is the same where npx is not installed.
  const what = classify(program ?? proposal.program, proposal.args);
  if (what.kind === "refused") throw new Error(what.message);
  if (what.kind === "package") return { proposal, program: proposal.program, cwd, what, path: terminal.path };
  if (!program) throw new Error(`${visible(proposal.program)} was not found. Give its full path, or install it first.`);
  // A name that leads to an interpreter under another name is that interpreter.
  const behind = classify(realName(program), proposal.args);
  if (behind.kind === "refused") throw new Error(behind.message);
  const runs = behind.kind === "script" ? behind : what;
  const draft = { proposal, program, cwd, what: runs, path: terminal.path };
  if (runs.kind !== "script") return draft;
  const script = resolve(proposal.cwd === "" ? terminal.folder : cwd, proposal.args[runs.index] ?? "");
  if (!isFile(script)) throw new Error(`There is no script ${visible(script)}.`);
  return { ...draft, script };
}

/** @throws Error with a sentence */
export async function makeEntry(
  draft: Draft,
  home: Home,
  { say, now }: { readonly say: (line: string) => void; readonly now: number },
): Promise<Entry> {
  const { proposal, cwd, path, what } = draft;
  const base = { name: proposal.name, cwd, env: proposal.env, path, allowedAt: now };
  if (what.kind === "package") {
    const node = process.execPath;
    const uv = resolveProgram("uv", { platform: platform(), path, from: cwd, isProgram });
    const tools = { node, npm: findNpm(node), uv };
    const installed = await installPackage({ spec: what.spec, server: proposal.name, into: home.packages, tools, say });
    const { program, args, package: package_ } = installed;
    const asked = { program: proposal.program, args: proposal.args };
    return { ...base, program, args, files: await pinAll([program]), package: package_, asked };
  }
  const { script } = draft;
  const args = proposal.args.map((one, index) =>
    what.kind === "script" && index === what.index && script ? script : one,
  );
  const named = [draft.program, ...(script ? [script] : [])];
  const files = await pinAll([...named, ...interpreterOf(named.at(-1) ?? "", path)]);
  return { ...base, program: draft.program, args, files };
}

/** The file that the first line of a script names, which is part of what runs. */
function interpreterOf(script: string, path: string): string[] {
  const line = readFileSync(script).subarray(0, 256).toString("latin1").split("\n")[0] ?? "";
  const match = /^#!\s*(\S+)(?:\s+(?:-S\s+)?(\S+))?/.exec(line);
  if (!match) return [];
  const [, first = "", second] = match;
  const program = basename(first) === "env" ? second : first;
  const found = program && resolveProgram(program, { platform: platform(), path, from: "/", isProgram });
  return found ? [found] : [];
}

async function pinAll(paths: readonly string[]): Promise<PinnedFile[]> {
  const pinned: PinnedFile[] = [];
  for (const path of new Set(paths)) {
    const problem = await writersProblem(path);
    if (problem !== undefined) throw new Error(problem);
    pinned.push(await pinFile(path));
  }
  return pinned;
}

function realName(program: string): string {
  try {
    const first = readFileSync(program).subarray(0, 2).toString("latin1");
    // A script that is called `node` by a version manager decides itself; its own name counts.
    return first === "#!" ? program : realpathSync(program);
  } catch {
    return program;
  }
}

function isProgram(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    if (process.platform !== "win32") accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function platform(): Platform {
  return process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux";
}
