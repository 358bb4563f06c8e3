/**
 * What `install` would write and `uninstall` would remove, as values: nothing here touches the machine, so Windows and macOS
 * are tested where neither runs. One manifest a browser, for one extension id, because a manifest that names both kinds of
 * browser is refused by Firefox, and one that names a pattern by Chromium.
 */
import { posix, win32 } from "node:path";
import { HOST_NAME } from "../../bridge/native.ts";
import type { Platform } from "../run/spawn-plan.ts";
import { BROWSERS, type Browser } from "./table.ts";

export const CHROMIUM_ID = "alojfnnadgbneekkmjpbjaibclkemhdj";
export const FIREFOX_ID = "navra@navra.dev";

export type Scope =
  | { readonly kind: "user" }
  | { readonly kind: "system" }
  /** A browser profile's own folder: also everything navra-host keeps goes there. Disturbs nothing else on the machine. */
  | { readonly kind: "profile"; readonly folder: string };

export interface Machine {
  readonly platform: Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the Node that will run the host. */
  readonly node: string;
  readonly exists: (path: string) => boolean;
}

export type Step =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "file"; readonly path: string; readonly text: string; readonly mode: number }
  /** The bundle itself. */
  | { readonly kind: "program"; readonly path: string }
  | { readonly kind: "registry"; readonly key: string; readonly value: string };

export interface InstallPlan {
  /** Where the host lies, apart from what a person decides. */
  readonly place: string;
  readonly program: string;
  /** What the browser starts. */
  readonly launcher: string;
  readonly browsers: readonly Browser[];
  readonly steps: readonly Step[];
}

export function planInstall(machine: Machine, scope: Scope): InstallPlan {
  const { platform, node } = machine;
  const of = platform === "win32" ? win32 : posix;
  const place = placeOf(machine, scope);
  const program = of.join(place, "navra-host.mjs");
  const launcher = of.join(place, platform === "win32" ? "navra-host.bat" : "navra-host");
  const home = scope.kind === "profile" ? of.join(scope.folder, "navra-host") : undefined;
  const browsers = scope.kind === "profile" ? [] : BROWSERS.filter((browser) => isThere(browser, machine, scope));
  const manifests =
    scope.kind === "profile"
      ? profileManifests(scope.folder, launcher, platform)
      : browsers.flatMap((browser) => manifestSteps(browser, { machine, scope, place, launcher }));
  return {
    place,
    program,
    launcher,
    browsers,
    steps: [
      { kind: "folder", path: place },
      { kind: "program", path: program },
      { kind: "file", path: launcher, text: launcherText({ platform, node, program, home }), mode: 0o755 },
      ...manifests,
    ],
  };
}

export interface RemovalPlan {
  /** Files that are ours by their name and are only removed when there. */
  readonly files: readonly string[];
  readonly registry: readonly string[];
  readonly place: string;
}

/** Every place where any version could have written, whether or not the browser is still there. */
export function planRemoval(machine: Machine, scope: Scope): RemovalPlan {
  const place = placeOf(machine, scope);
  if (scope.kind === "profile") {
    const files = profileManifests(scope.folder, "", machine.platform).flatMap((step) =>
      step.kind === "file" ? [step.path] : [],
    );
    return { files, registry: [], place };
  }
  const steps = BROWSERS.flatMap((browser) => manifestSteps(browser, { machine, scope, place, launcher: "" }));
  return {
    files: [...new Set(steps.flatMap((step) => (step.kind === "file" ? [step.path] : [])))],
    registry: [...new Set(steps.flatMap((step) => (step.kind === "registry" ? [step.key] : [])))],
    place,
  };
}

/** The manifest that a browser would read, for `doctor`: a file, or a registry key that names one. */
export function manifestOf(browser: Browser, machine: Machine, scope: Scope): string | undefined {
  const place = placeOf(machine, scope);
  const step = manifestSteps(browser, { machine, scope, place, launcher: "" }).find((one) => one.kind === "file");
  return step?.kind === "file" ? step.path : undefined;
}

export function isThere(browser: Browser, machine: Machine, scope: Scope): boolean {
  const { platform, exists } = machine;
  if (browser[platform].data.some((folder) => exists(expanded(folder, machine)))) return true;
  // For everyone on the machine, the browser's own system folder tells too.
  return platform !== "win32" && scope.kind === "system" && exists(posix.dirname(browser[platform].system));
}

/** The registry key of a browser for this host, with its root. */
export function registryKey(key: string, scope: Scope): string {
  return `${scope.kind === "system" ? "HKLM" : "HKCU"}\\Software\\${key}\\NativeMessagingHosts\\${HOST_NAME}`;
}

