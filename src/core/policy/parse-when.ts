/**
 * The clauses of a rule. Every clause must be able to match in every phase the rule is for; lists are never empty. The
 * phases of the rule come in, because the same clause is right in one and void in another.
 */
import { CONFIDENTIALITY, type Confidentiality, INTEGRITY } from "../flow/labels.ts";
import { AGENT_METHODS, SERVER_METHODS, SERVER_NOTIFICATIONS } from "../mcp/methods.ts";
import type { ToolClass } from "../servers/server.ts";
import { didYouMean } from "./did-you-mean.ts";
import { globTest, literalStart } from "./glob.ts";
import { isExactOrigin, originComplaint } from "./origin.ts";
import { parseArguments } from "./parse-arguments.ts";
import { readFlag, readPast, readSize, readTime } from "./parse-clauses.ts";
import { CLAUSE_PHASES } from "./phases.ts";
import type { Annotations, Phase, PinFact, Verdict, When } from "./policy.ts";
import { below, type Complaint, quoted } from "./problem.ts";
import { findingComplaint, isRecord, readList, readWord, refuseUnknown, type Site } from "./read.ts";

interface WhenSite extends Site {
  readonly phases: readonly Phase[];
  readonly verdict: Verdict;
}

const CLASSES = ["read", "write", "external"] as const satisfies readonly ToolClass[];
const CLAUSES = Object.keys(CLAUSE_PHASES) as readonly (keyof When)[];
const PINS = ["approved", "changed", "new", "none"] as const satisfies readonly PinFact[];
const LONGEST_NAME = 256;
const NOTIFICATIONS = "notifications/";

export function parseWhen(value: unknown, site: WhenSite): When | undefined {
  const { path, report } = site;
  if (!isRecord(value)) {
    const missing = value === undefined;
    report(path, {
      message: missing ? "The rule does not say when it holds." : "“when” is not an object.",
      remedy: 'Add clauses between { and }, or "when": {} for always.',
    });
    return undefined;
  }
  refuseUnknown(value, CLAUSES, site);
  refuseVoidClauses(value, site);
  const list = (key: keyof When, check: (text: string) => Complaint | undefined): readonly string[] | undefined =>
    value[key] === undefined ? undefined : readList(value[key], { path: below(path, key), report, check });
  const origin = list("origin", originComplaint);
  const topSite = list("topSite", originComplaint);
  const server = list("server", nameComplaint);
  const tool = list("tool", nameComplaint);
  const method = list("method", methodComplaint);
  const classes = list("class", classComplaint) as readonly ToolClass[] | undefined;
  const findings = list("findings", findingComplaint);
  const prompt = list("prompt", nameComplaint);
  const uri = list("uri", uriComplaint);
  const pin = list("pin", (text) => wordComplaint(text, PINS)) as readonly PinFact[] | undefined;
  const word = <Word extends string>(key: keyof When, words: readonly Word[]): Word | undefined =>
    value[key] === undefined ? undefined : readWord(value[key], words, { path: below(path, key), report });
  const frame = word("frame", ["top", "embedded"]);
  const direction = word("direction", ["out", "back"]);
  const era = word("era", ["legacy", "modern"]);
  const isPrivate = readFlag(value.private, { path: below(path, "private"), report });
  const annotations =
    value.annotations === undefined
      ? undefined
      : readAnnotations(value.annotations, { ...site, path: below(path, "annotations") });
  const size = value.size === undefined ? undefined : readSize(value.size, { path: below(path, "size"), report });
  const time = value.time === undefined ? undefined : readTime(value.time, { path: below(path, "time"), report });
  const past = readPast(value, site);
  const args = value.args === undefined ? undefined : parseArguments(value.args, { path: below(path, "args"), report });
  const labels = value.labels === undefined ? undefined : readLabels(value.labels, site);
  if (method) refuseVoidMethods(method, tool !== undefined, site);
  refuseContradictions({ frame, origin, topSite, tool, prompt, uri }, site);
  return {
    ...(origin && { origin }),
    ...(topSite && { topSite }),
    ...(frame && { frame }),
    ...(isPrivate === undefined ? {} : { private: isPrivate }),
    ...(direction && { direction }),
    ...(era && { era }),
    ...(server && { server }),
    ...(tool && { tool }),
    ...(prompt && { prompt }),
    ...(uri && { uri }),
    ...(method && { method }),
    ...(classes && { class: classes }),
    ...(annotations && { annotations }),
    ...(pin && { pin }),
    ...(args && { args }),
    ...(labels && { labels }),
    ...(findings && { findings }),
    ...(size && { size }),
    ...(time && { time }),
    ...past,
  };
}

