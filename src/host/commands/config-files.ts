/**
 * Entries from the configuration files that people already have: Claude Desktop, Cursor, VS Code. The files are read, never
 * written, and what they hold is only a suggestion: whoever can write one of them must not thereby decide what runs.
 */
import { posix, win32 } from "node:path";
import type { Proposal } from "../../bridge/native.ts";
import type { Machine } from "../browsers/install-plan.ts";

export interface ConfigFile {
  readonly from: string;
  readonly path: string;
}

export function configFiles({ platform, env }: Pick<Machine, "platform" | "env">, folder: string): ConfigFile[] {
  const of = platform === "win32" ? win32 : posix;
  const home = (platform === "win32" ? env.USERPROFILE : env.HOME) ?? "";
  const roaming = env.APPDATA ?? `${home}\\AppData\\Roaming`;
  const config =
    platform === "win32"
      ? roaming
      : platform === "darwin"
        ? `${home}/Library/Application Support`
        : env.XDG_CONFIG_HOME?.startsWith("/")
          ? env.XDG_CONFIG_HOME
          : `${home}/.config`;
  return [
    { from: "Claude Desktop", path: of.join(config, "Claude", "claude_desktop_config.json") },
    { from: "Cursor", path: of.join(home, ".cursor", "mcp.json") },
    { from: "VS Code", path: of.join(config, "Code", "User", "mcp.json") },
    { from: "VS Code, this folder", path: of.join(folder, ".vscode", "mcp.json") },
    { from: "Cursor, this folder", path: of.join(folder, ".cursor", "mcp.json") },
  ];
}

export type Found =
  | {
      readonly kind: "server";
      readonly proposal: Proposal;
      /** Values of its variables, which belong into the server's own file. */
      readonly values: Readonly<Record<string, string>>;
    }
  /** Why an entry is left out, as a sentence. */
  | { readonly kind: "left-out"; readonly name: string; readonly why: string };

/** @throws Error when the file is no JSON object */
export function readConfig(text: string): Found[] {
  const root = objectOf(JSON.parse(withoutComments(text)));
  const servers = objectOf(root?.mcpServers) ?? objectOf(root?.servers) ?? objectOf(objectOf(root?.mcp)?.servers);
  if (!servers) throw new Error("No servers were found in it.");
  return Object.entries(servers).map(([name, value]) => foundOf(name, value));
}

function foundOf(label: string, value: unknown): Found {
  const leftOut = (why: string): Found => ({ kind: "left-out", name: label, why });
  const server = objectOf(value);
  if (!server) return leftOut("It is no object.");
  if (typeof server.command !== "string") {
    if (typeof server.url === "string") return leftOut("It has an address. Add it in navra's dashboard instead.");
    return leftOut("It has no command.");
  }
  const args = server.args ?? [];
  const env = objectOf(server.env ?? {});
  const cwd = server.cwd ?? "";
  if (!Array.isArray(args) || !args.every((one) => typeof one === "string") || !env || typeof cwd !== "string") {
    return leftOut("Its arguments, folder or environment are not understood.");
  }
  if ([server.command, ...args, cwd].some((one) => /\$\{/.test(one))) {
    return leftOut("It uses a placeholder, such as one for the workspace. Add it by hand with the real path.");
  }
  // A placeholder stands for a value that is asked for or kept elsewhere; the person writes it into the file.
  const given = Object.entries(env).filter(
    (pair): pair is [string, string] => typeof pair[1] === "string" && !/\$\{/.test(pair[1]),
  );
  const name =
    label
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 64) || "server";
  const proposal = { name, program: server.command, args, cwd, env: Object.keys(env) };
  return { kind: "server", proposal, values: Object.fromEntries(given) };
}

/** JSON with comments and trailing commas, as VS Code writes it. */
function withoutComments(text: string): string {
  const plain = text.replace(/^\ufeff/, "").replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1");
  return plain.replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, "$1");
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
