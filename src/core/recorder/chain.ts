/**
 * The hash chain over records. Each entry's hash covers the hash before it and every one of its own members in canonical
 * form, so an edit of any bit, a missing, added or moved entry shows from that place on. What a chain alone cannot show
 * is that its newest end was cut off, or that all of it was written anew; the recorder compares the end with what it
 * remembers, and signed checkpoints are for the rest.
 *
 * @see FIPS 180-4 (SHA-256) and `wire/canonical.ts` for the canonical form
 */
import { canonicalize } from "../wire/canonical.ts";
import type { RecordBody, RecordEntry } from "./entry.ts";

export type ChainState =
  | { readonly state: "whole"; readonly entries: number }
  | { readonly state: "broken"; readonly seq: number; readonly problem: string };

export type Digest = (text: string) => Promise<string>;

/** What the next entry continues from. */
export interface Link {
  readonly seq: number;
  readonly hash: string;
}

export const FIRST_PREV = "0".repeat(64);

export async function seal(body: RecordBody, prev: Link | undefined, digest: Digest): Promise<RecordEntry> {
  const link = prev ?? BEGINNING;
  const numbered = { ...body, seq: link.seq + 1 };
  return { ...numbered, prev: link.hash, hash: await hashOf(numbered, link.hash, digest) };
}

/** `from` is the entry before the first one given; without it the chain has to begin at 1. */
export async function verify(entries: readonly RecordEntry[], digest: Digest, from?: Link): Promise<ChainState> {
  let link = from ?? BEGINNING;
  for (const entry of entries) {
    const seq = link.seq + 1;
    if (entry.seq !== seq) return broken(seq, gap(seq, entry.seq));
    if (entry.prev !== link.hash) return broken(seq, `Record ${seq} does not continue the record before it.`);
    const { prev, hash, ...covered } = entry;
    if ((await hashOf(covered, prev, digest)) !== hash) {
      return broken(seq, `Record ${seq} was changed after it was written.`);
    }
    link = { seq, hash };
  }
  return { state: "whole", entries: entries.length };
}

const BEGINNING: Link = { seq: 0, hash: FIRST_PREV };

function hashOf(covered: Omit<RecordEntry, "prev" | "hash">, prev: string, digest: Digest): Promise<string> {
  return digest(`${prev}\n${canonicalize(JSON.stringify(covered))}`);
}

function gap(expected: number, found: unknown): string {
  return typeof found === "number" && found > expected
    ? `Records are missing before record ${found}.`
    : `Record ${expected} is missing or out of its place.`;
}

function broken(seq: number, problem: string): ChainState {
  return { state: "broken", seq, problem };
}
