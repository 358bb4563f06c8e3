/**
 * `add`: a person at a terminal allows a server. It is shown as it will be pinned, and asked about; `--yes` is for scripts
 * that a person wrote.
 */
import type { Proposal } from "../../bridge/native.ts";
import { draftEntry } from "../allow/make-entry.ts";
import { allowAsked, terminalOf } from "./allow-asked.ts";
import { type Context, parseOptions, refuseRoot, Usage } from "./context.ts";
import { importServers } from "./import-servers.ts";

const HOW =
  "navra-host add NAME [--cwd DIR] [--env NAME]… [--yes] -- PROGRAM ARGUMENTS, or navra-host add --import [FILE]";

export async function add(context: Context, argv: readonly string[]): Promise<number> {
  refuseRoot(context);
  const options = parseOptions(argv, { flags: ["--yes", "--import"], values: ["--cwd", "--env"] });
  const { words, rest, flags, values } = options;
  if (flags.has("--import")) return await importServers(context, words[0]);
  const [name] = words;
  const [program, ...args] = rest;
  if (name === undefined || words.length > 1 || program === undefined) throw new Usage(`Use it like this: ${HOW}`);
  const cwd = values.get("--cwd")?.[0] ?? "";
  const proposal: Proposal = { name, program, args, cwd, env: values.get("--env") ?? [] };
  return (await allowAsked(context, draftEntry(proposal, terminalOf(context)), flags.has("--yes"))) ? 0 : 1;
}
