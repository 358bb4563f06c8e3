/** Two people who build the same sources get packages that can be compared byte by byte. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { afterEach, describe, expect, it } from "vitest";
import { zipFolder } from "./zip-folder.ts";

describe("A package", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  const folderOf = (files: Readonly<Record<string, string>>, seconds: number): string => {
    const folder = mkdtempSync(join(tmpdir(), "navra-zip-"));
    folders.push(folder);
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name);
      mkdirSync(join(path, ".."), { recursive: true });
      writeFileSync(path, text);
      utimesSync(path, seconds, seconds);
    }
    return folder;
  };

  it("has the same bytes whenever and in whatever order its files were written", () => {
    const one = zipFolder(folderOf({ "a.js": "1", "b/c.css": "2" }, 1_000_000_000));
    const two = zipFolder(folderOf({ "b/c.css": "2", "a.js": "1" }, 1_700_000_000));
    expect(Buffer.from(one).equals(Buffer.from(two))).toBe(true);
  });

  it("differs when a file differs", () => {
    const one = zipFolder(folderOf({ "a.js": "1" }, 1));
    const two = zipFolder(folderOf({ "a.js": "2" }, 1));
    expect(Buffer.from(one).equals(Buffer.from(two))).toBe(false);
  });

  it("names files with slashes and keeps their content", () => {
    const files = unzipSync(zipFolder(folderOf({ "_locales/en/messages.json": "{}" }, 1)));
    expect(Object.keys(files)).toEqual(["_locales/en/messages.json"]);
    expect(strFromU8(files["_locales/en/messages.json"] ?? new Uint8Array())).toBe("{}");
  });
});
