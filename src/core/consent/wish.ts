/**
 * Turns what the person chose into a grant, and says what is wrong with a choice before it is one. A pattern is made of
 * ticked arguments only, never typed: each ticked one must keep exactly its value, the others may differ, and an argument
 * that was not there when the person looked is never covered.
 */
import type { CallApproval, Grant, GrantArguments, GrantScope, GrantWish } from "./approval.ts";
import { SESSION_GRANT_MS } from "./grants.ts";
import { argumentMembers } from "./members.ts";

/** A value longer than this is no pattern anyone can look at again. */
const LONGEST_VALUE = 2_000;
const MOST_USES = 1_000;
const LONGEST_MS = 366 * 24 * 60 * 60_000;

export type WishProblem =
  /** Nothing is ticked: that would be every call of the tool. */
  | "none"
  /** A ticked argument is not among those shown. */
  | "unknown"
  /** A ticked value is too long to be kept and shown. */
  | "long"
  /** A ticked value holds a secret, which would have to be kept. */
  | "secret"
  /** Uses or duration out of bounds. */
  | "bounds";

type About = Pick<CallApproval, "argumentsText" | "findings">;

export function wishProblems(about: About, scope: GrantScope, wish: GrantWish | undefined): readonly WishProblem[] {
  if (scope !== "values" && scope !== "tool") return [];
  const problems = new Set<WishProblem>();
  if (!within(wish?.uses ?? null, MOST_USES) || !within(wish?.lastsMs ?? null, LONGEST_MS)) problems.add("bounds");
  if (scope === "tool") return [...problems];
  const members = argumentMembers(about.argumentsText);
  const ticked = wish?.values ?? [];
  if (ticked.length === 0) problems.add("none");
  for (const name of ticked) {
    const value = members.get(name);
    if (value === undefined) problems.add("unknown");
    else if (value.length > LONGEST_VALUE) problems.add("long");
    if (about.findings.some(({ kind, path }) => kind === "secret" && firstStep(path) === name)) problems.add("secret");
  }
  return [...problems];
}

export function fixedArguments(argumentsText: string, ticked: readonly string[]): GrantArguments {
  const members = argumentMembers(argumentsText);
  const fixed = ticked.flatMap((name) => {
    const value = members.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { fixed: Object.fromEntries(fixed), names: [...members.keys()] };
}

/** The pattern as a rule would say it: `{"/to": {"equals": "ada@example.org"}}`. */
export function patternText({ fixed }: Pick<GrantArguments, "fixed">): string {
  const clauses = Object.entries(fixed).map(
    ([name, value]) =>
      `${JSON.stringify(`/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`)}: {"equals": ${value}}`,
  );
  return `{${clauses.join(", ")}}`;
}

export interface Wished {
  readonly id: string;
  readonly principalKey: string;
  readonly approval: Pick<CallApproval, "serverId" | "tool" | "pinText" | "rules" | "argumentsText"> & {
    readonly labels: Pick<CallApproval["labels"], "sources">;
  };
  readonly scope: Exclude<GrantScope, "once">;
  readonly wish: GrantWish | undefined;
  readonly now: number;
}

export function grantOf({ id, principalKey, approval, scope, wish, now }: Wished): Grant {
  const { serverId, tool, pinText, rules, argumentsText, labels } = approval;
  const lastsMs = scope === "session" ? SESSION_GRANT_MS : (wish?.lastsMs ?? null);
  return {
    id,
    principalKey,
    serverId,
    tool,
    pinText,
    scope,
    ...(scope === "values" ? { args: fixedArguments(argumentsText, wish?.values ?? []) } : {}),
    rules,
    sources: labels.sources,
    createdAt: now,
    expiresAt: lastsMs === null ? null : now + lastsMs,
    usesLeft: scope === "session" ? null : (wish?.uses ?? null),
    used: 0,
  };
}

function within(value: number | null, most: number): boolean {
  return value === null || (Number.isInteger(value) && value >= 1 && value <= most);
}

function firstStep(path: string): string {
  return (path.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
}
