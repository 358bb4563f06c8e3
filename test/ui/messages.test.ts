/** Every sentence that the pages ask for exists, in every plural form, with as many blanks as are filled. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MESSAGES = JSON.parse(readFileSync(join(ROOT, "public/_locales/en/messages.json"), "utf8")) as Record<
  string,
  { readonly message: string }
>;
const PREFIX = /^(?:shared|popup|consent|dash|panel|record)_/;
const SOURCES = sourcesBelow(join(ROOT, "src/ui"))
  .concat(sourcesBelow(join(ROOT, "src/platform")))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

describe("the message catalogue", () => {
  it("has every key that is written out in the pages' code", () => {
    expect(writtenKeys().filter(({ key, plural }) => !exists(key, plural))).toEqual([]);
  });

  it("has at least one key for every key that is put together", () => {
    const missing = composedKeys().filter(
      ({ start, end }) => !Object.keys(MESSAGES).some((key) => key.startsWith(start) && key.endsWith(end)),
    );
    expect(missing).toEqual([]);
  });

  it("has both forms of every plural", () => {
    const singular = Object.keys(MESSAGES).filter((key) => PREFIX.test(key) && key.endsWith("_one"));
    expect(singular.filter((key) => !(key.replace(/_one$/, "_other") in MESSAGES) && !isSingle(key))).toEqual([]);
  });

  it("has no message that nothing asks for", () => {
    const written = new Set(writtenKeys().map(({ key }) => key));
    const composed = composedKeys();
    const unused = Object.keys(MESSAGES).filter(
      (key) =>
        PREFIX.test(key) &&
        !written.has(key) &&
        !written.has(key.replace(/_(?:one|other)$/, "")) &&
        !composed.some(({ start, end }) => key.startsWith(start) && key.replace(/_(?:one|other)$/, "").endsWith(end)),
    );
    expect(unused).toEqual([]);
  });

  it("never raises its voice", () => {
    expect(Object.values(MESSAGES).filter(({ message }) => message.includes("!"))).toEqual([]);
  });
});

interface WrittenKey {
  readonly key: string;
  readonly plural: boolean;
  readonly path: string;
}

/** Every string literal in the code that looks like a key. */
function writtenKeys(): readonly WrittenKey[] {
  return SOURCES.flatMap(({ path, text }) =>
    [...text.matchAll(/(\btn\(\s*)?"((?:shared|popup|consent|dash|panel|record)_[a-z0-9_]+)"/g)].map(
      ([, plural, key]) => ({
        key: key ?? "",
        plural: plural !== undefined,
        path: path.slice(ROOT.length),
      }),
    ),
  );
}

/** Template literals such as `popup_phase_${phase}`: what stands before the first blank and behind the last. */
function composedKeys(): readonly { readonly start: string; readonly end: string; readonly path: string }[] {
  return SOURCES.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:shared|popup|consent|dash|panel|record)_[a-z0-9_]*)\$\{[^`]*\}([a-z0-9_]*)`/g)].map(
      ([, start, end]) => ({ start: start ?? "", end: end ?? "", path: path.slice(ROOT.length) }),
    ),
  );
}

function exists(key: string, plural: boolean): boolean {
  return plural ? `${key}_one` in MESSAGES && `${key}_other` in MESSAGES : key in MESSAGES;
}

/** A key that merely ends like a plural. */
function isSingle(key: string): boolean {
  return writtenKeys().some((written) => written.key === key && !written.plural);
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
