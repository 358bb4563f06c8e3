/** The records: newest first, read page by page, one of them beside the list; and whether the chain is whole. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ChainState } from "../../core/recorder/chain.ts";
import { callOf } from "../shared/call-of.ts";
import { FilterBox } from "../shared/filter-box.tsx";
import { Icon } from "../shared/icon.tsx";
import { typing } from "../shared/list-keys.ts";
import { formatNumber, t, tn } from "../shared/text.ts";
import { type ChipName, fitsChip, VerdictChips } from "../shared/verdict-chips.tsx";
import { Await } from "./await.tsx";
import { ChainCheck } from "./chain-check.tsx";
import { PageHead } from "./page-head.tsx";
import type { PageProps } from "./page-props.ts";
import { Problem } from "./problem.tsx";
import { RecordDetail } from "./record-detail.tsx";
import { fittingRecords } from "./record-filter.ts";
import { RecordList } from "./record-list.tsx";
import { useRecordPages } from "./record-pages.ts";
import { hrefOf } from "./route.ts";

export function Records({ client, route }: PageProps): JSX.Element {
  const pages = useRecordPages(client);
  const filter = useSignal("");
  const chip = useSignal<ChipName>("all");
  const chain = useSignal<ChainState | undefined>(undefined);
  const box = useRef<HTMLInputElement>(null);
  const grid = useRef<HTMLTableElement>(null);
  const entries = pages.entries;
  const fitting = fittingRecords(entries, filter.value);
  const shown = fitting.filter((entry) => fitsChip(callOf(entry), chip.value));
  const chosen = route.chosen === "" ? undefined : route.chosen;

  const close = () => {
    location.hash = hrefOf("records");
    grid.current?.focus();
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "Escape" && chosen !== undefined) close();
      if (event.key !== "/" || typing(event)) return;
      event.preventDefault();
      box.current?.select();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [chosen]);

  return (
    <>
      <PageHead
        title={t("dash_page_records")}
        note={
          entries.length > 0
            ? t("dash_records_note", formatNumber(shown.length), formatNumber(entries.length))
            : undefined
        }
      />
      <Await loaded={pages.newest}>
        {() =>
          entries.length === 0 ? (
            <NoRecord />
          ) : (
            <>
              <div class="tools">
                <FilterBox
                  label={t("dash_records_filter")}
                  hint={t("dash_records_hint")}
                  value={filter.value}
                  box={box}
                  onInput={(value) => {
                    filter.value = value;
                  }}
                  onLeave={() => grid.current?.focus()}
                />
                <VerdictChips
                  chosen={chip.value}
                  calls={fitting.map(callOf)}
                  onChoose={(name) => {
                    chip.value = name;
                  }}
                />
              </div>
              <div class="rec-split" {...(chosen === undefined ? {} : { "data-open": "" })}>
                <div>
                  <RecordList entries={shown} chosen={chosen} chain={chain.value} grid={grid} />
                  <div class="older">
                    {shown.length === 0 && <span>{t("dash_none_fits")}</span>}
                    {pages.more && (
                      <button type="button" class="btn btn-s" disabled={pages.act.busy} onClick={pages.loadOlder}>
                        {t("dash_older")}
                      </button>
                    )}
                    {!pages.more && <span>{tn("dash_first_record", entries.length)}</span>}
                  </div>
                  <Problem act={pages.act} />
                </div>
                <aside class="rec-aside">
                  {chosen === undefined ? (
                    <ChainCheck client={client} chain={chain} newest={entries[0]?.seq ?? 0} />
                  ) : (
                    <RecordDetail key={chosen} client={client} seq={chosen} known={entries} onClose={close} />
                  )}
                </aside>
              </div>
            </>
          )
        }
      </Await>
    </>
  );
}

function NoRecord(): JSX.Element {
  return (
    <div class="empty">
      <Icon name="records" />
      <h2>{t("dash_no_record")}</h2>
      <p>{t("dash_no_record_text")}</p>
    </div>
  );
}
