/** What a person is shown before they allow something, and in lists: all of it, one fact a line. */
import type { Proposal } from "../../bridge/native.ts";
import type { Entry } from "../allow/entry.ts";
import type { Draft } from "../allow/make-entry.ts";
import { visible } from "../readable.ts";

export function draftLines(draft: Draft): string[] {
  const { proposal, program, cwd, script, what } = draft;
  const runs =
    what.kind === "package"
      ? `${what.spec.name} ${what.spec.version}, installed by navra-host without its install scripts`
      : script !== undefined
        ? `the script ${visible(script)}, as it is now`
        : "this program, as it is now";
  return facts([
    ["program", visible(program)],
    ["arguments", argumentsText(proposal.args)],
    ["folder", visible(cwd)],
    ["environment", environmentText(proposal)],
    ["runs", runs],
  ]);
}

export function entryLines(entry: Entry): string[] {
  return facts([
    ["program", visible(entry.program)],
    ["arguments", argumentsText(entry.args)],
    ["folder", visible(entry.cwd)],
    ["environment", environmentText(entry)],
    ...(entry.package ? [["package", `${entry.package.name} ${entry.package.version}`] as const] : []),
    ...entry.files.map((file) => ["pinned", `${file.sha256.slice(0, 16)}… ${visible(file.path)}`] as const),
  ]);
}

function argumentsText(args: readonly string[]): string {
  return args.length === 0 ? "none" : args.map(visible).join(" ");
}

function environmentText({ env }: Pick<Proposal, "env">): string {
  return env.length === 0 ? "nothing of its own" : env.map(visible).join(", ");
}

function facts(pairs: readonly (readonly [string, string])[]): string[] {
  return pairs.map(([name, value]) => `  ${name.padEnd(12)}${value}`);
}
