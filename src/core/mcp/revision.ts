/**
 * The protocol revisions navra speaks, oldest first. Up to 2025-11-25 a session is opened by `initialize` ("legacy"); from
 * 2026-07-28 each request carries its version in `_meta` ("modern"). Each revision is a file of its own; nothing else in
 * the core names one, so a new revision is a new file and a line here.
 *
 * @see MCP 2026-07-28 · Base protocol · Versioning
 */
import { REVISION_2024_11_05 } from "./revisions/2024-11-05.ts";
import { REVISION_2025_03_26 } from "./revisions/2025-03-26.ts";
import { REVISION_2025_06_18 } from "./revisions/2025-06-18.ts";
import { REVISION_2025_11_25 } from "./revisions/2025-11-25.ts";
import { REVISION_2026_07_28 } from "./revisions/2026-07-28.ts";
import type { RevisionFile, Words } from "./revisions/vocabulary.ts";

const FILES = [
  REVISION_2024_11_05,
  REVISION_2025_03_26,
  REVISION_2025_06_18,
  REVISION_2025_11_25,
  REVISION_2026_07_28,
] as const;

type File = (typeof FILES)[number];
export type Revision = File["name"];
export type LegacyRevision = Extract<File, { readonly era: "legacy" }>["name"];
export type ModernRevision = Exclude<Revision, LegacyRevision>;

export const LEGACY_REVISIONS: readonly LegacyRevision[] = FILES.flatMap((file) =>
  file.era === "legacy" ? [file.name] : [],
);
export const MODERN_REVISIONS: readonly ModernRevision[] = FILES.flatMap((file) =>
  file.era === "modern" ? [file.name] : [],
);
/** What navra asks for first, in each era. */
export const NEWEST_LEGACY: LegacyRevision = REVISION_2025_11_25.name;
export const NEWEST_MODERN: ModernRevision = REVISION_2026_07_28.name;

/** All words of a revision, its own and those before it. */
export type Vocabulary = Omit<RevisionFile, "adds" | "removes"> & {
  readonly [Kind in keyof Words]: ReadonlySet<string>;
};

export function vocabularyOf(revision: Revision): Vocabulary {
  const found = VOCABULARIES.get(revision);
  if (!found) throw new Error("There is no such revision.");
  return found;
}

export function isModern(revision: Revision): revision is ModernRevision {
  return isModernRevision(revision);
}

export function isLegacyRevision(text: unknown): text is LegacyRevision {
  return (LEGACY_REVISIONS as readonly unknown[]).includes(text);
}

export function isModernRevision(text: unknown): text is ModernRevision {
  return (MODERN_REVISIONS as readonly unknown[]).includes(text);
}

export function isOlder(one: Revision, other: Revision): boolean {
  return RANKS.get(one) !== undefined && (RANKS.get(one) ?? 0) < (RANKS.get(other) ?? 0);
}

const KINDS = [
  "requests",
  "notifications",
  "capabilities",
  "members",
  "blocks",
  "progress",
  "elicitation",
  "fields",
] as const satisfies readonly (keyof Words)[];

const RANKS: ReadonlyMap<string, number> = new Map(FILES.map(({ name }, rank) => [name, rank]));
const VOCABULARIES: ReadonlyMap<string, Vocabulary> = accumulated(FILES);

function accumulated(files: readonly RevisionFile[]): Map<string, Vocabulary> {
  const all = new Map<string, Vocabulary>();
  let words = Object.fromEntries(KINDS.map((kind) => [kind, new Set<string>()])) as Record<keyof Words, Set<string>>;
  for (const { adds, removes, ...traits } of files) {
    words = { ...words };
    for (const kind of KINDS) {
      const gone = new Set(removes?.[kind]);
      words[kind] = new Set([...words[kind], ...(adds[kind] ?? [])].filter((word) => !gone.has(word)));
    }
    all.set(traits.name, { ...traits, ...words });
  }
  return all;
}
