/** Rules: saved only when whole, effective for the next decision, and each change with a way back. */
import { parseDocument } from "../../core/policy/document.ts";
import { parseRule } from "../../core/policy/parse.ts";
import { documentToText } from "../../core/policy/text.ts";
import { typedPolicy } from "../../core/policy/typed.ts";
import type { HandlerOptions, Handlers } from "./all.ts";
import { coverageOf } from "./tool-views.ts";

type Subject =
  | "rule.save"
  | "rule.delete"
  | "rules.read"
  | "rules.write"
  | "rules.default"
  | "rules.history"
  | "rules.undo"
  | "rules.preset";

export function ruleHandlers({ gateway, changed }: HandlerOptions): Pick<Handlers, Subject> {
  const { rules } = gateway;
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
      const head = rules.head();
      return {
        rules: rules.rules(),
        default: head.default,
        text: documentToText({ version: 1, ...head, rules: rules.rules() }, names),
        serverNames: names,
        managed: rules.managed(),
        coverage: coverageOf(gateway),
      };
    },
    async "rules.write"({ text }) {
      const { next, problems } = typedPolicy(text, { head: rules.head(), servers: gateway.registry.list() });
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
    async "rules.preset"({ document: input }) {
      const { document, problems } = parseDocument(input);
      if (!document) return { problems };
      const { default: row, profile, rules: next } = document;
      const head = { default: row, ...(profile === undefined ? {} : { profile }) };
      await rules.replaceAll(next, { act: "preset", head });
      changed("rules");
      return { problems };
    },
  };
}

export function serverNames({ registry }: HandlerOptions["gateway"]): Readonly<Record<string, string>> {
  return Object.fromEntries(registry.list().map(({ id, name }) => [id, name]));
}
