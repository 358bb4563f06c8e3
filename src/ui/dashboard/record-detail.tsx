/** One record: who, what, why for each phase, where the time went, what was said, how it ended, and what proves it. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { RecordEntry } from "../../core/recorder/entry.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useData } from "../shared/ask.ts";
import { Excerpt } from "../shared/excerpt.tsx";
import { Icon } from "../shared/icon.tsx";
import { Reasons } from "../shared/reasons.tsx";
import { RecordFacts } from "../shared/record-facts.tsx";
import { Said } from "../shared/said.tsx";
import { StageTimes } from "../shared/stage-times.tsx";
import { t } from "../shared/text.ts";

interface RecordDetailProps {
  readonly client: ControlClient;
  readonly seq: string;
  /** Those the list has; others are read. */
  readonly known: readonly RecordEntry[];
  readonly onClose: () => void;
}

export function RecordDetail({ client, seq, known, onClose }: RecordDetailProps): JSX.Element {
  const number = Number(seq);
  const read = useData(client, "records.page", { before: number + 1, limit: 1 }, []);
  const entry = [...known, ...(read.data?.entries ?? [])].find((one) => one.seq === number);
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.scrollTo({ top: 0 }), [seq]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section class="sticky" ref={box} tabIndex={0} aria-label={t("dash_record", seq)}>
      <div class="row">
        <h2 class="grow">{t("dash_record", seq)}</h2>
        <button type="button" class="btn btn-i" aria-label={t("dash_close")} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {entry === undefined && read.data !== undefined && <p class="dim">{t("dash_record_gone")}</p>}
      {entry !== undefined && <Content entry={entry} />}
    </section>
  );
}

function Content({ entry }: { readonly entry: RecordEntry }): JSX.Element {
  return (
    <>
      <p class="lead">
        {entry.serverName} <Said text={entry.tool ?? entry.method} />{" "}
        {entry.tool !== undefined && <span class="faint">{entry.method}</span>}
      </p>
      <RecordFacts entry={entry} />
      <section>
        <h3>{t("dash_why_head")}</h3>
        {entry.decisions.length === 0 && <p class="dim">{t("record_no_decision")}</p>}
        {entry.decisions.map((decision, index) => (
          <Reasons key={index} decision={decision} />
        ))}
      </section>
      <section>
        <h3>{t("record_where_time")}</h3>
        <StageTimes stages={entry.stages} total={entry.ms} />
      </section>
      <section>
        <h3>{t("record_request")}</h3>
        <Excerpt excerpt={entry.request} />
      </section>
      <section>
        <h3>{t("record_reply")}</h3>
        {entry.reply === undefined ? <p class="dim">{t("record_no_reply")}</p> : <Excerpt excerpt={entry.reply} />}
      </section>
      <section>
        <h3>{t("dash_proof")}</h3>
        <dl class="kv">
          <dt>{t("dash_hash")}</dt>
          <dd class="hash">{entry.hash}</dd>
          <dt>{t("dash_prev")}</dt>
          <dd class="hash">{entry.prev}</dd>
        </dl>
      </section>
    </>
  );
}
