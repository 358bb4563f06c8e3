/** `add --import`: entries of other programs' configuration, one by one, each asked about like every other. */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { draftEntry } from "../allow/make-entry.ts";
import { writeOwned } from "../allow/safe-file.ts";
import { visible } from "../readable.ts";
import { allowAsked, terminalOf } from "./allow-asked.ts";
import { configFiles, type Found, readConfig } from "./config-files.ts";
import { type Context, Usage } from "./context.ts";

export async function importServers(context: Context, file: string | undefined): Promise<number> {
  const { screen, machine, folder } = context;
  if (!screen.interactive) throw new Usage("Importing asks about each server, in a terminal.");
  const all = file === undefined ? configFiles(machine, folder) : [{ from: "File", path: resolve(folder, file) }];
  const there = all.filter(({ path }) => existsSync(path));
  if (there.length === 0) throw new Usage(`Nothing to import: ${all.map(({ path }) => path).join(", ")} do not exist.`);
  for (const { from, path } of there) {
    screen.say(`\n${from}: ${path}`);
    for (const found of reading(path, screen.say)) await offer(context, found);
  }
  return 0;
}

async function offer(context: Context, found: Found): Promise<void> {
  const { screen, home } = context;
  if (found.kind === "left-out") {
    screen.say(`${visible(found.name)} is left out. ${found.why}`);
    return;
  }
  const { proposal, values } = found;
  try {
    const allowed = await allowAsked(
      context,
      draftEntry(proposal, { ...terminalOf(context), folder: homedir() }),
      false,
    );
    const lines = Object.entries(values).filter(([, value]) => !/[\r\n]/.test(value));
    if (!allowed || lines.length === 0) return;
    writeOwned(home.values(proposal.name), lines.map(([name, value]) => `${name}=${value}\n`).join(""));
    screen.say(`Its values are kept in ${home.values(proposal.name)}, readable by you alone.`);
  } catch (problem) {
    screen.say(`${proposal.name} is left out. ${(problem as Error).message}`);
  }
}

function reading(path: string, say: (line: string) => void): Found[] {
  try {
    return readConfig(readFileSync(path, "utf8"));
  } catch (problem) {
    say(`It cannot be read: ${(problem as Error).message}`);
    return [];
  }
}
