/**
 * Rules from outside (a form, a text, a store) become `Rule`, or a list of everything that is wrong with them. Nothing
 * unknown is kept and nothing doubtful is guessed: a misspelled clause that was silently dropped would widen the rule.
 */
import { GRANT_SCOPES } from "../consent/approval.ts";
import { endOfDay } from "./calendar.ts";
import { didYouMean } from "./did-you-mean.ts";
import { RATE_REMEDY, readCount, readText } from "./parse-clauses.ts";
import { parseWhen } from "./parse-when.ts";
import { OBLIGATION_PHASES, PHASES, VERDICT_PHASES, VERDICTS } from "./phases.ts";
import type { Obligations, Phase, Rule, Verdict } from "./policy.ts";
import { below, quoted, type Report, type RuleProblem } from "./problem.ts";
import { readRate } from "./rate.ts";
import { findingComplaint, isRecord, readList, readSentence, readWord, refuseUnknown } from "./read.ts";

const KEYS = ["id", "verdict", "priority", "on", "when", "do", "mode", "expires", "note"] as const;
const MODES = ["enforce", "audit", "off"] as const;
const MOST_RULES = 10_000;
const LONGEST_NOTE = 500;

/** One rule, or all of its problems with pointers into it. */
export function parseRule(input: unknown): { rule?: Rule; problems: RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const rule = readRule(input, "", (path, complaint) => problems.push({ path, ...complaint }));
  return rule && problems.length === 0 ? { rule, problems } : { problems };
}

/** A list of rules. Rules without problems come back even when others have some; saving is for when there are none. */
export function parseRules(input: unknown): { rules: Rule[]; problems: RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const report: Report = (path, complaint) => problems.push({ path, ...complaint });
  if (!Array.isArray(input)) {
    report("", { message: "Rules are a list.", remedy: "Put the rules between [ and ]." });
    return { rules: [], problems };
  }
  if (input.length > MOST_RULES) {
    report("", {
      message: "There are too many rules.",
      remedy: `Keep at most ${MOST_RULES}; use lists and * to join some.`,
    });
    return { rules: [], problems };
  }
  const rules: Rule[] = [];
  const places = new Map<string, number>();
  input.forEach((item: unknown, index) => {
    const before = problems.length;
    const rule = readRule(item, `/${index}`, report);
    const id = isRecord(item) ? item.id : undefined;
    if (typeof id === "string") {
      const first = places.get(id);
      if (first === undefined) places.set(id, index);
      else {
        report(`/${index}/id`, {
          message: `The id ${quoted(id)} is already used by rule ${first + 1} of the list.`,
          remedy: "Give this rule another id.",
        });
      }
    }
    if (rule && problems.length === before) rules.push(rule);
  });
  return { rules, problems };
}

function readRule(input: unknown, path: string, report: Report): Rule | undefined {
  if (!isRecord(input)) {
    report(path, { message: "A rule is an object.", remedy: "Write the rule between { and }." });
    return undefined;
  }
  refuseUnknown(input, KEYS, { path, report });
  const id = readId(input.id, below(path, "id"), report);
  const verdict = readVerdict(input.verdict, below(path, "verdict"), report);
  const on = readPhases(input.on, below(path, "on"), report);
  const priority = readPriority(input.priority, below(path, "priority"), report);
  const mode =
    input.mode === undefined ? "enforce" : readWord(input.mode, MODES, { path: below(path, "mode"), report });
  const expires = readExpires(input.expires, below(path, "expires"), report);
  const note = readSentence(input.note, LONGEST_NOTE, { path: below(path, "note"), report });
  const phases = on ?? [];
  if (verdict === "ask") refuseAsk(phases, below(path, "verdict"), report);
  const when = parseWhen(input.when, { path: below(path, "when"), report, phases, verdict: verdict ?? "deny" });
  const obligations = readObligations(input.do, { path: below(path, "do"), report, phases, verdict });
  if (id === undefined || !verdict || !on || priority === undefined || !mode || !when) return undefined;
  return {
    id,
    verdict,
    priority,
    on,
    when,
    ...(obligations ? { do: obligations } : {}),
    mode,
    ...(expires === undefined ? {} : { expires }),
    ...(note === undefined ? {} : { note }),
  };
}

/** No colon in an id: `error:…`, `default:…`, `flow:…` and `pin:…` are names of ours among reasons. */
function readId(value: unknown, path: string, report: Report): string | undefined {
  if (typeof value === "string" && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value)) return value;
  report(path, {
    message: value === undefined ? "The rule has no id." : "The id cannot be used.",
    remedy: "Use 1 to 64 letters, digits, dots, dashes or underscores, a letter or digit first.",
  });
  return undefined;
}