function refuseVoidClauses(value: Readonly<Record<string, unknown>>, site: WhenSite): void {
  for (const key of CLAUSES) {
    if (value[key] === undefined) continue;
    const impossible = site.phases.filter((phase) => !CLAUSE_PHASES[key].includes(phase));
    if (impossible.length === 0) continue;
    site.report(below(site.path, key), {
      message: `“${key}” can never match in ${quoted(impossible.join(", "))}.`,
      remedy: "Take that phase out of “on”, or leave the clause out.",
    });
  }
}

/** Notifications are judged in `event` and nowhere else, and only `tools/call` and lists name a tool. */
function refuseVoidMethods(methods: readonly string[], withTool: boolean, site: WhenSite): void {
  const path = below(site.path, "method");
  const never = (message: string, remedy: string): void => site.report(path, { message, remedy });
  const judged = site.phases.filter((phase) => phase !== "list");
  if (site.phases.length === 1 && site.phases[0] === "event" && !methods.some(mayBeNotification)) {
    never("None of these methods is a notification.", "Name notifications, for example notifications/message.");
  }
  if (!site.phases.includes("event") && methods.every((method) => method.startsWith(NOTIFICATIONS))) {
    never("Notifications are judged in “event” only.", 'Write "on": ["event"].');
  }
  if (withTool && judged.length > 0 && !methods.some((method) => globTest(method)("tools/call"))) {
    never("A tool is named only by tools/call.", "Leave “method” or “tool” out, or add tools/call.");
  }
}

/** No call ever has a method that no protocol has. */
function methodComplaint(text: string): Complaint | undefined {
  const complaint = nameComplaint(text);
  if (complaint || METHODS.some(globTest(text))) return complaint;
  return { message: `There is no method ${quoted(text)}, so this can never match.`, remedy: didYouMean(text, METHODS) };
}

const METHODS: readonly string[] = [...AGENT_METHODS.keys(), ...SERVER_METHODS, ...SERVER_NOTIFICATIONS];

function mayBeNotification(method: string): boolean {
  const start = literalStart(method);
  return start === method
    ? start.startsWith(NOTIFICATIONS)
    : start.startsWith(NOTIFICATIONS) || NOTIFICATIONS.startsWith(start);
}

/**
 * Confidentiality reads “at least” in rules that ask or deny and “at most” in rules that allow, the safe way round for
 * each; the end of the scale where that always holds is refused.
 */
function readLabels(value: unknown, { path: whenPath, report, verdict }: WhenSite): When["labels"] {
  const path = below(whenPath, "labels");
  if (!isRecord(value) || Object.keys(value).length === 0) {
    report(path, {
      message: "“labels” is empty or not an object.",
      remedy: "Name integrity, confidentiality or sources.",
    });
    return undefined;
  }
  refuseUnknown(value, ["integrity", "confidentiality", "sources"], { path, report });
  const integrity =
    value.integrity === undefined
      ? undefined
      : readWord(value.integrity, INTEGRITY, { path: below(path, "integrity"), report });
  const level = below(path, "confidentiality");
  const confidentiality =
    value.confidentiality === undefined
      ? undefined
      : readWord<Confidentiality>(value.confidentiality, CONFIDENTIALITY, { path: level, report });
  if (confidentiality === (verdict === "allow" ? "secret" : "public")) {
    report(level, {
      message: `${quoted(confidentiality)} holds for everything here.`,
      remedy: "Leave it out, or name another level.",
    });
  }
  const sources =
    value.sources === undefined || value.sources === "other"
      ? value.sources
      : readList(value.sources, { path: below(path, "sources"), report, check: nameComplaint });
  return { ...(integrity && { integrity }), ...(confidentiality && { confidentiality }), ...(sources && { sources }) };
}

