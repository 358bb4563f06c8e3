/**
 * The rules of the rings as functions from sources to what breaks them: which ring may import which, load which packages,
 * and use which names of its surroundings.
 */
import type { Import, Source } from "./sources.ts";

/** For each ring, the beginnings of the paths that it may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: ["core/"],
  bridge: ["bridge/", "core/"],
  page: ["page/", "bridge/", "core/wire/"],
  content: ["content/", "bridge/", "core/wire/"],
  agent: ["agent/", "bridge/", "core/wire/"],
  platform: ["platform/", "bridge/", "core/"],
  worker: ["worker/", "platform/", "bridge/", "core/"],
  ui: [
    "ui/",
    "platform/door",
    "platform/tabs",
    "platform/i18n",
    "platform/devtools",
    "platform/pages",
    "platform/access",
    "bridge/",
    "core/",
  ],
  host: ["host/", "bridge/", "core/"],
};

/** Packages each ring may load. Adding one is a reviewed act: it runs where its ring runs, and its size counts. */
const MAY_LOAD: Readonly<Record<string, readonly string[]>> = {
  core: ["eventsource-parser", "eventsource-parser/stream", "@cfworker/json-schema", "re2js"],
  bridge: [],
  page: [],
  content: [],
  agent: [],
  platform: ["webextension-polyfill", "idb"],
  worker: [],
  ui: ["preact", "preact/hooks", "preact/compat", "@preact/signals", "tldts"],
  host: [],
};

/** Packages each ring may name in types alone; nothing of them is loaded there. */
const MAY_NAME_TYPES_OF: Readonly<Record<string, readonly string[]>> = { worker: ["webextension-polyfill"] };

const TIMERS = [
  "setTimeout",
  "setInterval",
  "clearTimeout",
  "clearInterval",
  "requestAnimationFrame",
  "queueMicrotask",
];
const BROWSER = ["browser", "chrome"];
const PAGE = ["window", "document", "navigator", "location", "self", "globalThis", "localStorage", "sessionStorage"];
const OUTSIDE = [
  "fetch",
  "WebSocket",
  "EventSource",
  "XMLHttpRequest",
  "indexedDB",
  "crypto",
  "performance",
  "Date",
  "console",
];
const NODE = ["process", "Buffer", "require", "global", "__dirname"];

/** Names that a ring must not use. */
const MAY_NOT_NAME: Readonly<Record<string, readonly string[]>> = {
  core: [...TIMERS, ...BROWSER, ...PAGE, ...OUTSIDE, ...NODE],
  bridge: [...TIMERS, ...BROWSER, ...PAGE, ...OUTSIDE, ...NODE],
  page: [...BROWSER, ...NODE, "indexedDB"],
  agent: [...BROWSER, ...NODE, "indexedDB"],
  content: [...NODE, "indexedDB"],
  worker: [...BROWSER, ...NODE, "indexedDB"],
  ui: [...BROWSER, ...NODE, "indexedDB"],
  platform: NODE,
};

export function upwardImports(all: readonly Source[]): string[] {
  return all.flatMap((source) =>
    source.imports
      .filter((one) => one.kind === "file" && !one.target.endsWith(".css"))
      .filter((one) => !(MAY_IMPORT[ringOf(source)] ?? []).some((start) => one.target.startsWith(start)))
      .map((one) => `${source.path} imports ${one.target}`),
  );
}

export function unlistedPackages(all: readonly Source[]): string[] {
  return all.flatMap((source) =>
    source.imports
      .filter((one) => one.kind === "package" && !mayLoad(ringOf(source), one))
      .map((one) => `${source.path} loads ${one.target}`),
  );
}

function mayLoad(ring: string, { target, typeOnly }: Import): boolean {
  if (ring === "host" && target.startsWith("node:")) return true;
  if (MAY_LOAD[ring]?.includes(target)) return true;
  return typeOnly && MAY_NAME_TYPES_OF[ring]?.includes(target) === true;
}

export function forbiddenNames(all: readonly Source[]): string[] {
  return all.flatMap((source) =>
    (MAY_NOT_NAME[ringOf(source)] ?? [])
      .filter((name) => source.globals.has(name) && !source.path.endsWith(".d.ts"))
      .map((name) => `${source.path} names ${name}`),
  );
}

export function strayWorkerImports(all: readonly Source[]): string[] {
  return all
    .filter((source) => !source.path.startsWith("worker/") && !source.path.startsWith("platform/worker/"))
    .flatMap((source) =>
      source.imports
        .filter((one) => one.target.startsWith("platform/worker/"))
        .map((one) => `${source.path} imports ${one.target}`),
    );
}

export function nonLeaves(all: readonly Source[]): string[] {
  const byPath = new Map(all.map((source) => [source.path, source]));
  return all
    .filter((source) => ["page", "content"].includes(ringOf(source)))
    .flatMap((source) => source.imports.filter((one) => one.target.startsWith("core/wire/") && !one.typeOnly))
    .filter((one) => byPath.get(one.target)?.imports.some((inner) => !inner.typeOnly))
    .map((one) => `${one.target} is not a leaf`);
}

export function cycles(all: readonly Source[]): string[] {
  const byPath = new Map(all.map((source) => [source.path, source]));
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) {
      found.push([...way.slice(way.indexOf(path)), path].join(" → "));
      return;
    }
    if (done.has(path)) return;
    for (const one of byPath.get(path)?.imports ?? []) if (!one.typeOnly) walk(one.target, [...way, path]);
    done.add(path);
  };
  for (const source of all) walk(source.path, []);
  return found;
}

export function ringOf(source: Source): string {
  return source.path.split("/")[0] ?? "";
}
