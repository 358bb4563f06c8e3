/**
 * What a command really runs. A pinned `node` that is given `-e` runs whatever the argument says, and a pinned `npx` runs
 * whatever the registry says today; so for an interpreter the script is what counts, for a runner the package at an exact
 * version, and whatever would run a text, or something that cannot be named now, is refused with the way to do it.
 */

import { visible } from "../readable.ts";
import { wrapperProblem } from "./wrappers.ts";

export type Classified =
  /** It is itself what runs. */
  | { readonly kind: "program" }
  /** `args[index]` is the file that runs. */
  | { readonly kind: "script"; readonly index: number }
  | { readonly kind: "package"; readonly spec: PackageSpec }
  | { readonly kind: "refused"; readonly message: string };

export interface PackageSpec {
  readonly manager: "npm" | "uv";
  readonly name: string;
  readonly version: string;
  /** The command within the package, where it was named. */
  readonly command?: string;
  readonly args: readonly string[];
}

/** `program` as a name or path; only its last part counts. */
export function classify(program: string, args: readonly string[]): Classified {
  const name = nameOf(program);
  if (args.some((one) => one.includes("\0"))) return refused("An argument with a zero byte cannot be passed on.");
  const wrapper = wrapperProblem(name);
  if (wrapper !== undefined) return refused(wrapper);
  if (name === "bun" && args[0] === "x") return npmSpec(args.slice(1));
  const runner = RUNNERS.get(name);
  if (runner) return runner(name, args);
  const interpreter = INTERPRETERS.find((one) => one.name.test(name));
  if (interpreter) return scriptOf(interpreter, name, args);
  return { kind: "program" };
}

/** Without folder, extension and version: `node-20` and `python3.12-dbg` run the same texts as `node` and `python`. */
function nameOf(program: string): string {
  const last = (program.split(/[\\/]/).at(-1) ?? "").toLowerCase().replace(/\.(exe|cmd|bat|com|ps1)$/, "");
  return /^(ld|qemu)[-.]/.test(last) ? last : last.replace(/[-_]?\d[\d.]*(-(dbg|debug|intel64|c|\w+-linux-\w+))?$/, "");
}

interface Interpreter {
  readonly name: RegExp;
  /** Options that change nothing about which code runs; every other one is refused. */
  readonly harmless: RegExp;
  /** A word that may come first, such as `run`. */
  readonly verb?: RegExp;
  /** Without it what follows would be code, not a file. */
  readonly needs?: RegExp;
}

const INTERPRETERS: readonly Interpreter[] = [
  {
    name: /^(node|nodejs|iojs)$/,
    harmless:
      /^--(enable-source-maps|no-warnings|no-deprecation|trace-warnings|max-old-space-size=\d+|max-http-header-size=\d+|use-system-ca|dns-result-order=\w+)$/,
  },
  { name: /^(tsx|ts-node)$/, harmless: /^--no-warnings$/ },
  { name: /^bun$/, harmless: /^--(silent|smol)$/, verb: /^run$/ },
  {
    name: /^deno$/,
    harmless: /^(-A|-q|--quiet|--no-prompt|--no-remote|--cached-only|--(allow|deny)-[a-z]+(=.*)?)$/,
    verb: /^run$/,
  },
  { name: /^(pythonw?|pypy|pyw?)$/, harmless: /^-([uBEsSIOdq]+|[23](\.\d+)?)$/ },
  {
    name: /^(ruby|jruby|perl|lua|luajit|php|php-cgi|rscript|julia|tclsh|wish|guile|osascript|escript|groovy|scala|kotlin|swift)$/,
    harmless: /^-w$/,
  },
  { name: /^(sh|bash|rbash|zsh|dash|ash|ksh|mksh|csh|tcsh|fish|nu|elvish|xonsh)$/, harmless: /^-[eu]+$/ },
  { name: /^pwsh$/, harmless: /^-(NoProfile|NonInteractive|NoLogo|File)$/i },
  { name: /^powershell$/, harmless: /^-(NoProfile|NonInteractive|NoLogo|File)$/i, needs: /^-File$/i },
  { name: /^javaw?$/, harmless: /^(-jar|-Xm[sx]\d+[kmg])$/i },
  { name: /^dotnet$/, harmless: /^exec$/ },
];

function scriptOf({ harmless, verb, needs }: Interpreter, name: string, args: readonly string[]): Classified {
  let index = 0;
  if (verb?.test(args[0] ?? "")) index += 1;
  while (index < args.length && harmless.test(args[index] ?? "")) index += 1;
  const at = args[index];
  if (needs && !args.slice(0, index).some((one) => needs.test(one))) {
    return refused(`${name} takes a text for a command unless it is told otherwise. Write -File before the script.`);
  }
  if (at === "--" && index + 1 < args.length) return { kind: "script", index: index + 1 };
  if (at === undefined || at === "-" || at === "--") {
    return refused(`${name} alone runs whatever it is told. Give the full path of the script as its argument.`);
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(at) && !/^[a-z]:[\\/]/i.test(at)) {
    return refused("A script from an address can change at any time. Save it to a file and give its path.");
  }
  if (!at.startsWith("-")) return { kind: "script", index };
  if (/^-m/.test(at) && /^py/.test(name)) {
    return refused(
      "-m runs whatever module is found. Use uvx with a version, as in uvx NAME==1.2.3, or a script's path.",
    );
  }
  return refused(
    `The option ${visible(at)} of ${name} can run code that nobody has seen here. Put what it does into a script and give its path.`,
  );
}

