/**
 * How often the person is asked, and what would spare them questions without giving anything up. Asking too often is a
 * fault of safety too: who is asked everything approves everything.
 *
 * Only remedies that keep every refusal the person gave are named, and none is applied by itself.
 */
import { type Principal, principalKey } from "../principal.ts";
import type { RecordEntry } from "../recorder/entry.ts";
import { sliceAt } from "../wire/splice.ts";
import { argumentMembers } from "./members.ts";

export interface Annoyance {
  /** Calls of tools that were judged, and how many of them asked the person or were answered by a grant. */
  readonly calls: number;
  readonly asks: number;
  readonly spared: number;
  /** Asks for each hundred calls. */
  readonly perHundred: number;
  /** Most asks first. */
  readonly rows: readonly AnnoyanceRow[];
}

export interface AnnoyanceRow {
  readonly principal: Principal;
  readonly serverId: string;
  readonly serverName: string;
  readonly tool: string;
  /** The rule that asked first, and its sentence. */
  readonly rule: string;
  readonly sentence: string;
  readonly asks: number;
  readonly allowed: number;
  readonly denied: number;
  readonly remedy: Remedy;
}

export type Remedy =
  /** Always allowed, with these arguments always the same: a grant for them answers the next. */
  | { readonly kind: "same-values"; readonly names: readonly string[] }
  /** Never allowed: a rule that denies spares the question. */
  | { readonly kind: "deny-rule" }
  /** Asked because of what the session has read: a new task begins clean. */
  | { readonly kind: "new-task" }
  /** A rule of the person's own asks and they always allow: it can be made narrower. */
  | { readonly kind: "own-rule" }
  /** The answers differ: being asked is right. */
  | { readonly kind: "none" };

/** Fewer asks than this show no habit. */
const HABIT = 3;

export function annoyanceOf(entries: readonly RecordEntry[]): Annoyance {
  const judged = entries.filter(({ method, decisions }) => method === "tools/call" && decisions.length > 0);
  const groups = groupsOf(entries);
  const asks = [...groups.values()].reduce((sum, group) => sum + group.length, 0);
  return {
    calls: judged.length,
    asks,
    spared: judged.filter(({ answered }) => answered?.answer === "grant").length,
    perHundred: judged.length === 0 ? 0 : Math.round((asks / judged.length) * 1000) / 10,
    rows: [...groups.values()].flatMap(rowOf).sort((a, b) => b.asks - a.asks),
  };
}

/** The questions that a row counts, newest first as the entries are. */
export function questionsOf(entries: readonly RecordEntry[], of: RowName): readonly RecordEntry[] {
  return groupsOf(entries).get(nameOf(of)) ?? [];
}

/** What makes a row one row. */
export type RowName = Pick<AnnoyanceRow, "principal" | "serverId" | "tool" | "rule">;

function nameOf({ principal, serverId, tool, rule }: RowName): string {
  return JSON.stringify([principalKey(principal), serverId, tool, rule]);
}

function groupsOf(entries: readonly RecordEntry[]): ReadonlyMap<string, readonly RecordEntry[]> {
  const groups = new Map<string, RecordEntry[]>();
  for (const entry of entries) {
    const { method, decisions, answered, principal, serverId, tool = "" } = entry;
    if (method !== "tools/call" || decisions.length === 0 || answered === undefined) continue;
    if (answered.answer === "grant") continue;
    const key = nameOf({ principal, serverId, tool, rule: asker(entry)?.rule ?? "" });
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}

function rowOf(group: readonly RecordEntry[]): AnnoyanceRow[] {
  const [first] = group;
  if (!first) return [];
  const { principal, serverId, serverName, tool = "" } = first;
  const reason = asker(first);
  const count = (answer: string): number => group.filter(({ answered }) => answered?.answer === answer).length;
  const rule = reason?.rule ?? "";
  return [
    {
      principal,
      serverId,
      serverName,
      tool,
      rule,
      sentence: reason?.sentence ?? "",
      asks: group.length,
      allowed: count("allowed"),
      denied: count("denied"),
      remedy: remedyOf(group, rule),
    },
  ];
}

export function remedyOf(group: readonly RecordEntry[], rule: string): Remedy {
  if (group.length < HABIT) return { kind: "none" };
  if (group.every(({ answered }) => answered?.answer === "denied")) return { kind: "deny-rule" };
  if (!group.every(({ answered }) => answered?.answer === "allowed")) return { kind: "none" };
  if (rule.startsWith("flow:")) return { kind: "new-task" };
  const names = sameIn(group);
  if (names.length > 0) return { kind: "same-values", names };
  return rule.includes(":") ? { kind: "none" } : { kind: "own-rule" };
}

/** Arguments that every one of the calls gave the same value. */
function sameIn(group: readonly RecordEntry[]): readonly string[] {
  const [first, ...others] = group.map(({ request }) =>
    request.cut ? new Map<string, string>() : argumentMembers(sliceAt(request.text, ["params", "arguments"]) ?? "{}"),
  );
  if (!first) return [];
  return [...first].filter(([name, value]) => others.every((one) => one.get(name) === value)).map(([name]) => name);
}

function asker({ decisions }: RecordEntry) {
  return decisions
    .find(({ phase }) => phase === "request")
    ?.reasons.find(({ verdict, mode }) => verdict === "ask" && mode === "enforce");
}
