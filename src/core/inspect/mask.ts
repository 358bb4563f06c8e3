/**
 * Masks secrets in the JSON text that a record keeps, whether or not the policy redacts: evidence must not become the
 * place where keys are found. It works on the escaped text, string by string, so that numbers, key order and everything
 * without a secret stay as they were received, and a key written as `\u0067hp_…` is masked too.
 *
 * INVARIANT: of a long secret at most its first four characters remain, which tell its kind; of a short one none.
 */
import type { JsonValue } from "../wire/json.ts";
import type { Finding } from "./finding.ts";
import { spotsOf } from "./inspect.ts";
import { escapeSegment, type Known, knownValues, unescapeSegment } from "./known.ts";
import { SHORTEST_SECRET } from "./secrets.ts";
import { joined } from "./spot.ts";

/** Stops after the string in which `enough` characters are reached; a secret is never left half read. */
export function maskStart(text: string, known: Known, enough: number): string {
  let result = "";
  let from = 0;
  while (result.length < enough) {
    const open = text.indexOf('"', from);
    if (open < 0) return result + maskPlain(text.slice(from), known);
    const close = endOfString(text, open);
    const between = text.slice(from, open);
    result += between.length < SHORTEST_SECRET ? between : maskPlain(between, known);
    result += maskToken(text.slice(open, close), known);
    from = close;
  }
  return result;
}

/** Findings whose path holds no secret: a member name can be one. */
export function maskPaths(value: JsonValue, findings: readonly Finding[]): readonly Finding[] {
  if (!findings.some(({ key, kind }) => key === true && kind === "secret")) return findings;
  const known = knownValues(value, findings);
  return findings.map((finding) => ({
    ...finding,
    path: finding.path
      .split("/")
      .map((segment) => escapeSegment(maskPlain(unescapeSegment(segment), known)))
      .join("/"),
  }));
}

const ROUNDS = 4;
const MASK = "…[masked]";
const SHOWN = 4;
/** A secret of fewer characters would be told by four of them. */
const LONG_ENOUGH = 16;

/** Past the closing quote, or the end of a text that has none. */
function endOfString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}

function maskToken(token: string, known: Known): string {
  if (token.length < 2 || !token.endsWith('"')) return maskPlain(token, known);
  if (!token.includes("\\")) {
    const inner = token.slice(1, -1);
    const masked = maskPlain(inner, known);
    return masked === inner ? token : `"${masked}"`;
  }
  const decoded = decode(token);
  if (decoded === undefined) return maskPlain(token, known);
  const masked = maskPlain(decoded, known);
  return masked === decoded ? token : JSON.stringify(masked);
}

/** Undefined for what is no JSON string; such a text is masked as it stands. */
function decode(token: string): string | undefined {
  try {
    const value: unknown = JSON.parse(token);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Again while something is found: a mask can set free what was glued to a secret. */
function maskPlain(text: string, known: Known): string {
  let masked = text;
  for (let round = 0; round < ROUNDS; round += 1) {
    const secrets = known.placesIn(masked);
    for (const spot of spotsOf(masked) ?? []) {
      // The head that a mask shows may look like a short key again.
      if (spot.kind === "secret" && !masked.startsWith(MASK, spot.end)) secrets.push(spot);
    }
    if (secrets.length === 0) return masked;
    let result = "";
    let from = 0;
    for (const { start, end } of joined(secrets)) {
      result += masked.slice(from, start) + shown(masked.slice(start, end)) + MASK;
      from = end;
    }
    masked = result + masked.slice(from);
  }
  return masked;
}

function shown(secret: string): string {
  if (secret.length < LONG_ENOUGH) return "";
  const head = secret.slice(0, SHOWN);
  return head.isWellFormed() ? head : "";
}
