/** How often the person is asked, by rule and site, and what would spare them the question without giving anything up. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ControlResult } from "../../bridge/control-api.ts";
import type { AnnoyanceRow, Annoyance as View } from "../../core/consent/annoyance.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { Said } from "../shared/said.tsx";
import { Site, siteName } from "../shared/site.tsx";
import { formatNumber, t, tn, tx } from "../shared/text.ts";
import { type PageProps, serverName } from "./page-props.ts";
import { Problem } from "./problem.tsx";
import { hrefOf } from "./route.ts";

interface Props {
  readonly client: ControlClient;
  readonly view: View;
  readonly servers: PageProps["servers"];
}

const SHOWN = 12;

export function Annoyance({ client, view, servers }: Props): JSX.Element {
  return (
    <section class="sec" aria-labelledby="asks">
      <header class="sec-head">
        <h2 id="asks">{t("dash_asks")}</h2>
        <span class="dim">
          {view.calls === 0
            ? t("dash_asks_none")
            : t("dash_asks_rate", formatNumber(view.perHundred), formatNumber(view.calls), formatNumber(view.spared))}
        </span>
      </header>
      {view.rows.length > 0 && (
        <div class="table-wrap">
          <table class="table table-top">
            <thead>
              <tr>
                <th scope="col">{t("dash_col_site")}</th>
                <th scope="col">{t("dash_col_asked_for")}</th>
                <th scope="col" class="num">
                  {t("dash_col_asks")}
                </th>
                <th scope="col">{t("dash_col_spare")}</th>
              </tr>
            </thead>
            <tbody>
              {view.rows.slice(0, SHOWN).map((row) => (
                <tr key={JSON.stringify([row.principal, row.serverId, row.tool, row.rule])}>
                  <td>
                    <Site principal={row.principal} />
                  </td>
                  <td>
                    {tx("dash_grant_may", <Said text={row.tool} />, serverName(servers, row.serverId))}
                    <small class="faint block">{row.sentence}</small>
                  </td>
                  <td class="num">
                    {formatNumber(row.asks)}
                    <small class="faint block">
                      {t("dash_asks_split", formatNumber(row.allowed), formatNumber(row.denied))}
                    </small>
                  </td>
                  <td>
                    <Spare client={client} row={row} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

interface SpareProps {
  readonly client: ControlClient;
  readonly row: AnnoyanceRow;
}

function Spare({ client, row }: SpareProps): JSX.Element {
  const act = useAct();
  const { remedy, principal } = row;
  switch (remedy.kind) {
    case "same-values":
    case "deny-rule":
      return <Doable client={client} row={row} />;
    case "new-task":
      return (
        <>
          <p>{t("dash_spare_task")}</p>
          <Problem act={act} />
          <button
            type="button"
            class="btn btn-s"
            disabled={act.busy}
            onClick={() => act.run(() => client.call("site.new-task", { principal }))}
          >
            {t("dash_spare_task_do")}
            <span class="vh"> {siteName(principal.origin)}</span>
          </button>
        </>
      );
    case "own-rule":
      return (
        <>
          <p>{t("dash_spare_own")}</p>
          <a class="btn btn-s" href={hrefOf("rules", encodeURIComponent(row.rule))}>
            {t("dash_spare_own_do")}
          </a>
        </>
      );
    case "none":
      return <span class="faint">{t("dash_spare_none")}</span>;
  }
}

type Done = Exclude<ControlResult<"asks.spare">, { readonly problem: string }>;

/** What navra can do at once, and take back. */
function Doable({ client, row }: SpareProps): JSX.Element {
  const act = useAct();
  const done = useSignal<Done | undefined>(undefined);
  const { remedy, principal, serverId, tool, rule } = row;
  const names = remedy.kind === "same-values" ? remedy.names : [];
  const apply = () =>
    act.run(async () => {
      const made = await client.call("asks.spare", { principal, serverId, tool, rule });
      if ("problem" in made) throw new Error(made.problem);
      done.value = made;
    });
  const undo = (what: Done) =>
    act.run(async () => {
      if ("grant" in what) await client.call("grant.revoke", { id: what.grant });
      else await client.call("rule.delete", { id: what.rule });
      done.value = undefined;
    });
  const about = (
    <span class="vh">
      {" "}
      {tool}, {siteName(principal.origin)}
    </span>
  );
  return (
    <>
      <p aria-live="polite">
        {done.value !== undefined && t("grant" in done.value ? "dash_spare_values_done" : "dash_spare_deny_done")}
        {done.value === undefined && remedy.kind === "deny-rule" && t("dash_spare_deny")}
        {done.value === undefined && names.length > 0 && tn("dash_spare_values", names.length)}{" "}
        {done.value === undefined && names.map((name) => <Said key={name} text={name} />)}
      </p>
      <Problem act={act} />
      <button
        type="button"
        class="btn btn-s"
        disabled={act.busy}
        onClick={() => (done.value === undefined ? apply() : undo(done.value))}
      >
        {t(done.value !== undefined ? "dash_undo" : names.length > 0 ? "dash_spare_values_do" : "dash_spare_deny_do")}
        {about}
      </button>
    </>
  );
}
