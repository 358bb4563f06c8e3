/**
 * Where navra-host keeps what a person decided: one folder, 0700. The allow-list and the waiting proposals are separate
 * files, because the first says what may run and the second is what a browser wrote.
 */
import { join } from "node:path";
import type { Platform } from "../run/spawn-plan.ts";

export interface Home {
  readonly folder: string;
  readonly servers: string;
  readonly proposals: string;
  /** One file of `NAME=value` lines for each server that needs secrets. */
  readonly values: (server: string) => string;
  readonly packages: string;
  readonly logs: string;
}

export function homeAt(folder: string): Home {
  return {
    folder,
    servers: join(folder, "servers.json"),
    proposals: join(folder, "proposals.json"),
    values: (server) => join(folder, "env", `${server}.env`),
    packages: join(folder, "packages"),
    logs: join(folder, "logs"),
  };
}

/** The folder of the person who runs this. */
export function homeFolder(platform: Platform, env: Readonly<Record<string, string | undefined>>): string {
  const home = env.HOME ?? "";
  switch (platform) {
    case "win32":
      return `${env.APPDATA ?? `${env.USERPROFILE ?? "C:"}\\AppData\\Roaming`}\\navra-host`;
    case "darwin":
      return `${home}/Library/Application Support/navra-host`;
    case "linux": {
      const config = env.XDG_CONFIG_HOME;
      return `${config?.startsWith("/") ? config : `${home}/.config`}/navra-host`;
    }
  }
}
