/**
 * Rules as the text a person edits, and back. Stored rules name servers by id, so that renaming or re-adding a server
 * never moves a rule to another one; the text shows names. A name nobody has is a problem, not a rule that waits for
 * whoever registers a server of that name.
 */
import type { JsonObject, JsonValue } from "../wire/json.ts";
import { isObject } from "../wire/json.ts";
import { didYouMean } from "./did-you-mean.ts";
import { type Parsed, parseDocument } from "./document.ts";
import { readJsonText } from "./json-text.ts";
import { parseRules } from "./parse.ts";
import type { PolicyDocument, Rule, When } from "./policy.ts";
import { below, quoted, type Report, type RuleProblem } from "./problem.ts";

interface NamedServer {
  readonly id: string;
  readonly name: string;
}

const LONGEST_TEXT = 4 * 1024 * 1024;

/** Pretty JSON. A server that is gone keeps its id in the text, where it is reported as unknown on the way back. */
export function rulesToText(rules: readonly Rule[], serverNames: Readonly<Record<string, string>>): string {
  const nameOf = (id: string): string => (Object.hasOwn(serverNames, id) ? (serverNames[id] ?? id) : id);
  return JSON.stringify(
    rules.map((rule) => ordered(rule, nameOf)),
    null,
    2,
  );
}

/** The rules of a text, or everything that is wrong with it, in the order of its lines. */
export function rulesFromText(
  text: string,
  servers: readonly NamedServer[],
): { rules: Rule[]; problems: RuleProblem[] } {
  const read = readText(text);
  if ("problems" in read) return { rules: [], problems: read.problems };
  const problems: RuleProblem[] = [];
  const resolved = withIds(read.value, servers, (path, complaint) => problems.push({ path, ...complaint }));
  const parsed = parseRules(resolved);
  problems.push(...parsed.problems);
  return { rules: problems.length === 0 ? parsed.rules : [], problems: placed(problems, read.lines) };
}

/** A whole policy as the text a person edits, with server names. */
export function documentToText(document: PolicyDocument, serverNames: Readonly<Record<string, string>>): string {
  const { version, profile, default: row } = document;
  const rules = JSON.parse(rulesToText(document.rules, serverNames)) as JsonValue;
  return JSON.stringify({ version, ...(profile === undefined ? {} : { profile }), default: row, rules }, null, 2);
}

/** The policy of a text, or everything that is wrong with it. A list of rules alone is a policy too. */
export function documentFromText(text: string, servers: readonly NamedServer[]): Parsed<PolicyDocument> {
  const read = readText(text);
  if ("problems" in read) return { problems: [...read.problems] };
  const problems: RuleProblem[] = [];
  const report: Report = (path, complaint) => problems.push({ path, ...complaint });
  const { value } = read;
  const named =
    isObject(value) && value.rules !== undefined
      ? { ...value, rules: withIds(value.rules, servers, (path, complaint) => report(`/rules${path}`, complaint)) }
      : withIds(value, servers, report);
  const parsed = parseDocument(named);
  problems.push(...parsed.problems);
  return problems.length === 0 ? parsed : { problems: placed(problems, read.lines) };
}

type Read =
  | { readonly value: JsonValue; readonly lines: ReadonlyMap<string, number> }
  | { readonly problems: RuleProblem[] };

function readText(text: string): Read {
  if (text.length > LONGEST_TEXT)
    return { problems: [{ path: "", message: "The text is too long.", remedy: "Keep it under 4 MB." }] };
  if (text.trim() === "")
    return { problems: [{ path: "", line: 1, message: "There is no text.", remedy: "Write [] for no rules." }] };
  const read = readJsonText(text);
  return "problem" in read ? { problems: [read.problem] } : read;
}

function placed(problems: readonly RuleProblem[], lines: ReadonlyMap<string, number>): RuleProblem[] {
  return problems.map((problem) => ({ ...problem, line: lineOf(problem.path, lines) })).sort((a, b) => a.line - b.line);
}

function ordered(rule: Rule, nameOf: (id: string) => string): Rule {
  const { id, verdict, priority, on, when, do: obligations, mode, expires, note } = rule;
  return {
    id,
    verdict,
    priority,
    on,
    when: withNames(when, nameOf),
    ...(obligations ? { do: obligations } : {}),
    mode,
    ...(expires === undefined ? {} : { expires }),
    ...(note === undefined ? {} : { note }),
  };
}

function withNames(when: When, nameOf: (id: string) => string): When {
  const { server, labels, after } = when;
  return {
    ...when,
    ...(server && { server: server.map(nameOf) }),
    ...(Array.isArray(labels?.sources) && { labels: { ...labels, sources: labels.sources.map(nameOf) } }),
    ...(after?.server && { after: { ...after, server: after.server.map(nameOf) } }),
  };
}

/** Where in a rule servers are named. */
const SERVER_PLACES = [["server"], ["labels", "sources"], ["after", "server"]] as const;

function withIds(value: JsonValue, servers: readonly NamedServer[], report: Report): JsonValue {
  if (!Array.isArray(value)) return value;
  const ids = new Map(servers.map(({ name, id }) => [name, id]));
  const resolve = (name: JsonValue, at: string): JsonValue => {
    if (typeof name !== "string" || name === "") return name;
    const id = ids.get(name);
    if (id === undefined) report(at, unknownServer(name, [...ids.keys()]));
    return id ?? name;
  };
  const resolveAll = (names: JsonValue, path: string): JsonValue =>
    Array.isArray(names)
      ? names.map((name: JsonValue, place) => resolve(name, below(path, place)))
      : resolve(names, path);
  return value.map((rule: JsonValue, index) => {
    if (!isObject(rule) || !isObject(rule.when)) return rule;
    let when: JsonObject = rule.when;
    for (const [clause, member] of SERVER_PLACES) {
      const given = when[clause];
      const path = `/${index}/when/${clause}`;
      if (member === undefined && given !== undefined) when = { ...when, [clause]: resolveAll(given, path) };
      if (member === undefined || !isObject(given) || given[member] === undefined) continue;
      // “other” is a word of ours where sources are named.
      if (member === "sources" && given[member] === "other") continue;
      when = { ...when, [clause]: { ...given, [member]: resolveAll(given[member], `${path}/${member}`) } };
    }
    return { ...rule, when };
  });
}

function unknownServer(name: string, names: readonly string[]): { message: string; remedy: string } {
  return {
    message: `You have no server ${quoted(name)}.`,
    remedy: names.length === 0 ? "Add the server first, or leave the clause out." : didYouMean(name, names),
  };
}

/** The line of a member, or of the nearest thing around it. */
export function lineOf(path: string, lines: ReadonlyMap<string, number>): number {
  for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const line = lines.get(at);
    if (line !== undefined) return line;
  }
  return lines.get("") ?? 1;
}
