/** Clauses about numbers, hours and the past, read strictly: a rate or a time that nobody can read is never taken for none. */
import type { ToolClass } from "../servers/server.ts";
import { DAYS, minuteOf } from "./clock-clause.ts";
import { didYouMean } from "./did-you-mean.ts";
import type { AfterClause, Day, RateClause, RefusalsClause, SizeClause, TimeClause, Verdict, When } from "./policy.ts";
import { below, type Complaint, quoted } from "./problem.ts";
import { readDuration, readRate } from "./rate.ts";
import { isRecord, readList, readWord, refuseUnknown, type Site } from "./read.ts";

export const RATE_REMEDY = "Write it like 20/min, 5/10s, 100/h or 500/day: under 1000 calls, over a day at most.";
const DURATION_REMEDY = "Write it like 30s, 10min or 2h, 24h at most.";
const MOST_IN_A_ROW = 100;

export function readFlag(value: unknown, { path, report }: Site): boolean | undefined {
  if (value === undefined || typeof value === "boolean") return value;
  report(path, { message: "This is true or false.", remedy: "Write true or false, without quotes." });
  return undefined;
}

export function readCount(
  value: unknown,
  { path, report, least, most }: Site & { readonly least: number; readonly most: number },
): number | undefined {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value + 0;
  report(path, {
    message: "This is not a number that can stand here.",
    remedy: `Write a whole number from ${least} to ${most}, without quotes.`,
  });
  return undefined;
}

export function readText(
  value: unknown,
  { path, report, check, remedy }: Site & { readonly check: (text: string) => boolean; readonly remedy: string },
): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && check(value)) return value;
  report(path, {
    message: typeof value === "string" ? `${quoted(value)} cannot be read.` : "This is not a text.",
    remedy,
  });
  return undefined;
}

export function readSize(value: unknown, site: Site): SizeClause | undefined {
  const { path, report } = site;
  if (!notEmpty(value, site, 'Use over or under, for example {"over": 1000000}.')) return undefined;
  refuseUnknown(value, ["over", "under"], site);
  const bound = (key: "over" | "under"): number | undefined =>
    value[key] === undefined
      ? undefined
      : readCount(value[key], { path: below(path, key), report, least: key === "under" ? 1 : 0, most: 1e9 });
  const over = bound("over");
  const under = bound("under");
  if (over !== undefined && under !== undefined && over + 1 >= under) {
    report(path, { message: "No message is of this size.", remedy: "Let “over” be below “under”." });
  }
  return { ...(over === undefined ? {} : { over }), ...(under === undefined ? {} : { under }) };
}

