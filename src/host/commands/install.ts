/** `install` and `uninstall`: the host's own file, its launcher, and a manifest for each browser that is there. */
import { existsSync } from "node:fs";
import { carryOut, takeAway } from "../browsers/carry-out.ts";
import { planInstall, planRemoval, type Scope } from "../browsers/install-plan.ts";
import { BROWSERS } from "../browsers/table.ts";
import { ownName } from "../own-name.ts";
import { type Context, parseOptions, refuseRoot, Usage } from "./context.ts";

export function install(context: Context, argv: readonly string[]): number {
  refuseRoot(context, "system");
  parseOptions(argv);
  const { machine, scope, screen } = context;
  const plan = planInstall(machine, scope);
  if (scope.kind === "profile" && machine.platform === "win32")
    throw new Usage("On Windows browsers look for hosts in the registry, not in a profile. Leave --profile out.");
  if (scope.kind !== "profile" && plan.browsers.length === 0) {
    throw new Usage(
      `None of ${BROWSERS.map((browser) => browser.name).join(", ")} was found for you. Start your browser once and try again.`,
    );
  }
  allowedTo(scope, () => carryOut(plan.steps, context.bundle));
  for (const browser of plan.browsers) screen.say(`Registered with ${browser.name}.`);
  if (scope.kind === "profile") screen.say(`Registered for the browser profile ${scope.folder}.`);
  screen.say(`The host is ${plan.launcher}.`);
  // From now on the installed one is there, also when what was built is gone.
  const spellOut = ownName({ ...context, bundle: plan.program });
  screen.say(spellOut("Nothing may run yet. Allow a server with:\n  navra-host add NAME -- PROGRAM ARGUMENTS"));
  return 0;
}

export async function uninstall(context: Context, argv: readonly string[]): Promise<number> {
  refuseRoot(context, "system");
  const { machine, scope, screen, home } = context;
  const plan = planRemoval(machine, scope);
  // What each person allowed is theirs; for everyone on the machine only the host itself goes.
  const folders = scope.kind === "system" ? [] : [home.folder];
  if (!parseOptions(argv, { flags: ["--yes"] }).flags.has("--yes")) {
    if (!screen.interactive) throw new Usage("Say --yes to remove navra-host without a question.");
    const what = folders.some(existsSync) ? " with the list of allowed servers and their secrets" : "";
    if (!(await screen.ask(`Remove navra-host${what}?`))) return 1;
  }
  const gone = allowedTo(scope, () => takeAway(plan, folders));
  for (const one of gone) screen.say(`Removed ${one}`);
  if (gone.length === 0) screen.say("There was nothing to remove.");
  return 0;
}

/** Where the person may not write, they are told what would let them. */
function allowedTo<T>(scope: Scope, run: () => T): T {
  try {
    return run();
  } catch (problem) {
    const { code, path } = problem as NodeJS.ErrnoException;
    if (code !== "EACCES" && code !== "EPERM") throw problem;
    const remedy = scope.kind === "system" ? "Run this with sudo, or leave --system out." : `See: ls -ld ${path}`;
    throw new Usage(`You may not write ${path}. ${remedy}`);
  }
}
