/** The person's rules as they stand now: kept in a table, compiled once per change, effective for the very next decision. */
import type { Table } from "../ports.ts";
import { type CompiledPolicy, compile } from "./compile.ts";
import type { Rule } from "./policy.ts";

export interface RuleBook {
  restore(): Promise<void>;
  rules(): readonly Rule[];
  compiled(): CompiledPolicy;
  save(rule: Rule): Promise<void>;
  remove(id: string): Promise<void>;
  replaceAll(rules: readonly Rule[]): Promise<void>;
}

export function createRuleBook(table: Table<Rule>): RuleBook {
  const rules = new Map<string, Rule>();
  let compiled = compile([]);
  const changed = (): void => {
    compiled = compile([...rules.values()]);
  };
  return {
    async restore() {
      for (const rule of await table.all()) rules.set(rule.id, rule);
      changed();
    },
    rules: () => [...rules.values()].sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1)),
    compiled: () => compiled,
    async save(rule) {
      rules.set(rule.id, rule);
      changed();
      await table.put(rule.id, rule);
    },
    async remove(id) {
      if (!rules.delete(id)) return;
      changed();
      await table.remove(id);
    },
    async replaceAll(next) {
      const gone = [...rules.keys()].filter((id) => !next.some((rule) => rule.id === id));
      rules.clear();
      for (const rule of next) rules.set(rule.id, rule);
      changed();
      for (const id of gone) await table.remove(id);
      for (const rule of next) await table.put(rule.id, rule);
    },
  };
}
