/** `list`, `remove` and `logs`: what is allowed, taking it back, and what servers said. */
import { rmSync } from "node:fs";
import { SERVER_NAME } from "../../bridge/native.ts";
import { disallow, readEntries, readProposals } from "../allow/allow-list.ts";
import { entryProblem } from "../allow/check-entry.ts";
import { removePackage } from "../allow/install-package.ts";
import { lastLines, logPath } from "../log-file.ts";
import { type Context, parseOptions, refuseRoot, Usage } from "./context.ts";
import { entryLines } from "./show.ts";

export async function list({ screen, home, spellOut }: Context): Promise<number> {
  const entries = readEntries(home);
  if (entries.length === 0)
    screen.say(spellOut("Nothing is allowed. Allow a server with: navra-host add NAME -- PROGRAM ARGUMENTS"));
  for (const entry of entries) {
    screen.say(entry.name);
    for (const line of entryLines(entry)) screen.say(line);
    const problem = await entryProblem(entry);
    if (problem !== undefined) screen.say(`  problem     ${spellOut(problem)}`);
  }
  const waiting = readProposals(home);
  for (const { proposal, words } of waiting)
    screen.say(spellOut(`${proposal.name} waits for navra-host review (${words})`));
  return 0;
}

export async function remove(context: Context, argv: readonly string[]): Promise<number> {
  refuseRoot(context);
  const { screen, home } = context;
  const [name] = parseOptions(argv).words;
  if (name === undefined || !SERVER_NAME.test(name)) throw new Usage("Use it like this: navra-host remove NAME");
  const entry = readEntries(home).find((one) => one.name === name);
  if (!entry) throw new Usage(`${name} is not in the list. See it with: navra-host list`);
  await disallow(home, name);
  rmSync(home.values(name), { force: true });
  rmSync(logPath(home.logs, name), { force: true });
  rmSync(`${logPath(home.logs, name)}.1`, { force: true });
  removePackage(home.packages, entry.package?.folder);
  screen.say(`${name} is not allowed any more. One that runs now ends when its page or browser closes.`);
  return 0;
}

export function logs({ screen, home }: Context, argv: readonly string[]): number {
  const [name] = parseOptions(argv).words;
  if (name !== undefined && !SERVER_NAME.test(name)) throw new Usage("Use it like this: navra-host logs [NAME]");
  const lines = lastLines(logPath(home.logs, name), 200);
  if (lines.length === 0) screen.say("Nothing was written yet.");
  for (const line of lines) screen.say(line);
  return 0;
}