type Runner = (name: string, args: readonly string[]) => Classified;

const RUNNERS: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  ["npx", (_, args) => npmSpec(args)],
  ["bunx", (_, args) => npmSpec(args)],
  ["npm", (name, args) => afterVerb(name, args, /^(exec|x)$/, npmSpec)],
  ["pnpm", (name, args) => afterVerb(name, args, /^(dlx|exec)$/, npmSpec)],
  ["yarn", (name, args) => afterVerb(name, args, /^dlx$/, npmSpec)],
  ["pnpx", (_, args) => npmSpec(args)],
  ["uvx", (_, args) => uvSpec(args)],
  ["pipx", (name, args) => afterVerb(name, args, /^run$/, uvSpec)],
  ["uv", (name, args) => (args[0] === "tool" ? afterVerb(name, args.slice(1), /^run$/, uvSpec) : uvOther())],
]);

function afterVerb(
  name: string,
  args: readonly string[],
  verb: RegExp,
  rest: (args: readonly string[]) => Classified,
): Classified {
  if (verb.test(args[0] ?? "")) return rest(args.slice(1));
  return refused(
    `${name} ${visible(args[0] ?? "")} runs what a project's files say at that time. Give the program that it starts, by its path.`,
  );
}

function uvOther(): Classified {
  return refused("uv run makes its own choice of what runs. Use uvx NAME==1.2.3, or python with a script's full path.");
}

const EXACT = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const NPM = /^((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)(?:@(.+))?$/i;

function npmSpec(args: readonly string[]): Classified {
  const read = runnerArgs(args, { harmless: /^(-y|--yes|-q|--quiet|--prefer-offline|--)$/, names: /^(-p|--package)$/ });
  if (read.problem !== undefined) return refused(read.problem);
  const match = NPM.exec(read.spec);
  if (!match) return refused("Only packages by name can be installed, not files, addresses or repositories.");
  const [, name = "", version = ""] = match;
  if (!EXACT.test(version)) {
    return refused(
      `Without an exact version the registry decides what runs. Find one with: npm view ${name} version, and write ${name}@VERSION.`,
    );
  }
  const command = read.command === undefined ? {} : { command: read.command };
  return { kind: "package", spec: { manager: "npm", name, version, ...command, args: read.rest } };
}

const PYTHON = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?:\[[A-Za-z0-9,._-]+\])?(?:(?:==|@)(.+))?$/;

function uvSpec(args: readonly string[]): Classified {
  const read = runnerArgs(args, { harmless: /^(-q|--quiet|--offline|--isolated)$/, names: /^(--from|--spec)$/ });
  if (read.problem !== undefined) return refused(read.problem);
  const match = PYTHON.exec(read.spec);
  if (!match) return refused("Only packages by name can be installed, not files, addresses or repositories.");
  const [, name = "", version = ""] = match;
  if (!/^\d+(?:\.\d+)*(?:(?:a|b|rc|\.post|\.dev)\d+)?$/.test(version)) {
    return refused(
      `Without an exact version the index decides what runs. Look for it on https://pypi.org/project/${name}/ and write ${name}==VERSION.`,
    );
  }
  const command = read.command === undefined ? {} : { command: read.command };
  return { kind: "package", spec: { manager: "uv", name, version, ...command, args: read.rest } };
}

interface RunnerArgs {
  readonly spec: string;
  readonly command?: string;
  readonly rest: readonly string[];
  readonly problem?: string;
}

/** A runner's own options, then the package or, where an option named the package, the command. */
function runnerArgs(
  args: readonly string[],
  { harmless, names }: { readonly harmless: RegExp; readonly names: RegExp },
): RunnerArgs {
  const none = { spec: "", rest: [] };
  let named: string | undefined;
  for (let index = 0; index < args.length; index += 1) {
    const one = args[index] ?? "";
    const [option = "", attached] = one.split(/=(.*)/s);
    if (names.test(option) && named !== undefined)
      return { ...none, problem: "Only one package can be allowed at once." };
    if (names.test(option)) {
      named = attached ?? args[index + 1] ?? "";
      if (attached === undefined) index += 1;
      continue;
    }
    if (harmless.test(one)) continue;
    if (one.startsWith("-")) {
      return { ...none, problem: `The option ${visible(option)} can run other code than the package. Leave it out.` };
    }
    const rest = args.slice(index + 1);
    return named === undefined ? { spec: one, rest } : { spec: named, command: one, rest };
  }
  if (named !== undefined) return { spec: named, rest: [] };
  return { ...none, problem: "No package is named. Write it with its version, as in npx NAME@1.2.3." };
}

function refused(message: string): Classified {
  return { kind: "refused", message };
}
