/**
 * What a person types to get to this program. Sentences say `navra-host add`, a name that nobody's `PATH` has; on the way
 * to a screen it becomes the command that works on this machine, with the options that lead to the same list.
 *
 * Only sentences of our own pass here, never what others wrote: what would run is shown as it is.
 */
import { posix, win32 } from "node:path";
import { type Machine, planInstall, type Scope } from "./browsers/install-plan.ts";

export interface OwnNameOptions {
  readonly machine: Machine;
  readonly scope: Scope;
  /** The file that runs now. */
  readonly bundle: string;
  /** Where the person is. */
  readonly folder: string;
}

/** Puts what works in the place of `navra-host COMMAND`. */
export type SpellOut = (sentence: string) => string;

export function ownName(options: OwnNameOptions): SpellOut {
  const { program, launcher } = planInstall(options.machine, options.scope);
  const installed = program === options.bundle;
  const call = installed ? quoted(launcher) : `node ${quoted(nearest(options))}`;
  return (sentence) =>
    sentence.replace(NAMED, (_, command: string) => `${call} ${command}${installed ? "" : option(command, options)}`);
}

const NAMED = /\bnavra-host (install|uninstall|doctor|add|review|list|remove|logs)\b/g;
/** Those that differ for everyone on the machine. */
const OF_ALL: ReadonlySet<string> = new Set(["install", "uninstall", "doctor"]);

function option(command: string, { scope }: OwnNameOptions): string {
  if (scope.kind === "profile") return ` --profile ${quoted(scope.folder)}`;
  return scope.kind === "system" && OF_ALL.has(command) ? " --system" : "";
}

/** As short as it can be said from where the person is. */
function nearest({ machine, bundle, folder }: OwnNameOptions): string {
  const of = machine.platform === "win32" ? win32 : posix;
  const path = of.relative(folder, bundle);
  return path.startsWith("..") || of.isAbsolute(path) ? bundle : path;
}

/** Of the shells that could be meant, what all of them take: quotes only where there is something to quote. */
function quoted(path: string): string {
  return /^[\w@%+=:,./\\~-]+$/.test(path) ? path : `"${path}"`;
}
