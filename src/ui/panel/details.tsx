/** One call looked at: five tabs in a fixed order, read from its record. */
import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import type { CallView } from "../../bridge/control-api.ts";
import type { LocalLog } from "../../bridge/native-view.ts";
import type { RecordEntry } from "../../core/recorder/entry.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useData } from "../shared/ask.ts";
import { passage } from "../shared/call-words.ts";
import { Excerpt } from "../shared/excerpt.tsx";
import { Icon } from "../shared/icon.tsx";
import { Reasons } from "../shared/reasons.tsx";
import { Slip } from "../shared/said.tsx";
import { StageTimes } from "../shared/stage-times.tsx";
import { TabStrip } from "../shared/tab-strip.tsx";
import { t } from "../shared/text.ts";
import { Verdict } from "../shared/verdict.tsx";
import { CallOverview } from "./call-overview.tsx";
import { TABS, type TabName } from "./tabs.ts";

interface DetailsProps {
  readonly client: ControlClient;
  readonly tabId: number;
  readonly call: CallView;
  readonly tab: Signal<TabName>;
  readonly onClose: () => void;
}

export function Details({ client, tabId, call, tab, onClose }: DetailsProps): JSX.Element {
  const loaded = useData(client, "panel.call", { tabId, callId: call.callId }, ["calls", "records", "local"]);
  const entry = loaded.data?.entry;
  return (
    <section class="details" aria-label={t("panel_details")}>
      <div class="bar">
        <button type="button" class="btn btn-i" aria-label={t("panel_close")} onClick={onClose}>
          <Icon name="close" />
        </button>
        <TabStrip
          label={t("panel_details")}
          names={TABS}
          chosen={tab.value}
          word={(name) => t(`panel_tab_${name}`)}
          onChoose={(name) => {
            tab.value = name;
          }}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <div class="dp" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab.value}`} tabIndex={0}>
        {loaded.status === "failed" && (
          <p class="hint hint-bad" role="alert">
            {loaded.problem}
          </p>
        )}
        {entry === undefined && loaded.status === "starting" && <i class="skel" />}
        {entry === null && <StillOpen call={call} />}
        {entry && <TabContent tab={tab.value} entry={entry} />}
        {tab.value === "overview" && loaded.data?.wrote && <Wrote log={loaded.data.wrote} />}
      </div>
    </section>
  );
}

function TabContent({ tab, entry }: { readonly tab: TabName; readonly entry: RecordEntry }): JSX.Element {
  switch (tab) {
    case "overview":
      return <CallOverview entry={entry} />;
    case "request":
      return <Excerpt excerpt={entry.request} />;
    case "response":
      return entry.reply === undefined ? <p class="dim">{t("record_no_reply")}</p> : <Excerpt excerpt={entry.reply} />;
    case "decision":
      return entry.decisions.length === 0 ? (
        <p class="dim">{t("record_no_decision")}</p>
      ) : (
        <div>
          {entry.decisions.map((decision, index) => (
            <Reasons key={index} decision={decision} />
          ))}
        </div>
      );
    case "time":
      return <StageTimes stages={entry.stages} total={entry.ms} />;
  }
}

/** A local server's own words beside its messages: often the only place where it says why it failed. */
function Wrote({ log }: { readonly log: LocalLog }): JSX.Element | null {
  if (log.lines.length === 0) return null;
  return (
    <section>
      <h2>{t("panel_wrote")}</h2>
      <Slip text={log.lines.slice(-WROTE_LINES).join("\n")} lines="ours" />
    </section>
  );
}

const WROTE_LINES = 40;

function StillOpen({ call }: { readonly call: CallView }): JSX.Element {
  const { mark, word } = passage(call);
  return (
    <div class="stack">
      <p>
        <Verdict mark={mark} word={word} />
      </p>
      {call.why !== "" && <p>{call.why}</p>}
      <p class="hint">{t("panel_still_open")}</p>
    </div>
  );
}
