/**
 * The rings, derived from the sources on every run: what may import what, which names belong to which ring, that every file
 * says what it is for. The last part looks at the walls themselves, because a rule that nobody enforces while writing is
 * only noticed here.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  cycles,
  forbiddenNames,
  nonLeaves,
  ringOf,
  strayWorkerImports,
  unlistedPackages,
  upwardImports,
} from "./tools/rings.ts";
import { parseSource, readSources, type Source } from "./tools/sources.ts";

const sources = readSources();

describe("The rings", () => {
  it("have sources in every ring", () => {
    const rings = new Set(sources.map(ringOf));
    expect([...rings].sort()).toEqual([
      "agent",
      "bridge",
      "content",
      "core",
      "host",
      "page",
      "platform",
      "ui",
      "worker",
    ]);
  });

  it("import only downwards, and entry folders never one another", () => {
    expect(upwardImports(sources)).toEqual([]);
  });

  it("load only the packages listed for them", () => {
    expect(unlistedPackages(sources)).toEqual([]);
  });

  it("have no import cycles", () => {
    expect(cycles(sources)).toEqual([]);
  });

  it("have no barrels, and every import names the file it means", () => {
    expect(sources.filter((source) => source.barrel || /(^|\/)index\.tsx?$/.test(source.path)).map(pathOf)).toEqual([]);
    expect(
      sources.flatMap((source) =>
        source.imports
          .filter((one) => one.kind === "file" && !/\.(tsx?|css|json)$/.test(one.written))
          .map((one) => `${source.path} imports ${one.written}`),
      ),
    ).toEqual([]);
  });

  it("name only what their ring may: no browser, page, timer or Node name in core and bridge", () => {
    expect(forbiddenNames(sources)).toEqual([]);
  });

  it("keep the worker's half of platform to the worker", () => {
    expect(strayWorkerImports(sources)).toEqual([]);
  });

  it("give page and content only leaves of the wire", () => {
    expect(nonLeaves(sources)).toEqual([]);
  });

  it("export nothing from a content script, which would become a global of the page", () => {
    expect(sources.filter((source) => source.path.includes(".iife.") && source.exports > 0).map(pathOf)).toEqual([]);
  });

  it("begin every file with a paragraph", () => {
    expect(sources.filter((source) => source.opening.trim().length < 40).map(pathOf)).toEqual([]);
  });
});

describe("The rules bite on", () => {
  const at = (path: string, text: string): Source[] => [parseSource(path, text)];

  it("core importing platform", () => {
    expect(upwardImports(at("core/x.ts", 'import { a } from "../platform/door.ts";'))).toHaveLength(1);
  });
  it("the popup importing the worker", () => {
    expect(upwardImports(at("ui/popup/x.ts", 'import type { A } from "../../worker/main.ts";'))).toHaveLength(1);
  });
  it("a page reading core beyond the wire", () => {
    expect(upwardImports(at("page/x.ts", 'import { a } from "../core/errors.ts";'))).toHaveLength(1);
  });
  it("the user interface reading the worker's stores", () => {
    expect(strayWorkerImports(at("ui/x.ts", 'import { a } from "../platform/worker/stores.ts";'))).toHaveLength(1);
  });
  it("a type imported in passing", () => {
    expect(upwardImports(at("core/x.ts", 'type A = import("../ui/y.ts").A;'))).toHaveLength(1);
  });
  it("a package that is not listed", () => {
    expect(unlistedPackages(at("core/x.ts", 'import { z } from "zod";'))).toHaveLength(1);
    expect(unlistedPackages(at("core/x.ts", 'import { hash } from "node:crypto";'))).toHaveLength(1);
  });
  it("a timer, a clock or a page's name in core", () => {
    expect(forbiddenNames(at("core/x.ts", "export const a = () => setTimeout(() => Date.now(), 1);"))).toHaveLength(2);
    expect(forbiddenNames(at("bridge/x.ts", "export const a = window;"))).toHaveLength(1);
  });
  it("the browser's API outside platform", () => {
    expect(forbiddenNames(at("worker/x.ts", "browser.runtime.getURL('x');"))).toHaveLength(1);
    expect(forbiddenNames(at("ui/x.tsx", "chrome.tabs.query({});"))).toHaveLength(1);
  });
  it("but not on a member, a key or a name of the file's own", () => {
    expect(forbiddenNames(at("core/x.ts", "export const a = (location: { self: 1 }) => location.self;"))).toEqual([]);
  });
  it("a cycle", () => {
    expect(
      cycles([parseSource("core/a.ts", 'import "./b.ts";'), parseSource("core/b.ts", 'import "./a.ts";')]),
    ).toHaveLength(1);
  });
  it("a wire module that is no leaf, used by the relay", () => {
    expect(
      nonLeaves([
        parseSource("content/x.iife.ts", 'import { a } from "../core/wire/a.ts";'),
        parseSource("core/wire/a.ts", 'import { b } from "../errors.ts"; export const a = b;'),
      ]),
    ).toHaveLength(1);
  });
});

describe("The walls", () => {
  it("give core and bridge neither the DOM nor any ambient types", () => {
    expect(tsconfig("src/core").compilerOptions).toMatchObject({ lib: ["ES2023", "ES2024.String"], types: [] });
    expect(tsconfig("src/bridge").compilerOptions).toMatchObject({ lib: ["ES2023"], types: [] });
  });

  it("let each ring see only the rings below it", () => {
    const seen = (ring: string) =>
      (tsconfig(`src/${ring}`).references ?? []).map((reference: { path: string }) =>
        reference.path.replace("../", ""),
      );
    expect({
      core: seen("core"),
      bridge: seen("bridge"),
      page: seen("page"),
      content: seen("content"),
      agent: seen("agent"),
      platform: seen("platform"),
      worker: seen("worker"),
      ui: seen("ui"),
      host: seen("host"),
    }).toEqual({
      core: [],
      bridge: ["core"],
      page: ["core", "bridge"],
      content: ["core", "bridge"],
      agent: ["core", "bridge"],
      platform: ["core", "bridge"],
      worker: ["core", "bridge", "platform"],
      ui: ["core", "bridge", "platform"],
      host: ["bridge"],
    });
  });

  it("give pages and content scripts no extension types", () => {
    for (const ring of ["page", "content", "agent"]) expect(tsconfig(`src/${ring}`).compilerOptions.types).toEqual([]);
  });

  it("check every ring and the tests in one build", () => {
    const references = (tsconfig(".").references ?? []).map((reference: { path: string }) => reference.path);
    expect(references).toEqual([
      ...["core", "bridge", "page", "agent", "content", "platform", "worker", "ui", "host"].map(
        (ring) => `src/${ring}`,
      ),
      "test",
    ]);
  });

  it("compile strictly", () => {
    expect(readJson("src/tsconfig.base.json").compilerOptions).toMatchObject({
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
    });
  });

  it("lint for cycles, barrels, default exports, escapes from types, and Node or browser names in core", () => {
    const biome = readJson("biome.json");
    expect(biome.linter.rules).toMatchObject({
      style: { noDefaultExport: "error", noNonNullAssertion: "error", useImportType: "error" },
      suspicious: { noExplicitAny: "error", noConsole: "error", noImportCycles: "error" },
      performance: { noBarrelFile: "error", noReExportAll: "error" },
    });
    const core = biome.overrides.find((one: { includes: string[] }) => one.includes.includes("src/core/**"));
    expect(core.includes).toContain("src/bridge/**");
    const denied = core.linter.rules.style.noRestrictedGlobals;
    expect(denied.level).toBe("error");
    expect(Object.keys(denied.options.deniedGlobals)).toEqual(
      expect.arrayContaining(["browser", "chrome", "indexedDB", "setTimeout", "Date", "fetch", "crypto"]),
    );
  });
});

function pathOf(source: Source): string {
  return source.path;
}

// biome-ignore lint/suspicious/noExplicitAny: configuration files are read as they are.
function readJson(path: string): any {
  return JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), "utf8"));
}

// biome-ignore lint/suspicious/noExplicitAny: configuration files are read as they are.
function tsconfig(folder: string): any {
  return readJson(`${folder}/tsconfig.json`);
}
