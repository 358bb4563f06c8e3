/**
 * What a record keeps of a payload: its beginning with secrets masked, and the digest and size of the whole, so that a
 * text kept elsewhere can be shown to be the one that was sent.
 *
 * INVARIANT: masked first, cut afterwards; a cut can never free the rest of a secret.
 */

import type { Finding } from "../inspect/finding.ts";
import { knownValues } from "../inspect/known.ts";
import { maskPaths, maskStart } from "../inspect/mask.ts";
import { utf8Length } from "../wire/bytes.ts";
import type { JsonValue } from "../wire/json.ts";
import type { Excerpt } from "./entry.ts";

/** UTF-16 code units of a payload that a record keeps. */
export const EXCERPT_CAP = 16 * 1024;

export interface ExcerptOptions {
  readonly digest: (text: string) => Promise<string>;
  readonly cap?: number;
}

export interface Undigested {
  readonly text: string;
  readonly value: JsonValue;
  readonly findings: readonly Finding[];
  readonly cap?: number;
}

export async function excerpt(
  text: string,
  value: JsonValue,
  findings: readonly Finding[],
  { digest, cap = EXCERPT_CAP }: ExcerptOptions,
): Promise<Excerpt> {
  return { ...undigested({ text, value, findings, cap }), digest: await digest(text) };
}

/** The same without waiting: its digest is empty until someone fills it in. */
export function undigested({ text, value, findings, cap = EXCERPT_CAP }: Undigested): Excerpt {
  const secret = findings.some(({ kind }) => kind === "secret");
  const masked = secret ? maskStart(text, knownValues(value, findings), cap + 1) : text;
  const kept = masked.length > cap ? masked.slice(0, wholeCharacters(masked, cap)) : masked;
  return {
    text: kept,
    cut: kept.length < masked.length,
    bytes: utf8Length(text),
    digest: "",
    findings: secret ? maskPaths(value, findings) : findings,
  };
}

/** The cap, or one less where it would part a surrogate pair. */
function wholeCharacters(text: string, cap: number): number {
  const last = text.charCodeAt(cap - 1);
  return last >= 0xd800 && last <= 0xdbff ? cap - 1 : cap;
}
