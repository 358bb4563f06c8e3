/**
 * Starts Firefox on a profile with navra installed for good, as from its package: the zip lies in the profile's extension
 * folder, so it is there again after a restart. The add-on's internal UUID is fixed, so that tests know its pages.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipFolder } from "../tools/zip-folder.ts";
import { connectMarionette, type Marionette } from "./marionette.ts";
import { until } from "./wait.ts";

export const ADDON_ID = "navra@navra.dev";
export const ADDON_UUID = "6e617672-6100-4000-8000-6d6370676174";

export interface FirefoxProcess {
  readonly marionette: Marionette;
  /** When the process is gone, by whoever's hand. */
  readonly ended: Promise<void>;
  end(): Promise<void>;
}

export interface FirefoxStart {
  readonly executable: string;
  readonly folder: string;
  readonly dist: string;
  readonly visible: boolean;
  readonly home?: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

export async function startFirefox({
  executable,
  folder,
  dist,
  visible,
  home,
  environment,
}: FirefoxStart): Promise<FirefoxProcess> {
  writeFileSync(join(folder, "user.js"), preferencesText());
  mkdirSync(join(folder, "extensions"), { recursive: true });
  writeFileSync(join(folder, "extensions", `${ADDON_ID}.xpi`), zipFolder(dist));
  const portFile = join(folder, "MarionetteActivePort");
  rmSync(portFile, { force: true });
  const child = spawn(
    executable,
    [
      ...(visible ? [] : ["--headless"]),
      "--no-remote",
      "--marionette",
      "--remote-allow-system-access",
      "--profile",
      folder,
    ],
    {
      stdio: "ignore",
      env: {
        ...process.env,
        MOZ_CRASHREPORTER_DISABLE: "1",
        ...(home === undefined ? {} : { HOME: home }),
        ...environment,
      },
    },
  );
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const port = await until(async () => readPort(portFile), {
    what: "Firefox to listen",
    timeoutMs: 60_000,
    everyMs: 50,
  });
  const marionette = await connectMarionette(port);
  await marionette.send("WebDriver:NewSession", {
    capabilities: { alwaysMatch: { unhandledPromptBehavior: "ignore" } },
  });
  await marionette.send("WebDriver:SetTimeouts", { script: 600_000, pageLoad: 30_000 });
  return {
    marionette,
    ended,
    async end() {
      process.off("exit", kill);
      await quit(child, marionette, ended);
    },
  };
}

async function quit(child: ChildProcess, marionette: Marionette, ended: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await marionette.send("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
  const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await ended;
  clearTimeout(late);
  marionette.end();
}

function readPort(file: string): number | undefined {
  try {
    const port = Number(readFileSync(file, "utf8"));
    return port > 0 ? port : undefined;
  } catch {
    return undefined;
  }
}

function preferencesText(): string {
  return Object.entries(PREFERENCES)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join("");
}

const PREFERENCES = {
  "marionette.port": 0,
  "extensions.webextensions.uuids": JSON.stringify({ [ADDON_ID]: ADDON_UUID }),
  // Installs what lies in the profile, unsigned, and leaves it switched on.
  "xpinstall.signatures.required": false,
  "extensions.autoDisableScopes": 0,
  "extensions.startupScanScopes": 15,
  // A quiet, hermetic browser.
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "browser.aboutwelcome.enabled": false,
  "browser.tabs.warnOnClose": false,
  "browser.sessionstore.resume_from_crash": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
  "app.normandy.enabled": false,
  "app.update.disabledForTesting": true,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "services.settings.server": "data:,#remote-settings-dummy/v1",
  "extensions.getAddons.cache.enabled": false,
  "extensions.update.enabled": false,
  "dom.disable_open_during_load": false,
};
