/** Calls and refusals of this site, newest first, each with its reason and a way to a rule. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { CallView } from "../../bridge/control-api.ts";
import { Icon } from "../shared/icon.tsx";
import { Said } from "../shared/said.tsx";
import { formatNumber, t, tx } from "../shared/text.ts";
import { duration } from "../shared/time.ts";
import { callMark, Verdict } from "../shared/verdict.tsx";
import { When } from "../shared/when.tsx";

interface Props {
  readonly calls: readonly CallView[];
  readonly onRule: (call: CallView) => void;
}

const FEW = 5;

export function Calls({ calls, onRule }: Props): JSX.Element {
  const [all, setAll] = useState(false);
  const shown = all ? calls : calls.slice(0, FEW);
  return (
    <section class="p-sec" aria-labelledby="calls">
      <header>
        <h2 id="calls">{t("popup_calls")}</h2>
      </header>
      <ul>
        {shown.map((call) => (
          <CallRow key={call.callId} call={call} onRule={onRule} />
        ))}
      </ul>
      {calls.length === 0 && <p class="p-hint">{t("popup_no_calls")}</p>}
      {calls.length > shown.length && (
        <button type="button" class="btn btn-quiet btn-s p-all" onClick={() => setAll(true)}>
          {t("popup_all_calls", formatNumber(calls.length))}
        </button>
      )}
    </section>
  );
}

function CallRow({
  call,
  onRule,
}: {
  readonly call: CallView;
  readonly onRule: (call: CallView) => void;
}): JSX.Element {
  const { mark, word } = callMark(call);
  const name = call.tool ?? call.method;
  return (
    <li class="item p-call">
      <span class="grow">
        <span class="p-call-what">
          <span class="grow">{tx("popup_tool_on", <Said text={name} />, <b>{call.serverName}</b>)}</span>
          <Verdict mark={mark} word={call.count > 1 ? t("popup_times", word, formatNumber(call.count)) : word} />
        </span>
        <span class="sub">
          <When at={call.at} />
          {call.outcome.kind !== "open" && <span class="nowrap">{duration(call.ms)}</span>}
          <span>{call.why}</span>
        </span>
      </span>
      {call.tool !== undefined && (
        <button
          type="button"
          class="btn btn-i btn-s"
          aria-label={t("popup_make_rule_for", name)}
          title={t("popup_make_rule")}
          onClick={() => onRule(call)}
        >
          <Icon name="rules" />
        </button>
      )}
    </li>
  );
}
