/** The panel's frame: one list, one call beside it, and the keys that move between them. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ControlClient } from "../../platform/door.ts";
import { useData } from "../shared/ask.ts";
import { useDoorState } from "../shared/door-state.ts";
import { typing } from "../shared/list-keys.ts";
import { t } from "../shared/text.ts";
import { type ChipName, fitsChip } from "../shared/verdict-chips.tsx";
import { CallList } from "./call-list.tsx";
import { fittingCalls } from "./choose-calls.ts";
import { Details } from "./details.tsx";
import { LostBanner, NoCalls, NoneFits, NoTab, PausedBanner } from "./states.tsx";
import { StatusLine } from "./status-line.tsx";
import { TABS, type TabName } from "./tabs.ts";
import { Toolbar } from "./toolbar.tsx";

interface PanelProps {
  readonly client: ControlClient;
  readonly tabId: number | undefined;
}

export function Panel({ client, tabId }: PanelProps): JSX.Element {
  if (tabId === undefined) return <NoTab />;
  return <CallsOfTab client={client} tabId={tabId} />;
}

function CallsOfTab({ client, tabId }: { readonly client: ControlClient; readonly tabId: number }): JSX.Element {
  const loaded = useData(client, "panel.calls", { tabId }, ["calls", "records", "pause", "approvals"]);
  const state = useDoorState(client);
  const filter = useSignal("");
  const chip = useSignal<ChipName>("all");
  const chosen = useSignal<string | undefined>(undefined);
  const open = useSignal(false);
  const tab = useSignal<TabName>("overview");
  const grid = useRef<HTMLTableElement>(null);
  const filterBox = useRef<HTMLInputElement>(null);

  const all = loaded.data?.calls ?? [];
  const fitting = fittingCalls(all, filter.value);
  const calls = fitting.filter((one) => fitsChip(one, chip.value));
  const call = calls.find((one) => one.callId === chosen.value);
  const opened = open.value && call !== undefined;

  const close = () => {
    open.value = false;
    grid.current?.focus();
  };
  const clear = () => {
    filter.value = "";
    chip.value = "all";
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && open.value) close();
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event)) return;
      const tabAt = Number(event.key) - 1;
      if (event.key === "/") {
        event.preventDefault();
        filterBox.current?.select();
      } else if (open.value && TABS[tabAt] !== undefined) tab.value = TABS[tabAt];
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  return (
    <main class="panel">
      <h1 class="vh">{t("panel_title")}</h1>
      <Toolbar filter={filter} chip={chip} calls={fitting} box={filterBox} onLeave={() => grid.current?.focus()} />
      {state === "lost" || loaded.status === "silent" ? (
        <LostBanner silent={loaded.status === "silent"} />
      ) : (
        loaded.data?.pause && <PausedBanner pause={loaded.data.pause} />
      )}
      <div class="p-main" {...(opened ? { "data-open": "" } : {})}>
        <CallList
          calls={calls}
          chosen={chosen.value}
          grid={grid}
          onChoose={(id) => {
            chosen.value = id;
          }}
          onOpen={(id) => {
            chosen.value = id;
            open.value = true;
          }}
        />
        {loaded.status === "failed" && (
          <p class="banner" data-v="deny" role="alert">
            {loaded.problem}
          </p>
        )}
        {loaded.data !== undefined && all.length === 0 && <NoCalls />}
        {all.length > 0 && calls.length === 0 && <NoneFits hidden={all.length} onClear={clear} />}
        {opened && <Details client={client} tabId={tabId} call={call} tab={tab} onClose={close} />}
      </div>
      <StatusLine shown={calls} all={all.length} state={state} onShowAll={clear} />
    </main>
  );
}
