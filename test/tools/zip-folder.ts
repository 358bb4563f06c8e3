/** A folder as a zip whose bytes depend on the files alone: sorted names, one fixed date, one compression level. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type Zippable, zipSync } from "fflate";

// The first moment that a zip can hold; local time, as the format has it.
const DATE = new Date(1980, 0, 1);

export function zipFolder(folder: string): Uint8Array {
  const files: Zippable = {};
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
  for (const name of names) files[name] = [readFileSync(join(folder, name)), { mtime: DATE, level: 9 }];
  return zipSync(files);
}
