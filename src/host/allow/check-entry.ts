/**
 * Whether what would run now is what was allowed: looked at again directly before each start. What was replaced, relinked
 * or removed since is not started, and the person is told which file it was.
 */

import { visible } from "../readable.ts";
import type { Entry } from "./entry.ts";
import { fileProblem, treeOf, treeStamps } from "./pin-file.ts";

/** A sentence with the remedy, or nothing. */
export async function entryProblem(entry: Entry): Promise<string | undefined> {
  for (const file of entry.files) {
    const problem = await fileProblem(file);
    if (problem !== undefined) return `${visible(file.path)} ${problem}. ${again(entry)}`;
  }
  const { package: package_ } = entry;
  if (!package_) return undefined;
  try {
    if ((await treeStamps(package_.folder)) === package_.stamps) return undefined;
    if ((await treeOf(package_.folder)).contents === package_.contents) return undefined;
    return `The installed package ${package_.name} has changed since it was allowed. ${again(entry)}`;
  } catch {
    return `The installed package ${package_.name} is not there any more. ${again(entry)}`;
  }
}

function again(entry: Entry): string {
  return `If you changed it yourself, allow it again in a terminal: navra-host review ${entry.name}`;
}
