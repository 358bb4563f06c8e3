/**
 * `review`: the only way from what a browser proposed to what may run. Each proposal is shown in full with the four words
 * that the dashboard shows, and asked about; this needs a person's terminal and has no flag around it. With the name of
 * an allowed server, that one is pinned anew as it is today, after the same question.
 */
import { homedir } from "node:os";
import { readEntries, readProposals, settle } from "../allow/allow-list.ts";
import { draftEntry } from "../allow/make-entry.ts";
import { allowAsked, terminalOf } from "./allow-asked.ts";
import { type Context, parseOptions, refuseRoot, Usage } from "./context.ts";

export async function review(context: Context, argv: readonly string[]): Promise<number> {
  refuseRoot(context);
  const { screen, home } = context;
  if (!screen.interactive) throw new Usage("review asks questions that only a person in a terminal can answer.");
  const [name] = parseOptions(argv).words;
  // What was not written here means nothing relative to this terminal's folder.
  const terminal = { ...terminalOf(context), folder: homedir() };
  const waiting = readProposals(home).filter((one) => name === undefined || one.proposal.name === name);
  const entry = readEntries(home).find((one) => one.name === name);
  if (name !== undefined && waiting.length === 0 && entry) {
    const { cwd, env } = entry;
    const { program, args } = entry.asked ?? entry;
    screen.say("Pinned anew, as it is now:");
    const draft = draftEntry({ name, program, args, cwd, env }, terminal);
    return (await allowAsked(context, draft, false)) ? 0 : 1;
  }
  if (waiting.length === 0) screen.say("Nothing waits for you.");
  for (const { proposal, words, at } of waiting) {
    screen.say(`\nProposed in the browser on ${new Date(at).toLocaleString()}. Go on only if the dashboard shows:\n`);
    screen.say(`    ${words}\n`);
    try {
      await allowAsked(context, draftEntry(proposal, terminal), false);
    } catch (problem) {
      screen.say(`${proposal.name} cannot be allowed like this. ${(problem as Error).message}`);
    }
    await settle(home, proposal, words);
  }
  return 0;
}
