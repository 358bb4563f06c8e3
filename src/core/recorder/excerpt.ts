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

export interface Whole {
  readonly text: string;
  readonly value: JsonValue;
  readonly findings: readonly Finding[];
  readonly cap?: number;
}

/** The digest of the whole is empty until the recorder fills it in, so that nothing waits for it. */
export function excerpt({ text, value, findings, cap = EXCERPT_CAP }: Whole): Excerpt {
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
