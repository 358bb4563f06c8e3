/** The first tab: who, the gate, what; the facts; and where the time went. */
import type { JSX } from "preact";
import type { RecordEntry } from "../../core/recorder/entry.ts";
import { callOf } from "../shared/call-of.ts";
import { passage } from "../shared/call-words.ts";
import { Icon } from "../shared/icon.tsx";
import { RecordFacts } from "../shared/record-facts.tsx";
import { Said } from "../shared/said.tsx";
import { Site } from "../shared/site.tsx";
import { StageTimes } from "../shared/stage-times.tsx";
import { t } from "../shared/text.ts";

export function CallOverview({ entry }: { readonly entry: RecordEntry }): JSX.Element {
  return (
    <div class="two">
      <section>
        <Crossing entry={entry} />
        <RecordFacts entry={entry} />
      </section>
      <section>
        <h2>{t("record_where_time")}</h2>
        <StageTimes stages={entry.stages} total={entry.ms} />
      </section>
    </div>
  );
}

function Crossing({ entry }: { readonly entry: RecordEntry }): JSX.Element {
  const { mark } = passage(callOf(entry));
  // What was asked about and allowed did cross: only an open question is drawn as one.
  const drawn = mark === "ask" ? "allow" : mark;
  return (
    <div class="crossing" data-v={drawn}>
      <div class="end">
        <b>
          <Site principal={entry.principal} />
        </b>
        <small>{t(entry.place.frameId === 0 ? "panel_main_page" : "panel_inner_frame")}</small>
      </div>
      <span class="way" />
      <span class="gate">
        <Icon name="gate" />
      </span>
      <span class="way out" />
      <div class="end">
        <b>{entry.serverName}</b>
        <small>
          <Said text={entry.tool ?? entry.method} />
        </small>
      </div>
    </div>
  );
}
