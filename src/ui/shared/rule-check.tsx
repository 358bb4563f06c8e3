/** What is known of a rule before it is saved: what is wrong, what is odd, what it would have done, what becomes wider. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Impact, PolicyCheck } from "../../bridge/policy-api.ts";
import type { Difference } from "../../core/policy/diff.ts";
import type { RuleProblem } from "../../core/policy/problem.ts";
import { Icon } from "./icon.tsx";
import { formatNumber, t, tn } from "./text.ts";

/** Asks again a moment after `key` stopped changing; while it does, the last answer stays. */
export function useCheck(key: string, check: () => Promise<PolicyCheck | undefined>): PolicyCheck | undefined {
  const [found, setFound] = useState<PolicyCheck>();
  useEffect(() => {
    let current = true;
    const timer = setTimeout(() => {
      check().then(
        (answer) => current && setFound(answer),
        () => current && setFound(undefined),
      );
    }, PATIENCE);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key]);
  return found;
}

const PATIENCE = 200;

interface RuleCheckProps {
  readonly check: PolicyCheck | undefined;
  /** Makes a line number a way to that line. */
  readonly onGo?: (line: number) => void;
}

export function RuleCheck({ check, onGo }: RuleCheckProps): JSX.Element | null {
  if (!check) return null;
  return (
    <div class="checked" role="status">
      {check.problems.map((problem, at) => (
        <Remark key={at} remark={problem} tone="bad" onGo={onGo} />
      ))}
      {check.notes.map((note, at) => (
        <Remark key={at} remark={note} tone="warn" onGo={onGo} />
      ))}
      {check.differences.map((difference, at) => (
        <DifferenceLine key={at} difference={difference} />
      ))}
      {check.impact && <ImpactLine impact={check.impact} />}
    </div>
  );
}

interface RemarkProps {
  readonly remark: RuleProblem;
  readonly tone: "bad" | "warn";
  readonly onGo: ((line: number) => void) | undefined;
}

function Remark({ remark, tone, onGo }: RemarkProps): JSX.Element {
  const { line, path, message, remedy } = remark;
  return (
    <p class={`hint hint-${tone}`}>
      <Icon name="warn" />
      <span>
        {line !== undefined && onGo && (
          <>
            <button type="button" class="problem-line" onClick={() => onGo(line)}>
              {t("shared_line", line)}
            </button>{" "}
          </>
        )}
        {onGo && path !== "" && <span class="mono dim">{path} </span>}
        {message} <span class="dim">{remedy}</span>
      </span>
    </p>
  );
}

export function DifferenceLine({ difference }: { readonly difference: Difference }): JSX.Element {
  return (
    <p class="hint">
      <Icon name={difference.wider ? "outside" : "lock"} />
      <span>
        <b>{t(difference.wider ? "shared_wider" : "shared_narrower")}</b> {difference.sentence}
      </span>
    </p>
  );
}

function ImpactLine({ impact }: { readonly impact: Impact }): JSX.Element {
  return (
    <p class="hint" data-impact={impact.count}>
      <Icon name="records" />
      <span>
        {impact.of === 0 ? t("shared_impact_no_calls") : tn("shared_impact", impact.count, formatNumber(impact.of))}
      </span>
    </p>
  );
}
