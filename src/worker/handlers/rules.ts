/** Rules: saved only when whole, effective for the next decision, and each change with a way back. */

import { diff } from "../../core/policy/diff.ts";
import { parseRule } from "../../core/policy/parse.ts";
import { PRESETS, type Preset } from "../../core/policy/presets.ts";
import { documentToText } from "../../core/policy/text.ts";
import type { HandlerOptions, Handlers } from "./all.ts";
import { checkPolicy, NOTHING_TO_SAY } from "./policy-check.ts";
import { coverageOf } from "./tool-views.ts";
import { typedPolicy } from "./typed-policy.ts";

type Subject =
  | "rule.check"
  | "rule.save"
  | "rule.delete"
  | "rules.read"
  | "rules.check"
  | "rules.write"
  | "rules.default"
  | "rules.history"
  | "rules.undo"
  | "rules.preset";

export function ruleHandlers({ gateway, changed }: HandlerOptions): Pick<Handlers, Subject> {
  const { rules } = gateway;
  const others = (id: string) => rules.rules().filter((rule) => rule.id !== id);
  /** Not by its name: a preset that was changed since is the person's own. */
  const isNow = (preset: Preset): boolean =>
    diff({ default: rules.head().default, rules: rules.rules() }, preset.document).differences.length === 0;
  return {
    "rule.check"({ rule: input }) {
      const { rule, problems } = parseRule(input);
      if (!rule) return { ...NOTHING_TO_SAY, problems };
      return checkPolicy(gateway, { next: { head: rules.head(), rules: [...others(rule.id), rule] }, about: rule.id });
    },
    async "rule.save"({ rule: input }) {
      const { rule, problems } = parseRule(input);
      if (!rule || problems.length > 0) return { problems };
      await rules.save(rule);
      changed("rules");
      return { problems };
    },
    async "rule.delete"({ id }) {
      await rules.remove(id);
      changed("rules");
      return null;
    },
    "rules.read"() {
      const names = serverNames(gateway);
      const head = rules.head();
      return {
        rules: rules.rules(),
        default: head.default,
        text: documentToText({ version: 1, ...head, rules: rules.rules() }, names),
        serverNames: names,
        managed: rules.managed(),
        coverage: coverageOf(gateway),
        presets: PRESETS.map((preset) => ({
          id: preset.id,
          name: preset.name,
          sentence: preset.sentence,
          active: isNow(preset),
        })),
      };
    },
    "rules.check"({ text }) {
      const { next, problems, at } = typedPolicy(gateway, text);
      if (problems.length > 0) return { ...NOTHING_TO_SAY, problems };
      return checkPolicy(gateway, { next, text: { text, at } });
    },
    async "rules.write"({ text }) {
      const { next, problems } = typedPolicy(gateway, text);
      if (problems.length > 0) return { problems };
      await rules.replaceAll(next.rules, { act: "text", head: next.head });
      changed("rules");
      return { problems };
    },
    async "rules.default"({ default: next }) {
      await rules.replaceAll(rules.rules(), { act: "text", head: { ...rules.head(), default: next } });
      changed("rules");
      return null;
    },
    "rules.history": () => ({ events: rules.history() }),
    async "rules.undo"({ id }) {
      const state = await rules.undo(id);
      if (state === "done") changed("rules");
      return { state };
    },
    async "rules.preset"({ id, apply }) {
      const preset = PRESETS.find((one) => one.id === id);
      if (!preset) return NOTHING_TO_SAY;
      const head = { default: preset.document.default, profile: preset.id };
      const check = checkPolicy(gateway, { next: { head, rules: preset.document.rules } });
      if (!apply) return check;
      await rules.replaceAll(preset.document.rules, { act: "preset", head });
      changed("rules");
      return check;
    },
  };
}

export function serverNames({ registry }: HandlerOptions["gateway"]): Readonly<Record<string, string>> {
  return Object.fromEntries(registry.list().map(({ id, name }) => [id, name]));
}
