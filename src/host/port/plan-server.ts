/**
 * From a name to what is started: the list as it is at this moment, the entry's pins looked at again, its values read. A
 * name that is not in the list is refused in words that tell the person, and nobody else, how to allow it.
 */
import { readEntries } from "../allow/allow-list.ts";
import { entryProblem } from "../allow/check-entry.ts";
import type { Entry } from "../allow/entry.ts";
import type { Home } from "../allow/home.ts";
import { valuesFor } from "../allow/values.ts";
import { type Platform, planSpawn, type SpawnPlan } from "../run/spawn-plan.ts";
import { NotAllowed } from "./serve.ts";

export interface PlanPorts {
  readonly home: Home;
  readonly platform: Platform;
  readonly surroundings: Readonly<Record<string, string | undefined>>;
}

/** @throws NotAllowed */
export async function planServer(server: string, { home, platform, surroundings }: PlanPorts): Promise<SpawnPlan> {
  const entry = reading(() => readEntries(home)).find((one) => one.name === server);
  if (!entry) {
    throw new NotAllowed(
      "not-listed",
      `"${server}" is not allowed on this machine. Add it in a terminal: navra-host add`,
    );
  }
  const problem = await entryProblem(entry);
  if (problem !== undefined) throw new NotAllowed("changed", problem);
  const values = { ...reading(() => valuesFor(home, entry, surroundings)), ...quiet(entry) };
  const { program, args, cwd, path } = entry;
  return reading(() => planSpawn({ platform, program, args, cwd, surroundings, path, values }));
}

/** Python would write its compiled files into the pinned folder, which would then not be what was allowed. */
function quiet(entry: Entry): Record<string, string> {
  return entry.package?.manager === "uv" ? { PYTHONDONTWRITEBYTECODE: "1" } : {};
}

function reading<T>(run: () => T): T {
  try {
    return run();
  } catch (problem) {
    throw new NotAllowed("not-startable", (problem as Error).message);
  }
}
