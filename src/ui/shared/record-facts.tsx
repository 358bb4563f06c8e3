/** Who called what, how it went and what proves it: the facts of one record, in the order people ask for them. */
import type { ComponentChild, JSX } from "preact";
import type { Answered, RecordEntry } from "../../core/recorder/entry.ts";
import { callOf } from "./call-of.ts";
import { ending, passage } from "./call-words.ts";
import { fineDuration } from "./fine-duration.ts";
import { Said } from "./said.tsx";
import { Site } from "./site.tsx";
import { t, tn } from "./text.ts";
import { exact } from "./time.ts";
import { Verdict } from "./verdict.tsx";

export function RecordFacts({ entry }: { readonly entry: RecordEntry }): JSX.Element {
  const call = callOf(entry);
  const { mark, word } = passage(call);
  return (
    <dl class="kv">
      <Fact name={t("record_verdict")}>
        <Verdict mark={mark} word={word} />{" "}
        {entry.answered !== undefined && <span class="dim">{answerWords(entry.answered)}</span>}
        {entry.released !== undefined && (
          <span class="dim">{t(`record_release_${entry.released.answer}`, fineDuration(entry.released.waitedMs))}</span>
        )}
      </Fact>
      <Fact name={t("record_because")}>{call.why === "" ? t("record_no_reason") : call.why}</Fact>
      <Fact name={t("record_outcome")}>{ending(call)}</Fact>
      {entry.labels !== undefined && (
        <Fact name={t("record_data")}>
          {t(`record_conf_${entry.labels.confidentiality}`)}
          {entry.labels.integrity === "untrusted" && `, ${t("record_outside")}`}
        </Fact>
      )}
      <Fact name={t("record_when")}>
        {exact(entry.at)}, {fineDuration(entry.ms)}
      </Fact>
      <Fact name={t("record_site")}>
        <Site principal={entry.principal} />
      </Fact>
      <Fact name={t("record_agent")}>
        {entry.agent === "" ? <span class="faint">{t("record_agent_none")}</span> : <Said text={entry.agent} />}
      </Fact>
      <Fact name={t("record_protocol")}>{entry.revision ?? t("record_protocol_none")}</Fact>
      {entry.count > 1 && <Fact name={t("record_count")}>{tn("record_times", entry.count)}</Fact>}
      <Fact name={t("record_number")}>#{entry.seq}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChild }): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function answerWords(answered: Answered): string {
  if (answered.answer === "grant") return t("record_answer_grant");
  return t(`record_answer_${answered.answer}`, fineDuration(answered.waitedMs));
}
