/** What was done to the rules, newest first, each with a way back. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { useData } from "../shared/ask.ts";
import { changeWords, ruleWords } from "../shared/change-words.ts";
import { Icon } from "../shared/icon.tsx";
import { t } from "../shared/text.ts";
import { When } from "../shared/when.tsx";
import { Problem } from "./problem.tsx";

interface RuleHistoryProps {
  readonly client: ControlClient;
  readonly serverNames: Readonly<Record<string, string>>;
  readonly onChanged: () => void;
}

const FEW = 5;

export function RuleHistory({ client, serverNames, onChanged }: RuleHistoryProps): JSX.Element | null {
  const act = useAct(onChanged);
  const all = useSignal(false);
  const events = useData(client, "rules.history", null, ["rules"]).data?.events ?? [];
  if (events.length === 0) return null;
  const undo = (id: string) =>
    act.run(async () => {
      const { state } = await client.call("rules.undo", { id });
      if (state !== "done") throw new Error(t(`dash_undo_${state}`));
    });
  return (
    <section class="sec" aria-labelledby="rules-history">
      <header class="sec-head">
        <h2 id="rules-history">{t("dash_history")}</h2>
      </header>
      <Problem act={act} />
      <ul class="history">
        {events.slice(0, all.value ? events.length : FEW).map((event) => (
          <li key={event.id} class="row">
            <span class="grow">
              {changeWords(event, serverNames)}
              {event.changes.length > 1 && (
                <small>
                  {event.changes
                    .slice(0, FEW)
                    .map((change) => ruleWords(change, serverNames))
                    .join("; ")}
                </small>
              )}
            </span>
            <span class="faint">
              <When at={event.at} />
            </span>
            <button type="button" class="btn btn-s" data-act="undo" disabled={act.busy} onClick={() => undo(event.id)}>
              <Icon name="undo" />
              {t("dash_undo")}
              <span class="vh"> {changeWords(event, serverNames)}</span>
            </button>
          </li>
        ))}
      </ul>
      {!all.value && events.length > FEW && (
        <button type="button" class="btn btn-quiet btn-s" onClick={() => (all.value = true)}>
          {t("dash_history_all", events.length)}
        </button>
      )}
    </section>
  );
}