function readVerdict(value: unknown, path: string, report: Report): Verdict | undefined {
  if (value !== undefined) return readWord(value, VERDICTS, { path, report });
  report(path, { message: "The rule says nothing.", remedy: "Add a verdict: allow, ask or deny." });
  return undefined;
}

function readPhases(value: unknown, path: string, report: Report): readonly Phase[] | undefined {
  if (value === undefined) return ["request"];
  const known: readonly string[] = PHASES;
  return readList(value, {
    path,
    report,
    check: (text) =>
      known.includes(text)
        ? undefined
        : { message: `${quoted(text)} is not a moment a rule can hold at.`, remedy: didYouMean(text, PHASES) },
  }) as readonly Phase[] | undefined;
}

function refuseAsk(phases: readonly Phase[], path: string, report: Report): void {
  const impossible = phases.filter((phase) => !VERDICT_PHASES.ask.includes(phase));
  if (impossible.length === 0) return;
  report(path, {
    message: `Nobody can be asked in ${quoted(impossible.join(", "))}.`,
    remedy: "Use deny there, or take that phase out of “on”.",
  });
}

function readPriority(value: unknown, path: string, report: Report): number | undefined {
  if (value === undefined) return 0;
  if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= 1000) return value + 0;
  report(path, {
    message: "The priority cannot be used.",
    remedy: "Use a whole number from -1000 to 1000; higher goes first.",
  });
  return undefined;
}

function readExpires(value: unknown, path: string, report: Report): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && endOfDay(value) !== undefined) return value;
  report(path, {
    message: typeof value === "string" ? `There is no day ${quoted(value)}.` : "The last day is not a text.",
    remedy: "Write the last day it holds as YYYY-MM-DD.",
  });
  return undefined;
}

interface ObligationSite {
  readonly path: string;
  readonly report: Report;
  readonly phases: readonly Phase[];
  readonly verdict: Verdict | undefined;
}

function readObligations(value: unknown, site: ObligationSite): Obligations | undefined {
  if (value === undefined) return undefined;
  const { path, report, phases, verdict } = site;
  if (!isRecord(value) || Object.keys(value).length === 0) {
    report(path, {
      message: "“do” is empty or not an object.",
      remedy: `Leave it out, or add ${OBLIGATIONS.join(", ")}.`,
    });
    return undefined;
  }
  refuseUnknown(value, OBLIGATIONS, { path, report });
  for (const key of OBLIGATIONS) {
    const impossible = phases.filter((phase) => !OBLIGATION_PHASES[key].includes(phase));
    if (value[key] === undefined || impossible.length === 0) continue;
    report(below(path, key), {
      message: `“${key}” can do nothing in ${quoted(impossible.join(", "))}.`,
      remedy: `Take that phase out of “on”, or leave ${key} out.`,
    });
  }
  const redact =
    value.redact === undefined
      ? undefined
      : readList(value.redact, { path: below(path, "redact"), report, check: findingComplaint });
  const say = readSentence(value.say, LONGEST_NOTE, { path: below(path, "say"), report });
  if (say !== undefined && verdict === "allow") {
    report(below(path, "say"), {
      message: "“say” goes with a refusal.",
      remedy: "Leave it out of a rule that allows.",
    });
  }
  const rate = readText(value.rate, {
    path: below(path, "rate"),
    report,
    check: (text) => readRate(text) !== undefined,
    remedy: RATE_REMEDY,
  });
  if (rate !== undefined && verdict === "deny") {
    report(below(path, "rate"), {
      message: "A rule that denies lets nothing pass that could be counted.",
      remedy: "Leave “rate” out, or allow or ask.",
    });
  }
  const grant =
    value.grant === undefined ? undefined : readWord(value.grant, GRANT_SCOPES, { path: below(path, "grant"), report });
  if (grant !== undefined && verdict !== "ask") {
    report(below(path, "grant"), { message: "“grant” goes with a question.", remedy: "Leave it out, or ask." });
  }
  const timeout =
    value.timeout === undefined
      ? undefined
      : readCount(value.timeout, { path: below(path, "timeout"), report, least: 1, most: 3_600 });
  return {
    ...(redact && { redact }),
    ...(rate === undefined ? {} : { rate }),
    ...(grant && { grant }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(say === undefined ? {} : { say }),
  };
}

const OBLIGATIONS = Object.keys(OBLIGATION_PHASES) as readonly (keyof Obligations)[];
