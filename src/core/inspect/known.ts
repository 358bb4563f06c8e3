/**
 * The secrets that were found in a message, as texts, so that the same secret is recognised where it stands without the
 * form that gave it away: a link's key repeated in a field of its own, a token glued to a word.
 */
import { isObject, type JsonValue } from "../wire/json.ts";
import type { Finding } from "./finding.ts";

export interface Known {
  /** Where any of them occurs in a text. */
  placesIn(text: string): { start: number; end: number }[];
}

/** Shorter ones are words that occur anywhere; those are replaced only where they were found. */
const SHORTEST_KNOWN = 8;
/** A message with more different secrets has each replaced where it was found. */
const MOST_KNOWN = 1_000;
/** Longer texts are searched one by one: a pattern of whole private keys would be too large for the engine. */
const LONG = 256;
const MOST_LONG = 100;
const PATTERN_SIZE = 16_000;

export function knownValues(value: JsonValue, findings: readonly Finding[]): Known {
  const texts = new Set<string>();
  for (const finding of findings) {
    if (finding.kind !== "secret" || texts.size >= MOST_KNOWN) continue;
    const text = textAt(value, finding)?.slice(finding.start, finding.end);
    if (text !== undefined && text.length >= SHORTEST_KNOWN) texts.add(text);
  }
  const longestFirst = [...texts].sort((a, b) => b.length - a.length);
  const long = longestFirst.filter(({ length }) => length > LONG).slice(0, MOST_LONG);
  const patterns = patternsOf(longestFirst.filter(({ length }) => length <= LONG));
  return {
    placesIn(text) {
      const places = long.flatMap((secret) => occurrences(text, secret));
      for (const pattern of patterns) {
        for (const match of text.matchAll(pattern)) {
          places.push({ start: match.index, end: match.index + match[0].length });
        }
      }
      return places;
    },
  };
}

/** The string a finding lies in: a value, or with `key` the last name of its path. */
export function textAt(value: JsonValue, finding: Pick<Finding, "path" | "key">): string | undefined {
  const segments = finding.path.split("/").slice(1).map(unescapeSegment);
  if (finding.key === true) return segments.at(-1);
  let current: JsonValue | undefined = value;
  for (const segment of segments) {
    if (Array.isArray(current)) current = (current as readonly JsonValue[])[Number(segment)];
    else if (isObject(current) && Object.hasOwn(current, segment)) current = current[segment];
    else return undefined;
  }
  return typeof current === "string" ? current : undefined;
}

export function escapeSegment(segment: string): string {
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function unescapeSegment(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}

function occurrences(text: string, secret: string): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
    places.push({ start: at, end: at + secret.length });
  }
  return places;
}

/** Literals only, longest first, so nothing can run long and no secret is cut by a shorter one. */
function patternsOf(texts: readonly string[]): RegExp[] {
  const sources: string[] = [];
  for (const text of texts) {
    const last = sources.at(-1);
    if (last === undefined || last.length > PATTERN_SIZE) sources.push(literal(text));
    else sources[sources.length - 1] = `${last}|${literal(text)}`;
  }
  return sources.map((source) => new RegExp(source, "g"));
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
