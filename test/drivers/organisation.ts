/**
 * An organisation that manages a browser: it sets, changes and takes away navra's policy the way an administrator does.
 *
 * Firefox reads a file below the home folder it is given. Chromium reads one folder of the machine's own, so there the
 * extension is a copy under another id, which nothing else on the machine has, and it is done only where the machine is
 * there for tests.
 */
import { createHash, generateKeyPairSync } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { BrowserName } from "../browsers/find.ts";
import { ADDON_ID } from "./firefox-process.ts";

export interface Organisation {
  /** What the browser is to be launched with. */
  readonly launch: { readonly dist?: string; readonly home?: string };
  /** Sets the value of `policy`; `undefined` takes it away. */
  set(policy: unknown): void;
  /** Leaves nothing behind. */
  dissolve(): void;
}

/** Whether this machine may be managed for that browser. */
export function canManage(browser: BrowserName): boolean {
  return browser === "firefox" || process.env.CI === "true";
}

export function foundOrganisation(browser: BrowserName, dist: string): Organisation {
  const folder = mkdtempSync(join(tmpdir(), "navra-organisation-"));
  return browser === "firefox" ? ofFirefox(folder) : ofChromium(folder, dist);
}

function ofFirefox(home: string): Organisation {
  const file = join(home, ".mozilla/managed-storage", `${ADDON_ID}.json`);
  return {
    launch: { home },
    set: (policy) =>
      put(
        file,
        policy === undefined ? undefined : { name: ADDON_ID, description: "navra", type: "storage", data: { policy } },
      ),
    dissolve: () => rmSync(home, { recursive: true, force: true }),
  };
}

function ofChromium(folder: string, built: string): Organisation {
  const dist = join(folder, "dist");
  const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "der" });
  cpSync(built, dist, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8"));
  put(join(dist, "manifest.json"), { ...manifest, key: key.toString("base64") });
  const id = [...createHash("sha256").update(key).digest("hex").slice(0, 32)]
    .map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))
    .join("");
  const file = `/etc/chromium/policies/managed/navra-${id}.json`;
  const end = () => put(file, undefined);
  process.once("exit", end);
  return {
    launch: { dist },
    set: (policy) => put(file, policy === undefined ? undefined : { "3rdparty": { extensions: { [id]: { policy } } } }),
    dissolve() {
      process.off("exit", end);
      end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function put(file: string, value: unknown): void {
  if (value === undefined) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}
