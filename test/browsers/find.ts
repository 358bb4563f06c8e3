/**
 * The one place that finds a browser for tests and for the demo, and brings one where there is none. It looks at
 * `NAVRA_CHROMIUM` and `NAVRA_FIREFOX`, then at the usual places, and says so whenever it installs something.
 */
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { bringBrowser } from "./bring.ts";

export type BrowserName = "chromium" | "firefox";

export const BROWSERS = ["chromium", "firefox"] as const;

/** Path of an executable that is there. */
export async function findBrowser(browser: BrowserName): Promise<string> {
  const variable = browser === "chromium" ? "NAVRA_CHROMIUM" : "NAVRA_FIREFOX";
  const named = process.env[variable];
  if (named !== undefined && named !== "") {
    if (isExecutable(named)) return named;
    throw new Error(`${variable} names a file that cannot be run: ${named}. Correct it or unset it.`);
  }
  return installedBrowser(browser) ?? (await bringBrowser(browser, () => installedBrowser(browser)));
}

/** The first of the usual places where something executable lies. */
export function installedBrowser(browser: BrowserName): string | undefined {
  return candidates(browser).find(isExecutable);
}

function candidates(browser: BrowserName): string[] {
  switch (process.platform) {
    case "darwin":
      return ["/Applications", join(process.env.HOME ?? "/", "Applications")].flatMap((folder) =>
        MAC_APPS[browser].map((app) => join(folder, app)),
      );
    case "win32":
      return ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].flatMap((name) => {
        const folder = process.env[name];
        return folder === undefined ? [] : WINDOWS_PROGRAMS[browser].map((program) => join(folder, program));
      });
    default:
      return ["/usr/bin", "/usr/local/bin", "/snap/bin"].flatMap((folder) =>
        LINUX_COMMANDS[browser].map((command) => join(folder, command)),
      );
  }
}

// Chrome takes no --load-extension any more; the driver loads through the debugging protocol, which it still allows.
const LINUX_COMMANDS = {
  chromium: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"],
  firefox: ["firefox-esr", "firefox"],
};
const MAC_APPS = {
  chromium: ["Chromium.app/Contents/MacOS/Chromium", "Google Chrome.app/Contents/MacOS/Google Chrome"],
  firefox: ["Firefox ESR.app/Contents/MacOS/firefox", "Firefox.app/Contents/MacOS/firefox"],
};
const WINDOWS_PROGRAMS = {
  chromium: ["Chromium\\Application\\chrome.exe", "Google\\Chrome\\Application\\chrome.exe"],
  firefox: ["Mozilla Firefox ESR\\firefox.exe", "Mozilla Firefox\\firefox.exe"],
};

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
