/** The panel's one bar: the filter and the verdict chips with their numbers. */
import type { Signal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import type { CallView } from "../../bridge/control-api.ts";
import { FilterBox } from "../shared/filter-box.tsx";
import { t } from "../shared/text.ts";
import { type ChipName, VerdictChips } from "../shared/verdict-chips.tsx";

interface ToolbarProps {
  readonly filter: Signal<string>;
  readonly chip: Signal<ChipName>;
  /** Those that fit the filter. */
  readonly calls: readonly CallView[];
  readonly box: RefObject<HTMLInputElement | null>;
  readonly onLeave: () => void;
}

export function Toolbar({ filter, chip, calls, box, onLeave }: ToolbarProps): JSX.Element {
  return (
    <div class="bar">
      <FilterBox
        label={t("panel_filter")}
        hint={t("panel_filter_hint")}
        value={filter.value}
        onInput={(value) => {
          filter.value = value;
        }}
        box={box}
        onLeave={onLeave}
      />
      <VerdictChips
        chosen={chip.value}
        calls={calls}
        onChoose={(name) => {
          chip.value = name;
        }}
      />
    </div>
  );
}
