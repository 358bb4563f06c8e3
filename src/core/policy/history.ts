/**
 * What was done to the rules: each change with the rule before and after it, newest first, so that any of them can be taken
 * back. A change is taken back only while the rules it touched still are as it left them; otherwise undoing one change would
 * quietly undo a later one too. Undoing is a change itself, and can be undone.
 */
import type { Clock, Table } from "../ports.ts";
import type { PolicyDocument, Rule } from "./policy.ts";

/** A policy without its rules: what decides where none of them speaks. */
export type PolicyHead = Pick<PolicyDocument, "default" | "profile">;

/** The person's policy at one moment. */
export interface PolicyState {
  readonly head: PolicyHead;
  readonly rules: readonly Rule[];
}

/** How a change came about. */
export type RuleAct = "save" | "delete" | "text" | "import" | "preset" | "undo";

export interface RuleChange {
  readonly id: string;
  readonly before: Rule | null;
  readonly after: Rule | null;
}

export interface RuleEvent {
  readonly id: string;
  /** Counts up; the order of two changes in one millisecond. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly act: RuleAct;
  readonly changes: readonly RuleChange[];
  /** Where the default row changed too. */
  readonly head?: { readonly before: PolicyHead; readonly after: PolicyHead };
  /** For `undo`: the event that was taken back. */
  readonly of?: string;
}

export interface RuleHistory {
  restore(): Promise<void>;
  /** Newest first. */
  list(): readonly RuleEvent[];
  /** Keeps what differs between the two; nothing when nothing does. */
  note(
    act: RuleAct,
    policy: { readonly before: PolicyState; readonly after: PolicyState; readonly of?: string },
  ): Promise<RuleEvent | undefined>;
}

export interface HistoryOptions {
  readonly table: Table<RuleEvent>;
  readonly clock: Pick<Clock, "now">;
  readonly randomId: () => string;
}

/** Older changes are forgotten; the records still say which rules decided what. */
const KEPT = 100;

export function createRuleHistory({ table, clock, randomId }: HistoryOptions): RuleHistory {
  let events: readonly RuleEvent[] = [];
  return {
    async restore() {
      events = [...(await table.all())].sort((a, b) => b.seq - a.seq);
    },
    list: () => events,
    async note(act, { before, after, of }) {
      const changes = changesBetween(before.rules, after.rules);
      const head = same(before.head, after.head) ? undefined : { before: before.head, after: after.head };
      if (changes.length === 0 && !head) return undefined;
      const seq = (events[0]?.seq ?? 0) + 1;
      const event: RuleEvent = {
        id: randomId(),
        seq,
        at: clock.now(),
        act,
        changes,
        ...(head ? { head } : {}),
        ...(of === undefined ? {} : { of }),
      };
      const gone = events.slice(KEPT - 1).map(({ id }) => id);
      events = [event, ...events.slice(0, KEPT - 1)];
      await table.put(event.id, event);
      if (gone.length > 0) await table.remove(...gone);
      return event;
    },
  };
}

/** The policy as it was before the event, or nothing where what it changed has changed since. */
export function policyWithout(event: RuleEvent, { head, rules }: PolicyState): PolicyState | undefined {
  if (event.head && !same(head, event.head.after)) return undefined;
  const now = new Map(rules.map((rule) => [rule.id, rule]));
  for (const { id, before, after } of event.changes) {
    if (!same(now.get(id) ?? null, after)) return undefined;
    if (before) now.set(id, before);
    else now.delete(id);
  }
  return { head: event.head?.before ?? head, rules: [...now.values()] };
}

function changesBetween(before: readonly Rule[], after: readonly Rule[]): readonly RuleChange[] {
  const was = new Map(before.map((rule) => [rule.id, rule]));
  const is = new Map(after.map((rule) => [rule.id, rule]));
  const ids = new Set([...was.keys(), ...is.keys()]);
  return [...ids]
    .map((id) => ({ id, before: was.get(id) ?? null, after: is.get(id) ?? null }))
    .filter((change) => !same(change.before, change.after));
}

/** These are small JSON values that are replaced, never edited; their text tells them apart. */
function same(a: Rule | PolicyHead | null, b: Rule | PolicyHead | null): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
