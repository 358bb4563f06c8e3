/**
 * A remedy as something that can be done at once, by the person's press: a grant for the values that were always the same,
 * or a rule for the denial that was always given. Both say no more than the person's own answers did, for this site, this
 * server and this tool as it is pinned now, and both can be taken back.
 */
import type { Rule } from "../policy/policy.ts";
import { type Principal, principalKey } from "../principal.ts";
import type { RecordEntry } from "../recorder/entry.ts";
import { sliceAt } from "../wire/splice.ts";
import { type Remedy, remedyOf } from "./annoyance.ts";
import type { Grant } from "./approval.ts";
import { grantOf, wishProblems } from "./wish.ts";

/** How long a grant made this way lasts, in milliseconds. */
export const SPARED_MS = 30 * 24 * 60 * 60_000;

export type Spared = { readonly grant: Grant } | { readonly rule: Rule };

export interface Spare {
  /** The answers of one row, newest first. */
  readonly answers: readonly RecordEntry[];
  /** Canonical text of the tool as it is approved now; nothing where it changed or is not pinned. */
  readonly pinText: string | undefined;
  /** How high a rule must stand to be heard before the one that asks. */
  readonly priority: number;
  readonly id: string;
  readonly now: number;
}

/** Nothing where the row no longer says what it said, or where the remedy is not ours to apply. */
export function spare({ answers, pinText, priority, id, now }: Spare): Spared | undefined {
  const [newest] = answers;
  if (!newest) return undefined;
  const asker = newest.decisions.find(({ phase }) => phase === "request");
  const asking = (asker?.reasons ?? []).filter(({ verdict, mode }) => verdict === "ask" && mode === "enforce");
  const remedy = remedyOf(answers, asking[0]?.rule ?? "");
  if (remedy.kind === "deny-rule") {
    const rule = denial(newest, { id, priority });
    return rule && { rule };
  }
  if (remedy.kind !== "same-values" || pinText === undefined) return undefined;
  const rules = asking.map(({ rule }) => rule);
  const grant = grantFor(newest, remedy, { id, now, pinText, rules });
  return grant && { grant };
}

function denial(
  { principal, serverId, tool = "" }: RecordEntry,
  { id, priority }: Pick<Spare, "id" | "priority">,
): Rule | undefined {
  // A star in a name would make the rule speak of other tools too.
  if (tool === "" || tool.includes("*")) return undefined;
  return {
    id: `deny-${id.slice(0, 12)}`,
    verdict: "deny",
    priority,
    on: ["request"],
    when: { ...siteOf(principal), server: [serverId], tool: [tool] },
    mode: "enforce",
    note: "Always denied when asked.",
  };
}

function siteOf({ origin, topSite }: Principal): Rule["when"] {
  return { origin: [origin], ...(topSite === origin ? {} : { topSite: [topSite] }) };
}

function grantFor(
  entry: RecordEntry,
  { names }: Extract<Remedy, { kind: "same-values" }>,
  { id, now, pinText, rules }: Pick<Spare, "id" | "now"> & { readonly pinText: string; readonly rules: string[] },
): Grant | undefined {
  const { principal, serverId, tool = "", request, labels } = entry;
  const argumentsText = sliceAt(request.text, ["params", "arguments"]) ?? "{}";
  const findings = request.findings.map(({ kind, type, path }) => ({ kind, type, path: path.replace(ARGUMENTS, "") }));
  const wish = { values: names, lastsMs: SPARED_MS, uses: null };
  if (wishProblems({ argumentsText, findings }, "values", wish).length > 0) return undefined;
  const approval = { serverId, tool, pinText, rules, argumentsText, labels: { sources: labels?.sources ?? [] } };
  return grantOf({ id, principalKey: principalKey(principal), approval, scope: "values", wish, now });
}

const ARGUMENTS = /^(?:\/params)?\/arguments/;
