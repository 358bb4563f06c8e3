/** The one question by which anything gets into the allow-list, whether it was typed, proposed or imported. */
import { allow, readEntries } from "../allow/allow-list.ts";
import { removePackage } from "../allow/install-package.ts";
import { type Draft, makeEntry, type Terminal } from "../allow/make-entry.ts";
import { type Context, Usage } from "./context.ts";
import { draftLines } from "./show.ts";

/** Shows it, asks unless that was done, and puts it into the list. Whether it is there now. */
export async function allowAsked(context: Context, draft: Draft, asked: boolean): Promise<boolean> {
  const { screen, home } = context;
  const { name } = draft.proposal;
  const replaces = readEntries(home).some((entry) => entry.name === name);
  screen.say(`${name}${replaces ? " (in place of the one that is allowed now)" : ""}`);
  for (const line of draftLines(draft)) screen.say(line);
  if (!asked) {
    if (!screen.interactive)
      throw new Usage("A question must be answered in a terminal. Scripts of your own say --yes.");
    if (!(await screen.ask("May web agents that you connected to it use this through navra?"))) {
      screen.say(`${name} is not allowed.`);
      return false;
    }
  }
  const entry = await makeEntry(draft, home, { say: screen.say, now: context.now() });
  const replaced = await allow(home, entry).catch((problem: unknown) => {
    removePackage(home.packages, entry.package?.folder);
    throw problem;
  });
  removePackage(home.packages, replaced?.package?.folder);
  screen.say(`${name} is allowed. In navra's dashboard, use it under Servers, From this computer.`);
  for (const variable of draft.proposal.env) {
    const file = `${home.values(name)} (chmod 600)`;
    // What this terminal has, a browser started from a desktop may not have.
    if (process.env[variable] === undefined) screen.say(`Write ${variable}=… into ${file}.`);
    else
      screen.say(`${variable} is read from ${file}, or else from the environment that the browser was started with.`);
  }
  return true;
}

export function terminalOf({ folder, machine }: Context): Terminal {
  return { path: process.env.PATH ?? "", folder, platform: machine.platform, extensions: process.env.PATHEXT };
}
