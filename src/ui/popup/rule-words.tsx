/** A rule as words: what it is about in one line, under which conditions in the next. */
import type { ComponentChild } from "preact";
import type { Rule } from "../../core/policy/policy.ts";
import { Said } from "../shared/said.tsx";
import { siteName } from "../shared/site.tsx";
import { formatNumber, t, tn, tx } from "../shared/text.ts";
import { USUAL_PRIORITY } from "./new-rule.ts";

type Names = Readonly<Record<string, string>>;

/** The person's own note, or which tools of which servers. */
export function ruleTitle(rule: Rule, names: Names): ComponentChild {
  return rule.note ? rule.note : ruleAbout(rule, names);
}

/** What the title does not say yet. */
export function ruleConditions(rule: Rule, names: Names): readonly ComponentChild[] {
  const { when } = rule;
  return [
    rule.note ? ruleAbout(rule, names) : undefined,
    when.origin ? when.origin.map(siteName).join(", ") : t("popup_rule_every_site"),
    when.topSite && t("popup_rule_inside", when.topSite.map(siteName).join(", ")),
    when.args && tn("popup_rule_args", Object.keys(when.args).length),
    when.labels?.integrity === "untrusted" && t("popup_rule_untrusted"),
    when.labels?.confidentiality && t(`popup_rule_holds_${when.labels.confidentiality}`),
    when.findings && t("popup_rule_findings", when.findings.join(", ")),
    rule.do?.redact && t("popup_rule_redacts", rule.do.redact.join(", ")),
    !rule.on.includes("request") &&
      t("popup_rule_phases", rule.on.map((phase) => t(`popup_phase_${phase}`)).join(", ")),
    furtherClauses(rule) > 0 && tn("popup_rule_more", furtherClauses(rule)),
    rule.expires && t("popup_rule_until", rule.expires),
    rule.mode === "audit" && t("popup_rule_audit"),
    rule.priority !== USUAL_PRIORITY && t("popup_rule_priority", formatNumber(rule.priority)),
  ].filter((part) => part !== undefined && part !== false && part !== "");
}

/** What this view has no words for; the dashboard shows all of it. */
function furtherClauses({ when }: Rule): number {
  return Object.keys(when).filter((clause) => !SPOKEN.has(clause)).length;
}

const SPOKEN = new Set(["origin", "topSite", "server", "tool", "class", "method", "args", "labels", "findings"]);

function ruleAbout({ when }: Rule, names: Names): ComponentChild {
  const servers = when.server?.map((id) => names[id] ?? t("popup_rule_gone_server")).join(", ");
  const tools = when.tool
    ? when.tool.map((name) => <Said key={name} text={name} />)
    : [when.class ? when.class.map((of) => t(`popup_rule_class_${of}`)).join(", ") : t("popup_rule_every_tool")];
  const methods = when.method ? ` (${when.method.join(", ")})` : "";
  const what = (
    <>
      {tools.flatMap((tool, at) => (at === 0 ? [tool] : [", ", tool]))}
      {methods}
    </>
  );
  return servers === undefined ? what : tx("popup_tool_on", what, <b>{servers}</b>);
}