function nameComplaint(text: string): Complaint | undefined {
  if (text !== "" && text.length <= LONGEST_NAME) return undefined;
  return { message: "This name can never match.", remedy: `Write 1 to ${LONGEST_NAME} characters.` };
}

type Contradictable = {
  readonly [Key in "frame" | "origin" | "topSite" | "tool" | "prompt" | "uri"]: When[Key] | undefined;
};

/** Clauses that exclude each other. */
function refuseContradictions(
  { frame, origin, topSite, tool, prompt, uri }: Contradictable,
  { path, report }: WhenSite,
): void {
  const exact = [...(origin ?? []), ...(topSite ?? [])].every(isExactOrigin);
  if (frame === "top" && origin && topSite && exact && !origin.some((one) => topSite.includes(one))) {
    report(below(path, "topSite"), {
      message: "In a page of its own, a site is its own top site; these never meet.",
      remedy: 'Leave “topSite” out, or write "frame": "embedded".',
    });
  }
  if (frame === "embedded" && origin?.length === 1 && topSite?.length === 1 && exact && origin[0] === topSite[0]) {
    report(below(path, "frame"), {
      message: "A frame of the same site is not embedded.",
      remedy: "Leave “frame” out, or name another top site.",
    });
  }
  if ([tool, prompt, uri].filter((clause) => clause !== undefined).length > 1) {
    const extra = tool && prompt ? "prompt" : "uri";
    report(below(path, extra), {
      message: "One call is of a tool, a prompt or a resource, never of two.",
      remedy: "Write a rule for each.",
    });
  }
}

function readAnnotations(value: unknown, { path, report, verdict }: WhenSite): Annotations | undefined {
  if (verdict === "allow") {
    report(path, {
      message: "A server's own word about its tools cannot allow anything.",
      remedy: "Use “class”, which also asks whether you trust the server; or deny what says otherwise.",
    });
    return undefined;
  }
  if (!isRecord(value) || Object.keys(value).length === 0) {
    report(path, { message: "“annotations” is empty or not an object.", remedy: `Use ${HINTS.join(", ")}.` });
    return undefined;
  }
  refuseUnknown(value, HINTS, { path, report });
  const hints = HINTS.filter((hint) => value[hint] !== undefined).map(
    (hint) => [hint, readFlag(value[hint], { path: below(path, hint), report })] as const,
  );
  return Object.fromEntries(hints.filter(([, flag]) => flag !== undefined));
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

function uriComplaint(text: string): Complaint | undefined {
  if (text === "" || text.length > 2_048)
    return { message: "This address can never match.", remedy: "Write 1 to 2048 characters." };
  if (/[\s\\%]|\p{C}/u.test(text) || /\/\.{1,2}(?:\/|$)/.test(text)) {
    return {
      message: `${quoted(text)} is not in its plain form.`,
      remedy: "Write it without spaces, %, \\, . and ..; navra undoes escapes before it compares.",
    };
  }
  return undefined;
}

function wordComplaint(text: string, words: readonly string[]): Complaint | undefined {
  return words.includes(text)
    ? undefined
    : { message: `${quoted(text)} cannot stand here.`, remedy: didYouMean(text, words) };
}

function classComplaint(text: string): Complaint | undefined {
  if ((CLASSES as readonly string[]).includes(text)) return undefined;
  return { message: `${quoted(text)} is not a class of tools.`, remedy: didYouMean(text, CLASSES) };
}
