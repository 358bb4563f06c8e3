/**
 * Brings a browser to a machine without one: first a private copy under `node_modules/.cache`, which touches nothing else;
 * where that cannot be had, the distribution's package, only as root on a Debian-like; else the one command to run.
 * A copy that does not start (a bare machine lacks its libraries) counts as not to be had.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BrowserName } from "./find.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/browsers", import.meta.url));

// Firefox's ordinary release takes no unsigned package; its extended-support release does.
const BUILDS = { chromium: "chrome@stable", firefox: "firefox@esr" };
const PACKAGES = { chromium: "chromium", firefox: "firefox-esr" };
const FONTS = ["fonts-liberation", "fonts-dejavu-core"];

export async function bringBrowser(browser: BrowserName, installed: () => string | undefined): Promise<string> {
  const earlier = broughtEarlier(browser);
  if (earlier !== undefined) return earlier;
  say(`No ${browser} was found. Bringing a private copy (${BUILDS[browser]}) into node_modules/.cache/browsers …`);
  const copy = privateCopy(browser);
  if (copy !== undefined) {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(noteOf(browser), copy);
    return copy;
  }
  const command = `apt-get update && apt-get install -y --no-install-recommends ${[PACKAGES[browser], ...FONTS].join(" ")}`;
  if (isRoot() && existsSync("/etc/debian_version")) {
    say(`A private copy could not be had. Installing the system's package: ${command}`);
    spawnSync("sh", ["-c", command], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    const found = installed();
    if (found !== undefined) return found;
  }
  throw new Error(
    `No ${browser} here, and none could be brought. Run this once, then try again:\n  ${byHand(browser, command)}`,
  );
}

function broughtEarlier(browser: BrowserName): string | undefined {
  if (!existsSync(noteOf(browser))) return undefined;
  const path = readFileSync(noteOf(browser), "utf8");
  return existsSync(path) ? path : undefined;
}

/** Where the path of the private copy is written down. */
function noteOf(browser: BrowserName): string {
  return join(CACHE, `${browser}.path`);
}

function privateCopy(browser: BrowserName): string | undefined {
  const run = spawnSync("npx", ["--no-install", "@puppeteer/browsers", "install", BUILDS[browser], "--path", CACHE], {
    cwd: ROOT,
    encoding: "utf8",
    timeout: 300_000,
    shell: process.platform === "win32",
  });
  // The last line is "<browser>@<build> <path>".
  const path = /^\S+@\S+ (.+)$/.exec(run.stdout?.trim().split("\n").at(-1) ?? "")?.[1];
  if (path === undefined || !existsSync(path)) return undefined;
  const starts = spawnSync(path, ["--version"], { timeout: 30_000 }).status === 0 || process.platform === "win32";
  return starts ? path : undefined;
}

function byHand(browser: BrowserName, aptCommand: string): string {
  if (process.platform === "darwin") return `brew install --cask ${browser}`;
  if (process.platform === "win32")
    return `winget install ${browser === "chromium" ? "Google.Chrome" : "Mozilla.Firefox"}`;
  return existsSync("/etc/debian_version")
    ? `sudo sh -c '${aptCommand}'`
    : `install ${browser} with your system's package manager, or set NAVRA_${browser.toUpperCase()} to its path`;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function say(sentence: string): void {
  console.error(sentence);
}
