/** A call that was denied just now, with its reason and the way to change it; goes by itself. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { CallView } from "../../bridge/control-api.ts";
import { Icon } from "../shared/icon.tsx";
import { Said } from "../shared/said.tsx";
import { t, tx } from "../shared/text.ts";
import { callMark } from "../shared/verdict.tsx";
import { useNow, When } from "../shared/when.tsx";

interface Props {
  readonly calls: readonly CallView[];
  readonly onRule: (call: CallView) => void;
}

const SHOWN_FOR = 60_000;

export function JustDenied({ calls, onRule }: Props): JSX.Element | null {
  const now = useNow(5_000);
  const [dismissed, setDismissed] = useState("");
  const call = calls.find((candidate) => callMark(candidate).mark === "deny");
  if (!call || call.callId === dismissed || now - call.at > SHOWN_FOR) return null;
  return (
    <section class="p-now" data-v="deny" aria-labelledby="denied">
      <h2 id="denied">
        <Icon name="deny" />
        <span class="grow">{tx("popup_denied", <When at={call.at} />)}</span>
        <button
          type="button"
          class="btn btn-i btn-s"
          aria-label={t("popup_dismiss")}
          onClick={() => setDismissed(call.callId)}
        >
          <Icon name="close" />
        </button>
      </h2>
      <p>{tx("popup_denied_what", <Said text={call.tool ?? call.method} />, <b>{call.serverName}</b>, call.why)}</p>
      {call.tool !== undefined && (
        <div class="acts">
          <button type="button" class="btn" onClick={() => onRule(call)}>
            {t("popup_make_rule")}
          </button>
        </div>
      )}
    </section>
  );
}
