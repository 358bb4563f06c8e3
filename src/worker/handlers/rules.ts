/** Rules: saved only when whole, effective for the next decision. */
import { parseRule } from "../../core/policy/parse.ts";
import { rulesFromText, rulesToText } from "../../core/policy/text.ts";
import type { HandlerOptions, Handlers } from "./all.ts";

type Subject = "rule.save" | "rule.delete" | "rules.read" | "rules.write";

export function ruleHandlers({ gateway, changed }: HandlerOptions): Pick<Handlers, Subject> {
  const { rules, registry } = gateway;
  return {
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
      return { rules: rules.rules(), text: rulesToText(rules.rules(), names), serverNames: names };
    },
    async "rules.write"({ text }) {
      const parsed = rulesFromText(text, registry.list());
      if (parsed.problems.length > 0) return { problems: parsed.problems };
      await rules.replaceAll(parsed.rules);
      changed("rules");
      return { problems: parsed.problems };
    },
  };
}

export function serverNames({ registry }: HandlerOptions["gateway"]): Readonly<Record<string, string>> {
  return Object.fromEntries(registry.list().map(({ id, name }) => [id, name]));
}