export function manifestText(kind: Browser["kind"], launcher: string): string {
  const allowed =
    kind === "firefox"
      ? { allowed_extensions: [FIREFOX_ID] }
      : { allowed_origins: [`chrome-extension://${CHROMIUM_ID}/`] };
  const description = "Runs the local servers that you allowed for navra.";
  return `${JSON.stringify({ name: HOST_NAME, description, path: launcher, type: "stdio", ...allowed }, null, 2)}\n`;
}

interface LauncherOptions {
  readonly platform: Platform;
  readonly node: string;
  readonly program: string;
  readonly home: string | undefined;
}

/** With absolute paths, because a browser started from a desktop has a `PATH` of its own. */
export function launcherText({ platform, node, program, home }: LauncherOptions): string {
  const homeArgs = home === undefined ? [] : ["--home", home];
  if (platform === "win32") {
    const words = [node, program, ...homeArgs].map((word) => `"${word.replaceAll("%", "%%")}"`).join(" ");
    return `@echo off\r\n${words} %*\r\n`;
  }
  const words = [node, program, ...homeArgs].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  return `#!/bin/sh\nexec ${words} "$@"\n`;
}

function placeOf({ platform, env }: Machine, scope: Scope): string {
  if (scope.kind === "profile") {
    return (platform === "win32" ? win32 : posix).join(scope.folder, "navra-host", "program");
  }
  if (platform === "win32") {
    return scope.kind === "system"
      ? `${env.ProgramFiles ?? "C:\\Program Files"}\\navra-host`
      : `${env.LOCALAPPDATA ?? `${env.USERPROFILE ?? "C:"}\\AppData\\Local`}\\navra-host`;
  }
  if (scope.kind === "system") return "/usr/local/lib/navra-host";
  const home = env.HOME ?? "";
  if (platform === "darwin") return `${home}/Library/Application Support/navra-host/program`;
  return `${env.XDG_DATA_HOME?.startsWith("/") ? env.XDG_DATA_HOME : `${home}/.local/share`}/navra-host`;
}

interface ManifestOptions {
  readonly machine: Machine;
  readonly scope: Scope;
  readonly place: string;
  readonly launcher: string;
}

function manifestSteps(browser: Browser, { machine, scope, place, launcher }: ManifestOptions): Step[] {
  const { platform } = machine;
  const text = manifestText(browser.kind, launcher);
  if (platform === "win32") {
    const path = win32.join(place, `${HOST_NAME}.${browser.kind}.json`);
    return [
      { kind: "file", path, text, mode: 0o644 },
      ...browser.win32.keys.map((key): Step => ({ kind: "registry", key: registryKey(key, scope), value: path })),
    ];
  }
  const places = browser[platform];
  const folder = scope.kind === "system" ? places.system : expanded(places.user, machine);
  return [
    { kind: "folder", path: folder },
    { kind: "file", path: posix.join(folder, `${HOST_NAME}.json`), text, mode: 0o644 },
  ];
}

/**
 * Chromium reads a profile's own folder; Firefox on Linux reads below `HOME`, so the profile serves it when it is the home.
 * On macOS Firefox asks the system for the person's folder, and on Windows all of them read the registry alone.
 */
function profileManifests(folder: string, launcher: string, platform: Platform): Step[] {
  if (platform === "win32") return [];
  const chromium = ["chromium", posix.join(folder, "NativeMessagingHosts")] as const;
  const firefox = ["firefox", posix.join(folder, ".mozilla", "native-messaging-hosts")] as const;
  return (platform === "linux" ? [chromium, firefox] : [chromium]).flatMap(([kind, path]): Step[] => [
    { kind: "folder", path },
    { kind: "file", path: posix.join(path, `${HOST_NAME}.json`), text: manifestText(kind, launcher), mode: 0o644 },
  ]);
}

function expanded(folder: string, { env }: Machine): string {
  const home = env.HOME ?? "";
  const config = env.XDG_CONFIG_HOME?.startsWith("/") ? env.XDG_CONFIG_HOME : `${home}/.config`;
  const local = env.LOCALAPPDATA ?? `${env.USERPROFILE ?? ""}\\AppData\\Local`;
  const roaming = env.APPDATA ?? `${env.USERPROFILE ?? ""}\\AppData\\Roaming`;
  return folder
    .replace(/^\$CONFIG/, config)
    .replace(/^~/, home)
    .replace("%LOCALAPPDATA%", local)
    .replace("%APPDATA%", roaming);
}
