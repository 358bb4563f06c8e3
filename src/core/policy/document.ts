/**
 * A whole policy as one JSON value: the person's, with its visible default row, or what an organisation sets, which has
 * none because it has no opinion where no rule of its matches. Read as strictly as a single rule.
 */
import { DEFAULT_ROW } from "./baseline.ts";
import { parseRules } from "./parse.ts";
import { VERDICTS } from "./phases.ts";
import type { DefaultRow, ManagedDocument, PolicyDocument } from "./policy.ts";
import { below, type Report, type RuleProblem } from "./problem.ts";
import { isRecord, readSentence, readWord, refuseUnknown } from "./read.ts";

export interface Parsed<Document> {
  /** Only where there are no problems. */
  readonly document?: Document;
  readonly problems: RuleProblem[];
}

const LONGEST_PROFILE = 64;

/** A person's policy. A list of rules alone is one too, under the usual default row. */
export function parseDocument(input: unknown): Parsed<PolicyDocument> {
  const problems: RuleProblem[] = [];
  const report: Report = (path, complaint) => problems.push({ path, ...complaint });
  if (Array.isArray(input)) {
    const { rules, problems: found } = parseRules(input);
    return found.length > 0
      ? { problems: found }
      : { document: { version: 1, default: DEFAULT_ROW, rules }, problems: found };
  }
  const head = readHead(input, ["version", "profile", "default", "rules"], report);
  if (!head) return { problems };
  const profile = readSentence(head.profile, LONGEST_PROFILE, { path: "/profile", report });
  const row = head.default === undefined ? DEFAULT_ROW : readDefault(head.default, report);
  const rules = readRules(head.rules, problems);
  if (problems.length > 0 || !row) return { problems };
  return { document: { version: 1, ...(profile === undefined ? {} : { profile }), default: row, rules }, problems };
}

/** What an organisation sets. Whatever is wrong with it, the caller closes: see `ManagedLayer`. */
export function parseManaged(input: unknown): Parsed<ManagedDocument> {
  const problems: RuleProblem[] = [];
  const report: Report = (path, complaint) => problems.push({ path, ...complaint });
  const head = readHead(input, ["version", "rules"], report);
  const rules = head ? readRules(head.rules, problems) : [];
  return problems.length > 0 ? { problems } : { document: { version: 1, rules }, problems };
}

function readHead(
  input: unknown,
  keys: readonly string[],
  report: Report,
): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(input)) {
    report("", { message: "A policy is an object.", remedy: 'Write {"version": 1, "rules": […]}.' });
    return undefined;
  }
  refuseUnknown(input, keys, { path: "", report });
  if (input.version !== 1) {
    report("/version", {
      message: input.version === undefined ? "The policy does not say its version." : "This version is not known here.",
      remedy: 'Write "version": 1.',
    });
  }
  return input;
}

function readRules(value: unknown, problems: RuleProblem[]): PolicyDocument["rules"] {
  const parsed = parseRules(value ?? null);
  problems.push(...parsed.problems.map((problem) => ({ ...problem, path: `/rules${problem.path}` })));
  return parsed.rules;
}

function readDefault(value: unknown, report: Report): DefaultRow | undefined {
  const path = "/default";
  if (!isRecord(value)) {
    report(path, { message: "“default” is not an object.", remedy: 'Write {"read": "allow", "other": "ask"}.' });
    return undefined;
  }
  refuseUnknown(value, ["read", "other"], { path, report });
  const verdict = (key: keyof DefaultRow) => {
    if (value[key] !== undefined) return readWord(value[key], VERDICTS, { path: below(path, key), report });
    report(below(path, key), { message: `The default row does not say “${key}”.`, remedy: "Add allow, ask or deny." });
    return undefined;
  };
  const read = verdict("read");
  const other = verdict("other");
  return read && other && { read, other };
}
