/** Why a call was let through, asked about or stopped: every rule that had a say, the deciding ones first. */
import type { JSX } from "preact";
import type { Decision, Reason } from "../../core/policy/policy.ts";
import { formatNumber, t } from "./text.ts";
import { Verdict } from "./verdict.tsx";

export function Reasons({ decision }: { readonly decision: Decision }): JSX.Element {
  return (
    <div class="phase">
      <p class="phase-name">
        <b>{t(`record_phase_${decision.phase}`)}</b> <small>{t("record_reasons_order")}</small>
      </p>
      <ul class="reasons">
        {decision.reasons.map((reason, index) => (
          <ReasonLine key={index} reason={reason} decides={decides(reason, decision)} />
        ))}
      </ul>
      {decision.redact.length > 0 && <p class="hint">{t("record_redacted", decision.redact.join(", "))}</p>}
    </div>
  );
}

/** The rule's own name, or ours for what is built in. */
export function ruleName(rule: string): string {
  const at = rule.indexOf(":");
  const [room, name] = at < 0 ? ["", rule] : [rule.slice(0, at), rule.slice(at + 1)];
  if (room === "managed") return t("record_rule_managed", name);
  if (room === "rate") return t("record_rule_rate", name);
  if (room === "pin") return t("record_rule_pin");
  if (room === "default") return t("record_rule_default");
  if (room === "flow") return t("record_rule_flow");
  if (room === "error") return t("record_rule_error", name);
  return t("record_rule_yours", rule);
}

function ReasonLine({ reason, decides }: { readonly reason: Reason; readonly decides: boolean }): JSX.Element {
  return (
    <li {...(decides ? { "data-hit": reason.verdict } : {})}>
      <Verdict mark={reason.mode === "audit" ? "audit" : reason.verdict} word="" />
      <span>
        {decides ? <b>{reason.sentence}</b> : reason.sentence}
        <small>
          {ruleName(reason.rule)}
          {reason.mode === "audit" && `, ${t("record_only_noted", t(`shared_mark_${reason.verdict}`))}`}
          {decides && `, ${t("record_decided")}`}
        </small>
      </span>
      <span class="pr num" title={t("record_priority")}>
        {reason.rule.includes(":") ? "" : formatNumber(reason.priority)}
      </span>
    </li>
  );
}

function decides(reason: Reason, decision: Decision): boolean {
  return reason.mode === "enforce" && reason.verdict === decision.verdict;
}
