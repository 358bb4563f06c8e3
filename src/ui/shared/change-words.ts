/** A change of the rules as one sentence: what was done, and to which rule or how many. */
import { describeRule } from "../../core/policy/explain.ts";
import type { RuleChange, RuleEvent } from "../../core/policy/history.ts";
import { t, tn } from "./text.ts";

type Names = Readonly<Record<string, string>>;

export function changeWords({ act, changes, head }: RuleEvent, names: Names): string {
  const [change] = changes;
  if (act === "undo" || act === "import" || act === "preset") return tn(`shared_change_${act}`, changes.length);
  if (changes.length !== 1 || !change) {
    return head && changes.length === 0 ? t("shared_change_default") : tn("shared_change_text", changes.length);
  }
  return t(`shared_change_${kindOf(change)}`, ruleWords(change, names));
}

/** The rule as it is now, or as it was before it went. */
export function ruleWords({ before, after }: RuleChange, names: Names): string {
  const rule = after ?? before;
  if (!rule) return "";
  return rule.note ?? describeRule(rule, names);
}

export function kindOf({ before, after }: RuleChange): "made" | "gone" | "changed" {
  if (before === null) return "made";
  return after === null ? "gone" : "changed";
}
