/**
 * What every command works on: whose folder, which scope, which machine. Root is refused unless it says what it means,
 * because `sudo navra-host` would fill root's folder and the person's browser would never look there.
 */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Home, homeAt, homeFolder } from "../allow/home.ts";
import type { Machine, Scope } from "../browsers/install-plan.ts";
import { ownName, type SpellOut } from "../own-name.ts";
import type { Platform } from "../run/spawn-plan.ts";
import { createScreen, type Screen } from "./screen.ts";

export interface Context {
  readonly machine: Machine;
  readonly scope: Scope;
  readonly home: Home;
  readonly screen: Screen;
  /** The file that runs now. */
  readonly bundle: string;
  readonly uid: number | undefined;
  readonly folder: string;
  readonly now: () => number;
  readonly spellOut: SpellOut;
}

/** A wrong use of a command; the sentence says the right one. */
export class Usage extends Error {}

export interface Options {
  readonly words: readonly string[];
  /** What follows `--`. */
  readonly rest: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, readonly string[]>;
}

export interface OptionNames {
  readonly flags?: readonly string[];
  readonly values?: readonly string[];
}

const COMMON: Required<OptionNames> = { flags: ["--system"], values: ["--profile", "--home"] };

/** @throws Usage for an option that the command does not have */
export function parseOptions(argv: readonly string[], { flags = [], values = [] }: OptionNames = {}): Options {
  const found = { words: [] as string[], flags: new Set<string>(), values: new Map<string, string[]>() };
  for (let index = 0; index < argv.length; index += 1) {
    const one = argv[index] ?? "";
    if (one === "--") return { ...found, rest: argv.slice(index + 1) };
    if ([...flags, ...COMMON.flags].includes(one)) found.flags.add(one);
    else if ([...values, ...COMMON.values].includes(one)) {
      const value = argv[index + 1];
      if (value === undefined || value === "") throw new Usage(`${one} needs a value.`);
      found.values.set(one, [...(found.values.get(one) ?? []), value]);
      index += 1;
    } else if (one.startsWith("-")) throw new Usage(`There is no option ${one} here.`);
    else found.words.push(one);
  }
  return { ...found, rest: [] };
}

export function contextOf(options: Options, bundle: string): Context {
  const named = options.values.get("--home")?.[0];
  // Only a profile's launcher names a home, and that is a folder in the profile.
  const profile = options.values.get("--profile")?.[0] ?? (named === undefined ? undefined : dirname(resolve(named)));
  if (profile !== undefined && options.flags.has("--system")) throw new Usage("Give --system or --profile, not both.");
  const scope: Scope =
    profile !== undefined
      ? { kind: "profile", folder: resolve(profile) }
      : { kind: options.flags.has("--system") ? "system" : "user" };
  const machine: Machine = { platform: platformOf(), env: process.env, node: process.execPath, exists: existsSync };
  const own =
    scope.kind === "profile" ? resolve(scope.folder, "navra-host") : homeFolder(machine.platform, process.env);
  return {
    machine,
    scope,
    home: homeAt(named === undefined ? own : resolve(named)),
    screen: createScreen(),
    bundle,
    uid: process.getuid?.(),
    folder: process.cwd(),
    now: Date.now,
    spellOut: ownName({ machine, scope, bundle, folder: process.cwd() }),
  };
}

/** `system`: where the command has a meaning for everyone on the machine; a list is always one person's. @throws Usage */
export function refuseRoot({ uid, scope }: Pick<Context, "uid" | "scope">, system: "system" | "own" = "own"): void {
  if (uid !== 0 || scope.kind === "profile" || (scope.kind === "system" && system === "system")) return;
  const all = system === "system" ? "For everyone on this machine add --system; for" : "For";
  throw new Usage(
    `Run this as the person who uses the browser, without sudo. ${all} one browser profile add --profile DIR.`,
  );
}

export function platformOf(): Platform {
  return process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux";
}
