/**
 * The rules as they stand now: the person's, kept in a table with what was done to them, and beside them what an organisation
 * set. Compiled once per change, effective for the very next decision.
 */
import type { Table } from "../ports.ts";
import { DEFAULT_ROW } from "./baseline.ts";
import { type CompiledPolicy, compile } from "./compile.ts";
import {
  type PolicyHead,
  type PolicyState,
  policyWithout,
  type RuleAct,
  type RuleEvent,
  type RuleHistory,
} from "./history.ts";
import { compileBoth, type ManagedPolicy, type ManagedState, readManaged } from "./managed.ts";
import type { Rule } from "./policy.ts";

export interface RuleBook {
  restore(): Promise<void>;
  rules(): readonly Rule[];
  /** The default row, and the preset it came with. */
  head(): PolicyHead;
  compiled(): CompiledPolicy;
  save(rule: Rule): Promise<void>;
  remove(id: string): Promise<void>;
  replaceAll(rules: readonly Rule[], by?: { readonly act: RuleAct; readonly head?: PolicyHead }): Promise<void>;
  /** What was done to the rules, newest first. */
  history(): readonly RuleEvent[];
  /** `changed`: what it changed is no longer as it left it. `gone`: nobody remembers it. */
  undo(eventId: string): Promise<"done" | "changed" | "gone">;
  managed(): ManagedState;
  /** What the browser says an organisation set; null for nothing. */
  setManaged(policy: ManagedPolicy | null): void;
  /** Reads the managed rules anew for the servers there are now. */
  serversChanged(): void;
}

export interface RuleBookOptions {
  readonly table: Table<Rule>;
  /** One row. */
  readonly heads: Table<PolicyHead>;
  readonly history: RuleHistory;
  readonly servers: () => readonly { readonly id: string; readonly name: string; readonly url: string }[];
  /** The policy in force is another one. */
  readonly changed?: () => void;
}

const HEAD = "head";

export function createRuleBook({ table, heads, history, servers, changed: told }: RuleBookOptions): RuleBook {
  const rules = new Map<string, Rule>();
  let head: PolicyHead = { default: DEFAULT_ROW };
  let policy: ManagedPolicy | null = null;
  let managed: ManagedState = { state: "none" };
  let compiled = compile([]);

  const state = (): PolicyState => ({ head, rules: [...rules.values()] });
  const ready = (): void => {
    compiled = compileBoth(state(), managed);
  };

  /** Counts at once, and is written after; rules that stay as they are are not written again. */
  async function become(next: PolicyState, act: RuleAct, of?: string): Promise<void> {
    const before = state();
    const kept = new Set(next.rules.map(({ id }) => id));
    const gone = before.rules.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
    const changed = next.rules.filter((rule) => rules.get(rule.id) !== rule);
    rules.clear();
    for (const rule of next.rules) rules.set(rule.id, rule);
    head = next.head;
    ready();
    told?.();
    if (gone.length > 0) await table.remove(...gone);
    for (const rule of changed) await table.put(rule.id, rule);
    if (before.head !== next.head) await heads.put(HEAD, next.head);
    await history.note(act, { before, after: next, ...(of === undefined ? {} : { of }) });
  }

  const without = (id: string): readonly Rule[] => [...rules.values()].filter((rule) => rule.id !== id);

  return {
    async restore() {
      const [stored, [kept]] = await Promise.all([table.all(), heads.all(), history.restore()]);
      for (const rule of stored) rules.set(rule.id, rule);
      head = kept ?? head;
      ready();
    },
    rules: () => [...rules.values()].sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1)),
    head: () => head,
    compiled: () => compiled,
    save: (rule) => become({ head, rules: [...without(rule.id), rule] }, "save"),
    async remove(id) {
      if (rules.has(id)) await become({ head, rules: without(id) }, "delete");
    },
    replaceAll: (next, by = { act: "text" }) => become({ head: by.head ?? head, rules: next }, by.act),
    history: history.list,
    async undo(eventId) {
      const event = history.list().find(({ id }) => id === eventId);
      if (!event) return "gone";
      const before = policyWithout(event, state());
      if (!before) return "changed";
      await become(before, "undo", event.id);
      return "done";
    },
    managed: () => managed,
    setManaged(next) {
      policy = next;
      managed = readManaged(policy, servers());
      ready();
      told?.();
    },
    serversChanged() {
      if (policy === null) return;
      managed = readManaged(policy, servers());
      ready();
    },
  };
}
