/**
 * What can be saved and is probably not meant. Mistakes that can be seen in a rule alone are problems of `parse` and keep it
 * from being saved; here are those that show beside other rules, the servers there are, and the time.
 *
 * INVARIANT: “never matches” and “never decides” are proofs. Everything else is a hint.
 */
import type { JsonValue } from "../wire/json.ts";
import { covers, obliges } from "./covers.ts";
import { STRICTNESS } from "./decide.ts";
import { equal } from "./equal.ts";
import { argumentLints } from "./lint-arguments.ts";
import { type LiveTools, nameLints } from "./lint-names.ts";
import { neverMatches } from "./lint-never.ts";
import type { PolicyDocument, Rule } from "./policy.ts";
import { type Complaint, quoted } from "./problem.ts";

export type LintKind =
  | "never-matches"
  | "never-decides"
  | "repeated"
  | "unknown-server"
  | "unknown-tool"
  | "unknown-argument"
  | "impossible-argument"
  | "always-asks"
  | "widens"
  | "cancels";

export interface Lint extends Complaint {
  readonly kind: LintKind;
  readonly rule: string;
  /** JSON Pointer into the rule. */
  readonly path: string;
}

/** What there is now. Tools that were never listed are not known to be missing. */
export interface Live extends LiveTools {
  /** Epoch milliseconds and the person's offset, for rules whose day is over. */
  readonly now?: number;
  readonly utcOffsetMinutes?: number;
}

type Ruled = Pick<PolicyDocument, "rules"> & Partial<Pick<PolicyDocument, "default">>;

export function lint(policy: Ruled, live: Live): readonly Lint[] {
  const found: Lint[] = [];
  for (const rule of policy.rules) {
    if (rule.mode === "off") continue;
    const report = (kind: LintKind, path: string, complaint: Complaint): void =>
      void found.push({ kind, rule: rule.id, path, ...complaint });
    const never = neverMatches(rule, live);
    if (never) {
      report("never-matches", never.path, never);
      continue;
    }
    const before = found.length;
    nameLints(rule, live, report);
    if (found.length === before) argumentLints(rule, live, report);
    besideOthers(rule, policy.rules, report);
    if (rule.mode === "enforce") alone(rule, report);
  }
  return found;
}

type ReportLint = (kind: LintKind, path: string, complaint: Complaint) => void;

function besideOthers(rule: Rule, rules: readonly Rule[], report: ReportLint): void {
  for (const other of rules) {
    if (other === rule || other.mode !== "enforce") continue;
    if (hides(other, rule)) {
      report("never-decides", "", {
        message: `${quoted(other.id)} always decides before this rule.`,
        remedy: "Give this rule a higher priority, make the other one narrower, or remove this one.",
      });
      return;
    }
    if (rule.id > other.id && isSame(rule, other)) {
      report("repeated", "", { message: `${quoted(other.id)} says the same.`, remedy: "Remove one of them." });
      return;
    }
  }
  if (rule.mode !== "enforce" || rule.verdict === "deny") return;
  const cancelled = rules.find(
    (other) =>
      other !== rule &&
      other.mode === "enforce" &&
      hides(rule, other) &&
      STRICTNESS[other.verdict] > STRICTNESS[rule.verdict],
  );
  if (cancelled) {
    report("cancels", "/priority", {
      message: `This rule takes away everything ${quoted(cancelled.id)} ${cancelled.verdict === "deny" ? "denies" : "asks about"}.`,
      remedy: "Lower its priority, or make it narrower.",
    });
  }
}

/** Wherever the rule holds the other one decides, and the rule obliges to nothing more. */
function hides(other: Rule, rule: Rule): boolean {
  // A rule whose rate is used up denies, and so goes before one that asks beside it.
  const strictest = rule.do?.rate === undefined ? rule.verdict : "deny";
  const stricter = STRICTNESS[other.verdict] > STRICTNESS[strictest];
  const first = other.priority > rule.priority || (other.priority === rule.priority && stricter);
  return first && obliges(other.do, rule.do) && covers(other, rule);
}

function isSame(a: Rule, b: Rule): boolean {
  const bare = ({ id: _id, note: _note, ...rest }: Rule): JsonValue => rest as unknown as JsonValue;
  return equal(bare(a), bare(b));
}

/** Rules that say too much at once. */
function alone(rule: Rule, report: ReportLint): void {
  const { when, verdict, on } = rule;
  if (!on.includes("request")) return;
  const speaksOf = (...clauses: readonly (keyof Rule["when"])[]): boolean =>
    clauses.some((clause) => when[clause] !== undefined);
  const names = speaksOf("tool", "prompt", "uri", "args", "server", "origin", "topSite");
  if (verdict === "ask" && !names && !speaksOf(...CONDITIONS)) {
    report("always-asks", "/when", {
      message: "This asks before every call, and people who are asked all the time stop reading.",
      remedy: "Name the tools, servers or conditions that matter.",
    });
  }
  const onlyReads = when.class?.every((one) => one === "read") ?? false;
  if (verdict === "allow" && !onlyReads && !names && !speaksOf(...CONDITIONS, "method")) {
    report("widens", "/when", {
      message: "This lets every site use every tool of every server without a question.",
      remedy: 'Name sites, servers or tools, or write "class": "read".',
    });
  }
}

const CONDITIONS = [
  "annotations",
  "pin",
  "labels",
  "findings",
  "size",
  "time",
  "rate",
  "after",
  "inARow",
  "refusals",
  "frame",
  "private",
  "direction",
  "class",
] as const satisfies readonly (keyof Rule["when"])[];
