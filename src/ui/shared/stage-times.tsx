/** Where a call's time went, stage by stage. Four kinds, told apart by height and pattern before colour. */
import type { JSX } from "preact";
import type { StageTime } from "../../core/recorder/entry.ts";
import { fineDuration } from "./fine-duration.ts";
import { t } from "./text.ts";

interface StageTimesProps {
  readonly stages: readonly StageTime[];
  readonly total: number;
}

export function StageTimes({ stages, total }: StageTimesProps): JSX.Element {
  const own = stages.reduce(
    (sum, stage) => (kindOf(stage.stage) === "st-navra" || kindOf(stage.stage) === "st-look" ? sum + stage.ms : sum),
    0,
  );
  return (
    <ol class="timing">
      {stages.map((stage, index) => (
        <li key={index}>
          <span>{stageName(stage.stage)}</span>
          <span class="bar-cell" aria-hidden="true">
            <i class={kindOf(stage.stage)} style={place(stage, total)} />
          </span>
          <span class="num">{fineDuration(stage.ms)}</span>
        </li>
      ))}
      <li>
        <b>{t("record_total")}</b>
        <span class="faint">{t("record_own_time", fineDuration(own))}</span>
        <b class="num">{fineDuration(total)}</b>
      </li>
    </ol>
  );
}

export function stageName(stage: string): string {
  return KNOWN.has(stage) ? t(`record_stage_${stage}`) : stage;
}

const KNOWN = new Set([
  "admit",
  "resolve",
  "pin",
  "inspect",
  "label",
  "decide",
  "redact",
  "consent",
  "forward",
  "deliver",
]);

function kindOf(stage: string): string {
  if (stage === "consent") return "st-person";
  if (stage === "forward") return "st-server";
  return stage === "inspect" ? "st-look" : "st-navra";
}

function place(stage: StageTime, total: number): { readonly insetInlineStart: string; readonly inlineSize: string } {
  const whole = Math.max(total, stage.at + stage.ms, 0.001);
  return {
    insetInlineStart: `${Math.min(99.5, (stage.at / whole) * 100)}%`,
    inlineSize: `${(stage.ms / whole) * 100}%`,
  };
}
