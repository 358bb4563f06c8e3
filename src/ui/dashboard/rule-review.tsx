/** Asks before many rules change at once: what becomes wider, what narrower, and what would have ended otherwise. */
import type { ComponentChild, JSX } from "preact";
import type { PolicyCheck } from "../../bridge/policy-api.ts";
import { RuleCheck } from "../shared/rule-check.tsx";
import { t, tn } from "../shared/text.ts";
import { Confirm } from "./confirm.tsx";

interface RuleReviewProps {
  readonly title: string;
  readonly act: string;
  readonly check: PolicyCheck;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  readonly children?: ComponentChild;
}

export function RuleReview({ title, act, check, onConfirm, onCancel, children }: RuleReviewProps): JSX.Element {
  const wider = check.differences.filter((difference) => difference.wider).length;
  return (
    <Confirm title={title} act={act} onConfirm={onConfirm} onCancel={onCancel}>
      {children}
      <p>{wider === 0 ? t("dash_review_none_wider") : tn("dash_review_wider", wider)}</p>
      <RuleCheck check={check} />
    </Confirm>
  );
}
