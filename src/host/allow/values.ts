/**
 * Values of the variables that an entry names: from a file of the server's own, 0600, else from the host's environment. They
 * never come from the extension and never go to it. Names that make a program load other code are refused, because an entry
 * with one would not pin what runs.
 */

import { visible } from "../readable.ts";
import type { Entry } from "./entry.ts";
import type { Home } from "./home.ts";
import { readOwned } from "./safe-file.ts";

/** @throws Error naming what is missing */
export function valuesFor(
  home: Home,
  entry: Pick<Entry, "name" | "env">,
  surroundings: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const file = parseValues(readOwned(home.values(entry.name)) ?? "");
  const found = entry.env.map((name) => [name, file.get(name) ?? surroundings[name]] as const);
  const missing = found.filter(([, value]) => value === undefined).map(([name]) => name);
  if (missing.length > 0) {
    throw new Error(`${missing.join(", ")} has no value. Write ${missing[0]}=… into ${home.values(entry.name)}.`);
  }
  return Object.fromEntries(found.map(([name, value]) => [name, value ?? ""]));
}

/** Why a variable may not be given to a server, or nothing. */
export function variableProblem(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name))
    return `${visible(name.slice(0, 100))} is no name of an environment variable.`;
  if (!LOADS_CODE.test(name)) return undefined;
  return `${name} can make a program run other code than the one that is allowed. Leave it out.`;
}

/** `NAME=value` on each line; `#` begins a comment. */
export function parseValues(text: string): Map<string, string> {
  const pairs = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => [line.slice(0, Math.max(0, line.indexOf("="))).trim(), line.slice(line.indexOf("=") + 1)] as const);
  return new Map(pairs);
}

const LOADS_CODE =
  /^(PATH|PATHEXT|IFS|ENV|BASH_ENV|SHELLOPTS|NODE_.*|LD_.*|DYLD_.*|PYTHON.*|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|DOTNET_STARTUP_HOOKS|COR_.*|CORECLR_.*|PHP.*|LUA_.*|DENO_.*|BUN_.*|npm_config_.*|NPM_CONFIG_.*|UV_.*|PIP_.*|COMSPEC|NAVRA_RUN)$/i;
