/**
 * Which file a program's name means, by the rules of the platform, as a pure function of `PATH`. Folders that are not
 * absolute, and the current folder, which Windows would look into first, never count: a file that someone put there would
 * be allowed under a good name.
 */
import { posix, win32 } from "node:path";
import type { Platform } from "../run/spawn-plan.ts";

export interface Lookup {
  readonly platform: Platform;
  readonly path: string;
  /** `PATHEXT` on Windows. */
  readonly extensions?: string;
  /** For a program that is given as a path. */
  readonly from: string;
  readonly isProgram: (path: string) => boolean;
}

/** The absolute path, or `undefined` when there is none. */
export function resolveProgram(program: string, lookup: Lookup): string | undefined {
  const { platform, isProgram } = lookup;
  const of = platform === "win32" ? win32 : posix;
  const named = program.includes("/") || (platform === "win32" && /[\\:]/.test(program));
  const bases = named ? [of.resolve(lookup.from, program)] : folders(lookup).map((folder) => of.join(folder, program));
  return bases.flatMap((base) => spellings(base, lookup)).find(isProgram);
}

function folders({ platform, path }: Lookup): string[] {
  const of = platform === "win32" ? win32 : posix;
  return path
    .split(platform === "win32" ? ";" : ":")
    .map((folder) => (platform === "win32" ? folder.replace(/^"(.*)"$/, "$1") : folder))
    .filter((folder) => folder !== "" && of.isAbsolute(folder));
}

/** Windows never starts a file without an extension, such as the shell script that npm puts beside `npx.cmd`. */
function spellings(base: string, { platform, extensions }: Lookup): string[] {
  if (platform !== "win32") return [base];
  const known = (extensions ?? ".COM;.EXE;.BAT;.CMD").toLowerCase().split(";").filter(Boolean);
  if (known.includes(win32.extname(base).toLowerCase())) return [base];
  return known.map((extension) => base + extension);
}