export function readTime(value: unknown, site: Site): TimeClause | undefined {
  const { path, report } = site;
  if (!notEmpty(value, site, 'Use days, from, to, for example {"from": "22:00", "to": "06:00"}.')) return undefined;
  refuseUnknown(value, ["days", "from", "to"], site);
  const days =
    value.days === undefined
      ? undefined
      : (readList(value.days, { path: below(path, "days"), report, check: dayComplaint }) as
          | readonly Day[]
          | undefined);
  const time = (key: "from" | "to"): string | undefined =>
    readText(value[key], {
      path: below(path, key),
      report,
      check: (text) => minuteOf(text) !== undefined,
      remedy: "Write the time as HH:MM, from 00:00 to 23:59.",
    });
  const from = time("from");
  const to = time("to");
  if (from !== undefined && from === to) {
    report(path, { message: "“from” and “to” are the same.", remedy: "Leave both out to mean the whole day." });
  }
  return { ...(days && { days }), ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

type Past = Pick<When, "rate" | "after" | "inARow" | "refusals">;

/** The clauses about what the site did before. */
export function readPast(
  value: Readonly<Record<string, unknown>>,
  { path, report, verdict }: Site & { readonly verdict: Verdict },
): Past {
  const at = (key: keyof Past) => ({ path: below(path, key), report });
  for (const key of ["rate", "inARow", "refusals"] as const) {
    if (verdict !== "allow" || value[key] === undefined) continue;
    report(below(path, key), {
      message: "Nothing is allowed because a site has done much of it.",
      remedy: 'Turn it round: ask or deny then. To limit what a rule allows, write "do": {"rate": "5/min"}.',
    });
  }
  const rate = value.rate === undefined ? undefined : readRateClause(value.rate, at("rate"));
  const after = value.after === undefined ? undefined : readAfter(value.after, at("after"));
  const inARow =
    value.inARow === undefined
      ? undefined
      : readCount(value.inARow, { ...at("inARow"), least: 1, most: MOST_IN_A_ROW });
  const refusals = value.refusals === undefined ? undefined : readRefusals(value.refusals, at("refusals"));
  return {
    ...(rate && { rate }),
    ...(after && { after }),
    ...(inARow === undefined ? {} : { inARow }),
    ...(refusals && { refusals }),
  };
}

function readRateClause(value: unknown, site: Site): RateClause | undefined {
  const { path, report } = site;
  if (!notEmpty(value, site, 'Write {"over": "20/min", "of": "server"}.')) return undefined;
  refuseUnknown(value, ["over", "of"], site);
  if (value.over === undefined) report(path, { message: "The rate is missing.", remedy: "Add “over”." });
  const over = readText(value.over, {
    path: below(path, "over"),
    report,
    check: (text) => readRate(text) !== undefined,
    remedy: RATE_REMEDY,
  });
  const of =
    value.of === undefined
      ? "server"
      : readWord(value.of, ["tool", "server", "site"] as const, { path: below(path, "of"), report });
  return over === undefined || !of ? undefined : { over, of };
}

function readAfter(value: unknown, site: Site): AfterClause | undefined {
  const { path, report } = site;
  if (!notEmpty(value, site, 'Write {"server": "mail", "within": "30min"}.')) return undefined;
  refuseUnknown(value, ["server", "tool", "class", "within"], site);
  const list = (key: string, check: (text: string) => Complaint | undefined) =>
    value[key] === undefined ? undefined : readList(value[key], { path: below(path, key), report, check });
  const server = list("server", someText);
  const tool = list("tool", someText);
  const classes = list("class", (text) =>
    CLASSES.some((known) => known === text)
      ? undefined
      : { message: `${quoted(text)} is not a class of tools.`, remedy: didYouMean(text, CLASSES) },
  ) as readonly ToolClass[] | undefined;
  if (value.within === undefined) report(path, { message: "It does not say how long ago.", remedy: "Add “within”." });
  const within = duration(value.within, site);
  return within === undefined
    ? undefined
    : { ...(server && { server }), ...(tool && { tool }), ...(classes && { class: classes }), within };
}

function readRefusals(value: unknown, site: Site): RefusalsClause | undefined {
  const { path, report } = site;
  if (!notEmpty(value, site, 'Write {"atLeast": 3, "within": "10min"}.')) return undefined;
  refuseUnknown(value, ["atLeast", "within"], site);
  if (value.within === undefined) report(path, { message: "It does not say how long ago.", remedy: "Add “within”." });
  const within = duration(value.within, site);
  const atLeast = readCount(value.atLeast, { path: below(path, "atLeast"), report, least: 1, most: 100 });
  return within === undefined || atLeast === undefined ? undefined : { atLeast, within };
}

const CLASSES = ["read", "write", "external"] as const satisfies readonly ToolClass[];

function duration(value: unknown, { path, report }: Site): string | undefined {
  return readText(value, {
    path: below(path, "within"),
    report,
    check: (text) => readDuration(text) !== undefined,
    remedy: DURATION_REMEDY,
  });
}

function someText(text: string): Complaint | undefined {
  return text === "" ? { message: "This name can never match.", remedy: "Write a name." } : undefined;
}

function dayComplaint(text: string): Complaint | undefined {
  if ((DAYS as readonly string[]).includes(text)) return undefined;
  return { message: `${quoted(text)} is not a day.`, remedy: didYouMean(text, DAYS) };
}

function notEmpty(value: unknown, { path, report }: Site, remedy: string): value is Readonly<Record<string, unknown>> {
  if (isRecord(value) && Object.keys(value).length > 0) return true;
  report(path, { message: "This is empty or not an object.", remedy });
  return false;
}
