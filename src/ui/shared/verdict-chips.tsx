/** Chips that narrow a list to one verdict, each with how many it would show. */
import type { JSX } from "preact";
import type { CallView } from "../../bridge/control-api.ts";
import { passage } from "./call-words.ts";
import { formatNumber, t } from "./text.ts";
import { Verdict } from "./verdict.tsx";

export const CHIPS = ["all", "allow", "ask", "deny", "unknown"] as const;
export type ChipName = (typeof CHIPS)[number];

interface VerdictChipsProps {
  readonly chosen: ChipName;
  readonly calls: readonly CallView[];
  readonly onChoose: (chip: ChipName) => void;
}

export function VerdictChips({ chosen, calls, onChoose }: VerdictChipsProps): JSX.Element {
  const counts = countMarks(calls);
  return (
    <fieldset class="chips">
      <legend class="vh">{t("record_chips")}</legend>
      {CHIPS.map((name) => (
        <button key={name} type="button" class="chip" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {name !== "all" && <Verdict mark={name} word="" />}
          <span class={name === "all" ? "" : "chip-word"}>{t(`record_chip_${name}`)}</span>
          <b>{formatNumber(counts.get(name) ?? 0)}</b>
        </button>
      ))}
    </fieldset>
  );
}

export function fitsChip(call: CallView, chip: ChipName): boolean {
  return chip === "all" || passage(call).mark === chip;
}

function countMarks(calls: readonly CallView[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>([["all", calls.length]]);
  for (const call of calls) {
    const { mark } = passage(call);
    counts.set(mark, (counts.get(mark) ?? 0) + 1);
  }
  return counts;
}
