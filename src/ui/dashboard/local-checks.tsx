/** What `navra-host doctor` finds, with the remedy of each thing that is wrong. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Check } from "../../bridge/native.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { Icon } from "../shared/icon.tsx";
import { t } from "../shared/text.ts";
import { Problem } from "./problem.tsx";

export function LocalChecks({ client }: { readonly client: ControlClient }): JSX.Element {
  const act = useAct();
  const checks = useSignal<readonly Check[]>([]);
  const run = () =>
    act.run(async () => {
      checks.value = (await client.call("local-checks.read", null)).checks;
    });
  return (
    <section class="sec">
      <div class="sec-head">
        <h2>{t("dash_local_checks")}</h2>
        <span class="grow" />
        <button type="button" class="btn btn-s" data-act="check-all" disabled={act.busy} onClick={run}>
          <Icon name="refresh" />
          {t("dash_local_check_all")}
        </button>
      </div>
      <Problem act={act} />
      <ul class="lines">
        {checks.value.map((check) => (
          <li key={check.what} class="row">
            <span class="health" data-h={check.ok ? "ok" : "down"}>
              <Icon
                name={check.ok ? "ok" : "close"}
                label={t(check.ok ? "dash_local_check_ok" : "dash_local_check_bad")}
              />
            </span>
            <div class="grow">
              {check.what} <span class="dim">{check.found}</span>
              {check.remedy !== undefined && <p class="address">{check.remedy}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
