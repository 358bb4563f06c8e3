/** How often the person is asked, by rule and site, and what would spare them the question without giving anything up. */
import type { JSX } from "preact";
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

function Spare({ client, row }: { readonly client: ControlClient; readonly row: AnnoyanceRow }): JSX.Element {
  const act = useAct();
  const { remedy, principal } = row;
  switch (remedy.kind) {
    case "same-values":
      return (
        <>
          {tn("dash_spare_values", remedy.names.length)}{" "}
          {remedy.names.map((name) => (
            <Said key={name} text={name} />
          ))}
        </>
      );
    case "new-task":
      return (
        <>
          {t("dash_spare_task")}
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
    case "deny-rule":
    case "own-rule":
      return (
        <>
          {t(remedy.kind === "deny-rule" ? "dash_spare_deny" : "dash_spare_own")}{" "}
          <a href={hrefOf("rules")}>{t("dash_spare_rules")}</a>
        </>
      );
    case "none":
      return <span class="faint">{t("dash_spare_none")}</span>;
  }
}
