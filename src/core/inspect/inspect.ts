/**
 * Looks at every string and member name of a judged payload for what a person cannot see and for keys that must not
 * travel. Findings never decide; rules, labels and redaction read them. It runs on every message in both directions, so
 * a string is first passed through a filter that costs about a nanosecond per character, and only what the filter stops
 * at meets a pattern.
 *
 * INVARIANT: a flood of findings of one type hides no other: at most `MAX_PER_TYPE` places are listed per type, and
 * `<kind>.too-many` says that more exist, so a rule for the kind or the type still holds.
 */
import { isObject, type JsonValue } from "../wire/json.ts";
import type { Finding, FindingKind } from "./finding.ts";
import { findHiddenText, invisibleRuns, mayHideText, type Run, withoutInvisible } from "./hidden-text.ts";
import { findSecrets, mayHoldSecret, SHORTEST_SECRET } from "./secrets.ts";
import type { Spot } from "./spot.ts";

export const MAX_PER_TYPE = 64;
const MAX_TO_REDACT = 20_000;

export function inspect(value: JsonValue): readonly Finding[] {
  return inspectUpTo(MAX_PER_TYPE, value);
}

/** Far more findings: for redaction, which must miss none. Where even these overflow, the message cannot be cleaned. */
export function inspectAll(value: JsonValue): readonly Finding[] {
  return inspectUpTo(MAX_TO_REDACT, value);
}

/** What the detectors say of one string; undefined, at next to no cost, for a string that holds nothing. */
export function spotsOf(text: string): readonly Spot[] | undefined {
  const hints = hintsOf(text);
  if (hints === 0) return undefined;
  const secrets = (hints & SECRET) !== 0 && text.length >= SHORTEST_SECRET ? findSecrets(text) : [];
  const runs = (hints & HIDDEN) !== 0 && mayHideText(text) ? invisibleRuns(text) : [];
  if (runs.length === 0) return secrets.length === 0 ? undefined : secrets;
  const spots = findHiddenText(text, runs).concat(secrets, splitSecrets(text, runs, secrets));
  return spots.length === 0 ? undefined : spots;
}

export function isOverflow(finding: Finding): boolean {
  return finding.type === `${finding.kind}.${OVERFLOW}`;
}

const OVERFLOW = "too-many";

interface Collected {
  readonly findings: Finding[];
  readonly counts: Map<string, number>;
  readonly overflown: Set<FindingKind>;
  readonly limit: number;
  /** The pointer's segments; valid up to the depth at hand, so that walking costs no string. */
  readonly path: (string | number)[];
}

function inspectUpTo(limit: number, value: JsonValue): readonly Finding[] {
  if (typeof value === "string") {
    const spots = spotsOf(value);
    if (spots === undefined) return NONE;
  }
  const into: Collected = { findings: [], counts: new Map(), overflown: new Set(), limit, path: [] };
  walk(value, 0, into);
  return into.findings;
}

const NONE: readonly Finding[] = Object.freeze([]);

function walk(value: JsonValue, depth: number, into: Collected): void {
  if (typeof value === "string") {
    const spots = spotsOf(value);
    if (spots !== undefined) collect(spots, depth, into);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (!isObject(value)) {
    for (let index = 0; index < value.length; index += 1) {
      into.path[depth] = index;
      walk(value[index] as JsonValue, depth + 1, into);
    }
    return;
  }
  for (const name of Object.keys(value)) {
    into.path[depth] = name;
    const spots = spotsOf(name);
    if (spots !== undefined) collect(spots, depth + 1, into, KEY);
    const member = value[name] as JsonValue;
    if (typeof member === "string" || typeof member === "object") walk(member, depth + 1, into);
  }
}

const KEY = { key: true } as const;
const VALUE = {} as const;

function collect(
  spots: readonly Spot[],
  depth: number,
  into: Collected,
  member: { readonly key?: true } = VALUE,
): void {
  const path = pointer(into.path, depth);
  for (const spot of spots) {
    const count = into.counts.get(spot.type) ?? 0;
    if (count < into.limit) {
      into.counts.set(spot.type, count + 1);
      into.findings.push({ ...spot, path, ...member });
    } else if (!into.overflown.has(spot.kind)) {
      into.overflown.add(spot.kind);
      into.findings.push({ ...spot, type: `${spot.kind}.${OVERFLOW}`, path, ...member });
    }
  }
}

function pointer(path: readonly (string | number)[], depth: number): string {
  let text = "";
  for (let at = 0; at < depth; at += 1) {
    const segment = path[at];
    text += typeof segment === "number" ? `/${segment}` : `/${segment?.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return text;
}

/** A key with invisible characters in its middle is a key; without this, removing them would put it together again. */
function splitSecrets(text: string, runs: readonly Run[], whole: readonly Spot[]): Spot[] {
  const { visible, places } = withoutInvisible(text, runs);
  if (!mayHoldSecret(visible)) return [];
  const known = new Set(whole.map(({ start, end }) => `${start}-${end}`));
  return findSecrets(visible)
    .map((spot) => ({ ...spot, start: places[spot.start] ?? 0, end: (places[spot.end - 1] ?? 0) + 1 }))
    .filter(({ start, end }) => !known.has(`${start}-${end}`));
}

const HIDDEN = 1;
const SECRET = 2;
/** From here on the engine's own search beats a loop over the characters. */
const LONG = 96;

/** What each ASCII character may begin or be part of. */
const HINTS = new Uint8Array(128);
for (let code = 0; code < 0x20; code += 1) HINTS[code] = HIDDEN;
for (const code of [0x09, 0x0a, 0x0c, 0x0d]) HINTS[code] = 0;
HINTS[0x7f] = HIDDEN;
for (const letter of "_-#A") HINTS[letter.charCodeAt(0)] = SECRET;

function hintsOf(text: string): number {
  const length = text.length;
  if (length > LONG) return (mayHideText(text) ? HIDDEN : 0) | (mayHoldSecret(text) ? SECRET : 0);
  let hints = 0;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    hints |= code < 128 ? (HINTS[code] as number) : HIDDEN;
  }
  return hints;
}
