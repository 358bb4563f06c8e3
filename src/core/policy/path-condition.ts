/**
 * Conditions on an argument that is a path in somebody else's file system. Whether case counts, where links lead, and what
 * a relative path starts from is not known here, so what cannot be placed is held against the call: a rule that asks or
 * denies holds when the path may be inside, a rule that allows only when it plainly is.
 *
 * May be inside: some reading (escapes undone, `\` as `/`, any case, look-alike characters, dots and spaces at the end of
 * names and stream names cut off, `..` resolved) is inside; or the path is relative, or begins at a home, a network share or
 * a device, or has a variable in it, or a pattern that may lead inside, or has a drive where the folder has none.
 * Plainly inside: an absolute path, exact in case, with no escape, `.`, `..`, empty or short (`~1`) name in it.
 */
import type { PathShape } from "./policy.ts";
import { type Complaint, quoted } from "./problem.ts";
import { decodings } from "./readings.ts";

/** What is wrong with a folder in a rule, if anything. */
export function folderComplaint(text: string): Complaint | undefined {
  if (text === ".") return undefined;
  if (plainSegments(text) !== undefined) return undefined;
  return {
    message: `${quoted(text)} is not a folder in its plain form.`,
    remedy:
      "Write it from the root and without . or .., for example /home/me/notes or C:/notes; . means relative paths.",
  };
}

/** For rules that tighten. */
export function maybeInside({ inside }: PathShape): (text: string) => boolean {
  const roots = inside.map((folder) => (folder === "." ? undefined : looseSegments(folder)));
  return (text) => decodings(text).some((reading) => roots.some((root) => mayBeIn(reading, root)));
}

/** For rules that widen. */
export function surelyInside({ inside }: PathShape): (text: string) => boolean {
  const roots = inside.map((folder) => (folder === "." ? undefined : plainSegments(folder)));
  return (text) => {
    const segments = plainSegments(text);
    return roots.some((root) =>
      root === undefined ? isPlainRelative(text) : segments !== undefined && beginsWith(segments, root),
    );
  };
}

function mayBeIn(text: string, root: readonly string[] | undefined): boolean {
  if (!isPlaced(text)) return true;
  // Only links could lead from a plain absolute path to a relative one.
  if (root === undefined) return false;
  const pattern = PATTERN.exec(text)?.index;
  const segments = looseSegments(pattern === undefined ? text : text.slice(0, lastSlash(text, pattern)));
  // One of them is of another kind of system, where a drive is a name and a path without one belongs to the current drive.
  if (hasDrive(text) !== DRIVE.test(root[0] ?? "")) return true;
  if (LEADS_ANYWHERE.test(segments.join("/"))) return true;
  if (pattern === undefined) return beginsWith(segments, root);
  return beginsWith(segments, root) || beginsWith(root, segments) || text.slice(pattern).includes("..");
}

/** What shells and searches make several names of. */
const PATTERN = /[*?[{]/;
/** What a shell puts something unknown in the place of. */
const VARIABLE = /[$`]|%[A-Za-z_][A-Za-z0-9_()]{2,}%/;

function lastSlash(text: string, before: number): number {
  return Math.max(text.lastIndexOf("/", before), text.lastIndexOf("\\", before));
}

function hasDrive(text: string): boolean {
  return /^[A-Za-z]:[/\\]/.test(withoutFileScheme(text.trim()));
}

const DRIVE = /^[a-z]:$/;
/** Folders whose names stand for other places, also where `..` leads into them. */
const LEADS_ANYWHERE = /^(?:proc|dev|\.vol|\.file|system\/volumes)(?:\/|$)/;

/** Whether it is clear where the path starts. */
function isPlaced(text: string): boolean {
  const path = withoutFileScheme(text.trim()).replaceAll("\\", "/");
  if (/\p{Cc}/u.test(path) || /~[0-9]/.test(path) || VARIABLE.test(path)) return false;
  // Some systems take dots and spaces off the end of a name: `.. ` and `...` may then lead upwards.
  if (/(?:^|\/)\.\.[. ]+(?:\/|$)/.test(path)) return false;
  if (/^(?:\\\\|file:\/\/(?!localhost\/)[^/\\])/i.test(text.trim()) || /^\/\/[.?]\//.test(path)) return false;
  return path.startsWith("/") || /^[A-Za-z]:\//.test(path);
}

function withoutFileScheme(text: string): string {
  return text.replace(/^file:(?:\/\/(?:localhost)?(?=[/\\]))?/i, "").replace(/^\/(?=[A-Za-z]:)/, "");
}

/** The most generous reading of a path, for comparing without regard to spelling. */
function looseSegments(text: string): readonly string[] {
  // Some systems pass over characters that cannot be seen.
  const path = withoutFileScheme(text.trim())
    .replace(/\p{Cf}/gu, "")
    // Some letters have two small forms, or a large one of two letters.
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFKC")
    .replaceAll("\\", "/");
  const segments: string[] = [];
  for (const [at, raw] of path.split("/").entries()) {
    if (raw === ".." && !(segments.length === 1 && DRIVE.test(segments[0] ?? ""))) segments.pop();
    const name =
      at === 0 && DRIVE.test(raw)
        ? raw
        : raw
            .replace(/:.*$/s, "")
            .replace(/[. ]+$/, "")
            .trim();
    if (name !== "" && raw !== "..") segments.push(name);
  }
  // macOS keeps these there, and names them without it.
  const [first, second = ""] = segments;
  return first === "private" && ["etc", "tmp", "var"].includes(second) ? segments.slice(1) : segments;
}

/** The segments of a path that can be read in one way only. */
function plainSegments(text: string): readonly string[] | undefined {
  const drive = /^([A-Z]:)[/\\]/.exec(text)?.[1];
  const rest = drive === undefined ? text : text.slice(2).replaceAll("\\", "/");
  if (!rest.startsWith("/")) return undefined;
  const body = rest.length > 1 && rest.endsWith("/") ? rest.slice(1, -1) : rest.slice(1);
  const segments = body === "" ? [] : body.split("/");
  if (!segments.every(isPlainName)) return undefined;
  if (drive === undefined && (segments[0] === "proc" || segments[0] === "dev")) return undefined;
  return drive === undefined ? segments : [drive, ...segments];
}

function isPlainRelative(text: string): boolean {
  return !/^[A-Za-z]:/.test(text) && text.split("/").every(isPlainName);
}

function isPlainName(name: string): boolean {
  if (name === "" || /[\\%:*?"<>|\p{C}]|^~|^\$|~[0-9]|[. ]$|^ /u.test(name)) return false;
  // Full-width dots and slashes are plain ones to some readers.
  return name === name.normalize("NFC") && !/^\.+$|[/\\%:]/.test(name.normalize("NFKC"));
}

function beginsWith(segments: readonly string[], root: readonly string[]): boolean {
  return root.every((name, at) => segments[at] === name);
}
