/** The calls of this tab, oldest first; new ones append. */
import type { JSX, RefObject } from "preact";
import type { CallView } from "../../bridge/control-api.ts";
import { endedBadly, ending, passage } from "../shared/call-words.ts";
import { fineDuration } from "../shared/fine-duration.ts";
import { type Column, Grid } from "../shared/grid.tsx";
import { Said } from "../shared/said.tsx";
import { formatNumber, t } from "../shared/text.ts";
import { exact } from "../shared/time.ts";
import { timeOfDay } from "../shared/time-of-day.ts";
import { Verdict } from "../shared/verdict.tsx";
import { useNow } from "../shared/when.tsx";

interface CallListProps {
  readonly calls: readonly CallView[];
  readonly chosen: string | undefined;
  readonly grid: RefObject<HTMLTableElement | null>;
  readonly onChoose: (callId: string) => void;
  readonly onOpen: (callId: string) => void;
}

export function CallList(props: CallListProps): JSX.Element {
  const { calls, chosen, grid, onChoose, onOpen } = props;
  const now = useNow(calls.some(isOpen) ? 1_000 : 3_600_000);
  return (
    <Grid
      label={t("panel_list")}
      rows={calls}
      columns={columns(now)}
      idOf={(call) => call.callId}
      chosen={chosen}
      onChoose={onChoose}
      onOpen={onOpen}
      marks={marksOf}
      grid={grid}
      follow
    />
  );
}

function columns(now: number): readonly Column<CallView>[] {
  return [
    {
      name: "vcell",
      head: t("panel_col_mark"),
      quiet: true,
      cell: (call) => <Verdict mark={passage(call).mark} word="" />,
    },
    { name: "at", head: t("panel_col_time"), title: (call) => exact(call.at), cell: (call) => timeOfDay(call.at) },
    { name: "srv", head: t("panel_col_server"), cell: (call) => call.serverName },
    { name: "nm", head: t("panel_col_name"), cell: nameCell },
    { name: "mt", head: t("panel_col_method"), cell: (call) => call.method },
    { name: "vd", head: t("panel_col_verdict"), cell: verdictCell },
    { name: "st", head: t("panel_col_outcome"), cell: ending },
    {
      name: "du",
      head: t("panel_col_ms"),
      numeric: true,
      cell: (call) => fineDuration(isOpen(call) ? now - call.at : call.ms),
    },
  ];
}

function isOpen(call: CallView): boolean {
  return call.outcome.kind === "open";
}

function nameCell(call: CallView): JSX.Element {
  return (
    <>
      <Said text={call.tool ?? call.method} />
      {call.count > 1 && <span class="times">×{formatNumber(call.count)}</span>}
    </>
  );
}

function verdictCell(call: CallView): JSX.Element {
  const { mark, word } = passage(call);
  return <span class={`v v-${mark}`}>{word}</span>;
}

function marksOf(call: CallView): Readonly<Record<`data-${string}`, string | undefined>> {
  const waits = call.outcome.kind === "open" && call.outcome.stage === "consent";
  return { "data-v": waits ? "wait" : passage(call).mark, "data-s": endedBadly(call) ? "bad" : undefined };
}
