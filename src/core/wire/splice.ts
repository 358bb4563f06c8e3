/**
 * Changes single members of a JSON text and keeps every other byte: key order, white space, escapes, number spelling.
 * The gateway owns only a few members of a message; everything else must reach the other side as it was written, because
 * a parsed and rewritten number may have lost digits and a rewritten object may have lost its meaning.
 */
import { nameBetween } from "./names.ts";
import { itemsFrom, type MemberAt, membersFrom } from "./skip.ts";
import { afterSpace, BACKSLASH, OPEN_OBJECT } from "./tokens.ts";

/** `value` is JSON text that takes the member's place; `null` removes the member. */
export interface Edit {
  readonly path: readonly string[];
  readonly value: string | null;
}

/**
 * Applies the edits as one change; of two edits of one member the later holds. Parents that are missing, or are no
 * objects, are made for a value, never for a removal.
 */
export function splice(text: string, edits: readonly Edit[]): string {
  const tree = toTree(edits);
  if (tree.size === 0) return text;
  const patches: Patch[] = [];
  patchObject(text, afterSpace(text, 0), { tree, patches });
  return applyPatches(text, patches);
}

/** The raw text at a member path; the whole text for an empty path. */
export function sliceAt(text: string, path: readonly string[]): string | undefined {
  const found = locate(text, path);
  return found && text.slice(found.start, found.end);
}

/** The raw texts of the items of the array at a member path; `undefined` where there is no array. */
export function itemsAt(text: string, path: readonly string[]): readonly string[] | undefined {
  const found = locate(text, path);
  if (found === undefined || !text.startsWith("[", found.start)) return undefined;
  return Array.from(itemsFrom(text, found.start), ([start, end]) => text.slice(start, end));
}

/** What is to become of each named member: a new text, a removal, or changes within it. */
type EditTree = Map<string, string | null | EditTree>;

interface Patch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Patching {
  readonly tree: EditTree;
  /** In ascending order, never overlapping. */
  readonly patches: Patch[];
}

function toTree(edits: readonly Edit[]): EditTree {
  const root: EditTree = new Map();
  for (const { path, value } of edits) plant(root, path, value);
  return root;
}

function plant(tree: EditTree, path: readonly string[], value: string | null): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (rest.length === 0) {
    tree.set(name, value);
    return;
  }
  const planted = tree.get(name);
  if (planted instanceof Map) {
    plant(planted, rest, value);
  } else if (planted === undefined) {
    const branch: EditTree = new Map();
    plant(branch, rest, value);
    tree.set(name, branch);
  } else if (planted?.trimStart().startsWith("{")) {
    tree.set(name, splice(planted, [{ path: rest, value }]));
  } else if (value !== null) {
    tree.set(name, splice("{}", [{ path: rest, value }]));
  }
}

function patchObject(text: string, open: number, { tree, patches }: Patching): void {
  if (text.charCodeAt(open) !== OPEN_OBJECT) return;
  const pending = new Map(tree);
  let insertAt = open + 1;
  let kept = false;
  let removedFrom = -1;
  for (const member of membersFrom(text, open)) {
    // Members at the front go together with the comma that follows them, later ones with the comma before them.
    if (removedFrom >= 0) patches.push({ start: removedFrom, end: member.nameStart, text: "" });
    removedFrom = -1;
    const name = pending.size === 0 ? undefined : wantedName(text, member, pending);
    const change = name === undefined ? undefined : pending.get(name);
    if (name !== undefined) pending.delete(name);
    if (change === null) {
      if (kept) patches.push({ start: insertAt, end: member.valueEnd, text: "" });
      else removedFrom = member.nameStart;
    } else {
      if (change !== undefined) patchValue(text, member, { change, patches });
      kept = true;
    }
    insertAt = member.valueEnd;
    // The common case ends as soon as everything is found and no removal waits for its comma.
    if (pending.size === 0 && removedFrom < 0) return;
  }
  if (removedFrom >= 0) patches.push({ start: removedFrom, end: insertAt, text: "" });
  const added = written(pending);
  if (added !== "") patches.push({ start: insertAt, end: insertAt, text: kept ? `,${added}` : added });
}

function patchValue(
  text: string,
  { valueStart, valueEnd }: MemberAt,
  { change, patches }: { readonly change: string | EditTree; readonly patches: Patch[] },
): void {
  if (typeof change === "string") {
    patches.push({ start: valueStart, end: valueEnd, text: change });
  } else if (text.charCodeAt(valueStart) === OPEN_OBJECT) {
    patchObject(text, valueStart, { tree: change, patches });
  } else {
    const made = written(change);
    if (made !== "") patches.push({ start: valueStart, end: valueEnd, text: `{${made}}` });
  }
}

/** The members of a tree as text, without braces; removals leave nothing. */
function written(tree: EditTree): string {
  const members: string[] = [];
  for (const [name, change] of tree) {
    if (change === null) continue;
    if (typeof change === "string") {
      members.push(`${JSON.stringify(name)}:${change}`);
      continue;
    }
    const inner = written(change);
    if (inner !== "") members.push(`${JSON.stringify(name)}:{${inner}}`);
  }
  return members.join(",");
}

/** Joined, not added up: the pieces become one text at once, which whatever reads it next does faster. */
function applyPatches(text: string, patches: readonly Patch[]): string {
  if (patches.length === 0) return text;
  const pieces: string[] = [];
  let from = 0;
  for (const patch of patches) {
    pieces.push(text.slice(from, patch.start), patch.text);
    from = patch.end;
  }
  return pieces.concat(text.slice(from)).join("");
}

function wantedName(text: string, member: MemberAt, wanted: ReadonlyMap<string, unknown>): string | undefined {
  for (const name of wanted.keys()) if (isNamed(text, member, name)) return name;
  return undefined;
}

function isNamed(text: string, { nameStart, nameEnd }: MemberAt, name: string): boolean {
  const start = nameStart + 1;
  const end = nameEnd - 1;
  if (end - start === name.length && text.startsWith(name, start)) return true;
  // Only an escape makes a written name longer than the name itself.
  if (end - start <= name.length) return false;
  for (let at = start; at < end; at += 1) {
    if (text.charCodeAt(at) === BACKSLASH) return nameBetween(text, start, end) === name;
  }
  return false;
}

function locate(text: string, path: readonly string[]): { start: number; end: number } | undefined {
  let start = afterSpace(text, 0);
  let end = text.trimEnd().length;
  for (const name of path) {
    const member = find(text, start, name);
    if (member === undefined) return undefined;
    start = member.valueStart;
    end = member.valueEnd;
  }
  return { start, end };
}

function find(text: string, open: number, name: string): MemberAt | undefined {
  for (const member of membersFrom(text, open)) if (isNamed(text, member, name)) return member;
  return undefined;
}
