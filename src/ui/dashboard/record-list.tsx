/** The records as a chain: each row hangs on the one below it, and the links say what was proven. */
import { useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import type { ChainState } from "../../core/recorder/chain.ts";
import type { RecordEntry } from "../../core/recorder/entry.ts";
import { callOf } from "../shared/call-of.ts";
import { passage } from "../shared/call-words.ts";
import { type Column, Grid } from "../shared/grid.tsx";
import { Said } from "../shared/said.tsx";
import { siteName } from "../shared/site.tsx";
import { formatNumber, t } from "../shared/text.ts";
import { exact } from "../shared/time.ts";
import { timeOfDay } from "../shared/time-of-day.ts";
import { Verdict } from "../shared/verdict.tsx";
import { hrefOf } from "./route.ts";

interface RecordListProps {
  readonly entries: readonly RecordEntry[];
  /** The open one's number. */
  readonly chosen: string | undefined;
  readonly chain: ChainState | undefined;
  readonly grid: RefObject<HTMLTableElement | null>;
}

export function RecordList({ entries, chosen, chain, grid }: RecordListProps): JSX.Element {
  const near = useSignal<string | undefined>(undefined);
  const current = chosen ?? near.value;
  return (
    <div class="chain">
      <Grid
        label={t("dash_page_records")}
        rows={entries}
        columns={columns()}
        idOf={(entry) => String(entry.seq)}
        chosen={current}
        onChoose={(id) => {
          near.value = id;
          if (chosen !== undefined) location.replace(hrefOf("records", id));
        }}
        onOpen={(id) => {
          near.value = id;
          location.hash = hrefOf("records", id);
        }}
        marks={(entry) => ({ "data-chain": linkOf(entry.seq, chain), "data-v": passage(callOf(entry)).mark })}
        grid={grid}
      />
    </div>
  );
}

function columns(): readonly Column<RecordEntry>[] {
  return [
    { name: "no", head: "#", numeric: true, cell: (entry) => entry.seq },
    { name: "lk", head: t("dash_col_link"), quiet: true, cell: () => null },
    { name: "at", head: t("dash_col_time"), title: (entry) => exact(entry.at), cell: (entry) => timeOfDay(entry.at) },
    { name: "site", head: t("dash_col_site"), cell: (entry) => siteName(entry.principal.origin) },
    { name: "nm", head: t("dash_col_what"), cell: whatCell },
    { name: "vd", head: t("dash_col_verdict"), cell: verdictCell },
    {
      name: "why-cell",
      head: t("dash_col_why"),
      title: (entry) => callOf(entry).why,
      cell: (entry) => callOf(entry).why,
    },
  ];
}

function whatCell(entry: RecordEntry): JSX.Element {
  return (
    <>
      {entry.serverName} <Said text={entry.tool ?? entry.method} />
      {entry.count > 1 && <span class="faint"> ×{formatNumber(entry.count)}</span>}
    </>
  );
}

function verdictCell(entry: RecordEntry): JSX.Element {
  const { mark, word } = passage(callOf(entry));
  return <Verdict mark={mark} word={word} />;
}

function linkOf(seq: number, chain: ChainState | undefined): string | undefined {
  if (chain === undefined) return undefined;
  if (chain.state === "whole") return seq <= chain.entries ? "whole" : undefined;
  if (seq === chain.seq) return "broken";
  return seq < chain.seq ? "whole" : "unproven";
}
