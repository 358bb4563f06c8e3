/** The line at the foot: how many calls, how they went, and whether the list is live. */
import type { JSX } from "preact";
import type { CallView } from "../../bridge/control-api.ts";
import type { DoorState } from "../../platform/door.ts";
import { passage } from "../shared/call-words.ts";
import { Icon } from "../shared/icon.tsx";
import { t, tn } from "../shared/text.ts";
import { Verdict } from "../shared/verdict.tsx";

interface StatusLineProps {
  readonly shown: readonly CallView[];
  readonly all: number;
  readonly state: DoorState;
  readonly onShowAll: () => void;
}

export function StatusLine({ shown, all, state, onShowAll }: StatusLineProps): JSX.Element {
  const hidden = all - shown.length;
  const denied = shown.filter((call) => passage(call).mark === "deny").length;
  const unknown = shown.filter((call) => passage(call).mark === "unknown").length;
  const waiting = shown.filter((call) => call.outcome.kind === "open" && call.outcome.stage === "consent").length;
  return (
    <footer class="status">
      <span>{tn("panel_calls", shown.length)}</span>
      {denied > 0 && <Verdict mark="deny" word={tn("panel_denied", denied)} />}
      {waiting > 0 && (
        <span class="v v-ask">
          <Icon name="wait" />
          {tn("panel_waiting", waiting)}
        </span>
      )}
      {unknown > 0 && <Verdict mark="unknown" word={tn("panel_unknown", unknown)} />}
      {hidden > 0 && (
        <span>
          {tn("panel_hidden", hidden)}{" "}
          <button type="button" onClick={onShowAll}>
            {t("panel_show")}
          </button>
        </span>
      )}
      <span class="grow" />
      <span class="help">{t("panel_keys")}</span>
      <span aria-live="polite">{t(state === "open" ? "panel_live" : "panel_connecting")}</span>
    </footer>
  );
}
