/**
 * The small readings that rules are made of: records, lists, words, sentences. Each reports what is wrong at its own place
 * and gives nothing back then, so that reading goes on and finds the rest.
 */
import type { FindingKind } from "../inspect/finding.ts";
import { didYouMean } from "./did-you-mean.ts";
import { below, type Complaint, quoted, type Report } from "./problem.ts";

export interface Site {
  readonly path: string;
  readonly report: Report;
}

const MOST_ITEMS = 1_000;
const KINDS: Readonly<Record<FindingKind, true>> = { secret: true, "hidden-text": true };

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function refuseUnknown(record: object, known: readonly string[], site: Site): void {
  for (const key of Object.keys(record)) {
    if (known.includes(key)) continue;
    site.report(below(site.path, key), {
      message: `navra does not know ${quoted(key)} here.`,
      remedy: didYouMean(key, known),
    });
  }
}

/** A list of texts, or one text standing for a list of one. Repetitions are dropped. */
export function readList(
  value: unknown,
  site: Site & { readonly check: (text: string) => Complaint | undefined },
): readonly string[] | undefined {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const { path, report, check } = site;
  if (items.length === 0 || items.length > MOST_ITEMS) {
    report(path, {
      message: items.length === 0 ? "An empty list can never match." : "The list is too long.",
      remedy: items.length === 0 ? "Leave the clause out, or name something." : `Keep it under ${MOST_ITEMS} entries.`,
    });
    return undefined;
  }
  let fine = true;
  const texts = new Set<string>();
  items.forEach((item, index) => {
    const complaint =
      typeof item === "string" ? check(item) : { message: "This is not a text.", remedy: "Write texts in quotes." };
    if (typeof item === "string") texts.add(item);
    if (!complaint) return;
    fine = false;
    report(Array.isArray(value) ? below(path, index) : path, complaint);
  });
  return fine ? [...texts] : undefined;
}

export function readWord<Word extends string>(value: unknown, words: readonly Word[], site: Site): Word | undefined {
  const word = words.find((known) => known === value);
  if (word !== undefined) return word;
  const text = typeof value === "string" ? value : "";
  site.report(site.path, {
    message: typeof value === "string" ? `${quoted(value)} cannot stand here.` : "This is not a text.",
    remedy: didYouMean(text, words),
  });
  return undefined;
}

export function readSentence(value: unknown, longest: number, site: Site): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && value.trim() !== "" && value.length <= longest) return value;
  site.report(site.path, {
    message: "This is not a short text.",
    remedy: `Write 1 to ${longest} characters in quotes, or leave it out.`,
  });
  return undefined;
}

/** A kind of finding, or an exact type of one kind. */
export function findingComplaint(text: string): Complaint | undefined {
  const dot = text.indexOf(".");
  const kind = dot < 0 ? text : text.slice(0, dot);
  if (!Object.hasOwn(KINDS, kind)) {
    return { message: `navra does not look for ${quoted(text)}.`, remedy: didYouMean(kind, Object.keys(KINDS)) };
  }
  if (dot < 0 || /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(text.slice(dot + 1))) return undefined;
  return {
    message: `${quoted(text)} is not a type of finding.`,
    remedy: `Write ${kind}, or a type such as secret.github-token.`,
  };
}
