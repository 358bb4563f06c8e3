/**
 * Rules as the text a person edits, and back. Stored rules name servers by id, so that renaming or re-adding a server
 * never moves a rule to another one; the text shows names. A name nobody has is a problem, not a rule that waits for
 * whoever registers a server of that name.
 */
import type { JsonObject, JsonValue } from "../wire/json.ts";
import { isObject } from "../wire/json.ts";
import { didYouMean } from "./did-you-mean.ts";
import { readJsonText } from "./json-text.ts";
import { parseRules } from "./parse.ts";
import type { Rule } from "./policy.ts";
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
  if (text.length > LONGEST_TEXT) {
    return { rules: [], problems: [{ path: "", message: "The text is too long.", remedy: "Keep it under 4 MB." }] };
  }
  if (text.trim() === "") {
    return {
      rules: [],
      problems: [{ path: "", line: 1, message: "There is no text.", remedy: "Write [] for no rules." }],
    };
  }
  const read = readJsonText(text);
  if ("problem" in read) return { rules: [], problems: [read.problem] };
  const problems: RuleProblem[] = [];
  const resolved = withIds(read.value, servers, (path, complaint) => problems.push({ path, ...complaint }));
  const parsed = parseRules(resolved);
  problems.push(...parsed.problems);
  const placed = problems.map((problem) => ({ ...problem, line: lineOf(problem.path, read.lines) }));
  return { rules: problems.length === 0 ? parsed.rules : [], problems: placed.sort((a, b) => a.line - b.line) };
}

function ordered(rule: Rule, nameOf: (id: string) => string): Rule {
  const { id, verdict, priority, on, when, do: obligations, mode, expires, note } = rule;
  return {
    id,
    verdict,
    priority,
    on,
    when: when.server ? { ...when, server: when.server.map(nameOf) } : when,
    ...(obligations ? { do: obligations } : {}),
    mode,
    ...(expires === undefined ? {} : { expires }),
    ...(note === undefined ? {} : { note }),
  };
}

function withIds(value: JsonValue, servers: readonly NamedServer[], report: Report): JsonValue {
  if (!Array.isArray(value)) return value;
  const ids = new Map(servers.map(({ name, id }) => [name, id]));
  return value.map((rule: JsonValue, index) => {
    if (!isObject(rule) || !isObject(rule.when) || rule.when.server === undefined) return rule;
    const path = `/${index}/when/server`;
    const { server } = rule.when;
    const resolve = (name: JsonValue, at: string): JsonValue => {
      if (typeof name !== "string" || name === "") return name;
      const id = ids.get(name);
      if (id === undefined) report(at, unknownServer(name, [...ids.keys()]));
      return id ?? name;
    };
    const resolved = Array.isArray(server)
      ? server.map((name: JsonValue, place) => resolve(name, below(path, place)))
      : resolve(server, path);
    const when: JsonObject = { ...rule.when, server: resolved };
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
function lineOf(path: string, lines: ReadonlyMap<string, number>): number {
  for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const line = lines.get(at);
    if (line !== undefined) return line;
  }
  return lines.get("") ?? 1;
}
