/**
 * What the browser started: checks who called, then serves the port until it closes. The browser looks at the manifest
 * before it starts a host; the caller is looked at here again, so that a manifest someone changed gives nobody else a way in.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { homeAt, homeFolder } from "./allow/home.ts";
import { CHROMIUM_ID, FIREFOX_ID, type Scope } from "./browsers/install-plan.ts";
import { platformOf } from "./commands/context.ts";
import { runChecks } from "./commands/doctor.ts";
import { createLogFile, type LogFile, logPath } from "./log-file.ts";
import { ownName } from "./own-name.ts";
import { answerAsk } from "./port/answer.ts";
import { encodeMessage } from "./port/framing.ts";
import { planServer } from "./port/plan-server.ts";
import { serve } from "./port/serve.ts";
import { createWarden } from "./run/warden.ts";
import { VERSION } from "./version.ts";

/** The extension that a browser says is calling, or `undefined` when this is no call of a browser. */
export function callerOf(argv: readonly string[]): string | undefined {
  const [first = "", second = ""] = argv;
  if (/^(chrome|moz)-extension:/.test(first)) return first;
  return /\.json$/.test(first) && second !== "" && !second.startsWith("-") ? second : undefined;
}

export function isOurs(caller: string): boolean {
  return caller === `chrome-extension://${CHROMIUM_ID}/` || caller === FIREFOX_ID;
}

export async function startHost(caller: string, homeNamed: string | undefined, script: string): Promise<number> {
  const platform = platformOf();
  const home = homeAt(homeNamed ?? homeFolder(platform, process.env));
  // Uninstalled while a browser is open: nothing of what was removed may come back.
  const installed = () => existsSync(script);
  const log = createLogFile(logPath(home.logs), installed);
  const write = (line: string) => log.append(`${new Date().toISOString()} [${process.pid}] ${line}\n`);
  if (!isOurs(caller)) {
    const message = "This host works with navra alone. Run navra-host doctor in a terminal.";
    write(`A caller that is not navra was refused: ${caller.slice(0, 200)}`);
    log.flush();
    const refusal = encodeMessage({ kind: "refused", reason: "caller", message });
    await new Promise((resolve) => process.stdout.end(refusal, () => resolve(undefined)));
    return 1;
  }
  write(`Called by ${caller}`);
  process.on("uncaughtException", (problem) => {
    write(`The host ends because of a fault of its own: ${problem.stack ?? problem.message}`);
    log.flush();
    // The warden ends the servers.
    process.exit(1);
  });
  const serverLogs = new Map<string, LogFile>();
  const scope: Scope = homeNamed === undefined ? installedScope() : { kind: "profile", folder: profileOf(homeNamed) };
  const machine = { platform, env: process.env, node: process.execPath, exists: existsSync };
  const spellOut = ownName({ machine, scope, bundle: script, folder: homedir() });
  const answerPorts = {
    home,
    surroundings: process.env,
    now: Date.now,
    spellOut,
    health: async () => ({ checks: await runChecks({ machine, scope, home, bundle: script, spellOut }) }),
  };
  await serve(process.stdin, process.stdout, {
    version: VERSION,
    plan: (server) => planServer(server, { home, platform, surroundings: process.env }),
    answer(ask, servers) {
      if (!installed()) throw new Error("navra-host was uninstalled. Install it again, or restart the browser.");
      return answerAsk(ask, servers, answerPorts);
    },
    spellOut,
    warden: createWarden(script),
    log: write,
    keep(server, bytes) {
      const file = serverLogs.get(server) ?? createLogFile(logPath(home.logs, server), installed);
      serverLogs.set(server, file);
      file.append(bytes);
    },
    now: Date.now,
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    graces: { inputClosedMs: 2000, terminatedMs: 2000 },
  });
  for (const file of [log, ...serverLogs.values()]) file.flush();
  return 0;

  function installedScope(): Scope {
    return { kind: script.startsWith("/usr/local/lib/") || /program files/i.test(script) ? "system" : "user" };
  }
}

/** A profile's home is a folder in it. */
function profileOf(home: string): string {
  return home.replace(/[\\/]navra-host[\\/]?$/, "");
}
