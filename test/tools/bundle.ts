/**
 * Pins on what was built: what is in every page stays small and loads nothing, pages can load nothing of ours, and both
 * browsers get the same extension. Budgets are raised only on purpose, here.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ROOT } from "./run.ts";

/**
 * Kilobytes after gzip. Of the worker's, 44 are the engine for patterns that people write (its tables of Unicode), which no
 * input can slow down; a worker cannot load anything later, so all of it counts for every start.
 */
const BUDGETS = { runtime: 5, relay: 1.5, worker: 195 };

const BROWSERS = ["chromium", "firefox"] as const;

/** Sentences about what is wrong; empty when all pins hold. */
export function bundleProblems(): string[] {
  return BROWSERS.flatMap((browser) => folderProblems(browser)).concat(twinProblems(), hostProblems());
}

/** Sentences about what is over its budget. */
export function sizeProblems(): string[] {
  return sizes()
    .filter((size) => size.kilobytes > size.budget)
    .map((size) => `${size.what} is ${size.kilobytes.toFixed(2)} kB gzip; its budget is ${size.budget} kB.`);
}

export interface Size {
  readonly what: string;
  readonly kilobytes: number;
  readonly budget: number;
}

export function sizes(): Size[] {
  return BROWSERS.flatMap((browser) => {
    const scripts = contentScripts(browser);
    return [
      { what: `${browser} relay`, kilobytes: gzipped(scripts.slice(0, 1)), budget: BUDGETS.relay },
      { what: `${browser} runtime`, kilobytes: gzipped(scripts.slice(1)), budget: BUDGETS.runtime },
      { what: `${browser} worker`, kilobytes: gzipped([workerFile(browser)]), budget: BUDGETS.worker },
    ];
  });
}

interface BuiltManifest {
  readonly permissions: readonly string[];
  readonly host_permissions: readonly string[];
  readonly content_scripts: readonly { readonly js: readonly string[]; readonly world?: string }[];
  readonly background: {
    readonly service_worker?: string;
    readonly scripts?: readonly string[];
    readonly type?: string;
  };
  readonly content_security_policy: { readonly extension_pages: string };
  readonly [member: string]: unknown;
}

function folderProblems(browser: (typeof BROWSERS)[number]): string[] {
  if (!existsSync(join(ROOT, "dist", browser, "manifest.json"))) return [`dist/${browser} is not built.`];
  const manifest = builtManifest(browser);
  const problems: string[] = [];
  if ("web_accessible_resources" in manifest) problems.push(`${browser}: pages can load files of ours.`);
  if ("externally_connectable" in manifest) problems.push(`${browser}: pages can connect past the relay.`);
  if (manifest.content_scripts.length !== 2 || manifest.content_scripts.some((one) => one.js.length !== 1)) {
    problems.push(`${browser}: expected the relay and the runtime, one file each.`);
  }
  if (manifest.content_scripts[0]?.world !== undefined || manifest.content_scripts[1]?.world !== "MAIN") {
    problems.push(`${browser}: the relay must come before the runtime of the page's world.`);
  }
  if (manifest.background.type !== undefined) problems.push(`${browser}: the worker is not a plain script.`);
  const worker = readFileSync(workerFile(browser), "utf8");
  if (!worker.startsWith('"use strict"')) problems.push(`${browser}: the worker is not strict.`);
  if (/(?<![\w."])import\s*\(|\bimportScripts\s*\(/.test(worker))
    problems.push(`${browser}: the worker loads other code.`);
  for (const file of contentScripts(browser)) {
    const text = readFileSync(file, "utf8");
    if (/\bimport\s*[("'{*]|\bimport\s+\w|\brequire\s*\(/.test(text))
      problems.push(`${browser}: ${file} loads other code.`);
    if (/^\s*var\s/.test(text)) problems.push(`${browser}: ${file} leaves a global in the page.`);
  }
  for (const file of scripts(browser)) {
    if (CODE_FROM_TEXT.test(readFileSync(file, "utf8"))) problems.push(`${browser}: ${file} makes code from text.`);
  }
  return problems;
}

/** A method that is called `eval`, as an engine for patterns may have one, is none of these. */
const CODE_FROM_TEXT = /new Function\s*\(|\(0,\s*eval\)|[=(!&|?]\s*eval\s*\(/;

/** Both browsers get one extension; only what the browsers themselves need differs. */
function twinProblems(): string[] {
  if (BROWSERS.some((browser) => !existsSync(join(ROOT, "dist", browser, "manifest.json")))) return [];
  const [chromium, firefox] = [builtManifest("chromium"), builtManifest("firefox")];
  const problems: string[] = [];
  const own = new Set(["background", "key", "minimum_chrome_version", "browser_specific_settings", "content_scripts"]);
  // Firefox clones messages always; Chromium has to be asked to.
  own.add("message_serialization");
  for (const member of new Set([...Object.keys(chromium), ...Object.keys(firefox)])) {
    if (!own.has(member) && JSON.stringify(chromium[member]) !== JSON.stringify(firefox[member])) {
      problems.push(`The manifests differ in ${member}.`);
    }
  }
  const gecko = JSON.stringify(firefox.browser_specific_settings);
  if (gecko !== GECKO) problems.push(`Firefox's own settings changed: ${gecko}`);
  if (firefox.background.scripts?.length !== 1) problems.push("Firefox needs one background script.");
  return problems;
}

/** The host is one file that a stranger can read, with nothing to install beside it. */
function hostProblems(): string[] {
  const folder = join(ROOT, "dist", "host");
  if (!existsSync(folder)) return ["dist/host is not built."];
  const files = readdirSync(folder);
  if (files.join() !== "navra-host.mjs") return [`The host is more than its one file: ${files.join(", ")}`];
  const loads = readFileSync(join(folder, "navra-host.mjs"), "utf8").matchAll(/^import\b[^;]*?["']([^"']+)["']/gm);
  return [...loads].flatMap(([, name = ""]) => (name.startsWith("node:") ? [] : [`The host loads ${name}.`]));
}

const GECKO =
  '{"gecko":{"id":"navra@navra.dev","strict_min_version":"142.0","data_collection_permissions":{"required":["none"]}}}';

function builtManifest(browser: string): BuiltManifest {
  return JSON.parse(readFileSync(join(ROOT, "dist", browser, "manifest.json"), "utf8")) as BuiltManifest;
}

function contentScripts(browser: string): string[] {
  return builtManifest(browser).content_scripts.flatMap((one) =>
    one.js.map((file) => join(ROOT, "dist", browser, file)),
  );
}

function workerFile(browser: string): string {
  const { background } = builtManifest(browser);
  return join(ROOT, "dist", browser, background.service_worker ?? background.scripts?.[0] ?? "");
}

function scripts(browser: string): string[] {
  return readdirSync(join(ROOT, "dist", browser), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".js"))
    .map((entry) => join(entry.parentPath, entry.name));
}

function gzipped(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0) / 1000;
}
