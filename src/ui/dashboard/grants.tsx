/** Answers the person gave that still hold: every one listed, found, and taken back. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { GrantView } from "../../bridge/control-api.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { fits, parseFilter } from "../shared/filter.ts";
import { FilterBox } from "../shared/filter-box.tsx";
import { grantReach, grantRow, grantSite, grantUntil, grantUses } from "../shared/grant-words.tsx";
import { Said } from "../shared/said.tsx";
import { t, tn, tx } from "../shared/text.ts";
import { type PageProps, serverName } from "./page-props.ts";
import { Problem } from "./problem.tsx";

interface GrantsProps {
  readonly client: ControlClient;
  readonly grants: readonly GrantView[];
  readonly servers: PageProps["servers"];
  readonly onChanged: () => void;
}

export function Grants({ client, grants, servers, onChanged }: GrantsProps): JSX.Element {
  const act = useAct(onChanged);
  const [filter, setFilter] = useState("");
  const terms = parseFilter(filter, ["site", "server", "tool", "scope"]);
  const shown = grants.filter((view) => fits(grantRow(view, serverName(servers, view.grant.serverId)), terms));
  const revoke = (views: readonly GrantView[]) =>
    act.run(() => Promise.all(views.map(({ grant }) => client.call("grant.revoke", { id: grant.id }))));
  return (
    <section class="sec" aria-labelledby="grants">
      <header class="sec-head">
        <h2 id="grants">{t("dash_grants")}</h2>
        {grants.length > 0 && (
          <>
            <FilterBox label={t("dash_grants_find")} hint={t("dash_grants_find")} value={filter} onInput={setFilter} />
            <span class="grow" />
            <button
              type="button"
              class="btn btn-s btn-danger"
              disabled={act.busy || shown.length === 0}
              onClick={() => revoke(shown)}
            >
              {tn("dash_revoke_all", shown.length)}
            </button>
          </>
        )}
      </header>
      <Problem act={act} />
      {grants.length === 0 && <p class="dim">{t("dash_no_grant")}</p>}
      {grants.length > 0 && shown.length === 0 && <p class="dim">{tn("dash_grants_hidden", grants.length)}</p>}
      {shown.length > 0 && (
        <div class="table-wrap">
          <table class="table table-top">
            <thead>
              <tr>
                <th scope="col">{t("dash_col_site")}</th>
                <th scope="col">{t("dash_col_may_do")}</th>
                <th scope="col">{t("dash_col_until")}</th>
                <th scope="col">{t("dash_col_used")}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {shown.map((view) => (
                <Row
                  key={view.grant.id}
                  view={view}
                  servers={servers}
                  busy={act.busy}
                  onRevoke={() => revoke([view])}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

interface RowProps {
  readonly view: GrantView;
  readonly servers: PageProps["servers"];
  readonly busy: boolean;
  readonly onRevoke: () => void;
}

function Row({ view, servers, busy, onRevoke }: RowProps): JSX.Element {
  const { origin, topSite } = grantSite(view);
  const { tool, serverId } = view.grant;
  const own = <b>{origin}</b>;
  return (
    <tr>
      <td>{origin === topSite ? own : tx("shared_site_inside", own, topSite)}</td>
      <td>
        {tx("dash_grant_may", <Said text={tool} />, serverName(servers, serverId))}, {grantReach(view)}
        {view.suspended && " "}
        {view.suspended && <span class="tag tag-new">{t("shared_grant_suspended")}</span>}
        {view.pattern !== undefined && (
          <span class="block">
            <Said text={view.pattern} />
          </span>
        )}
      </td>
      <td>{grantUntil(view)}</td>
      <td class="faint">{grantUses(view)}</td>
      <td class="act">
        <button type="button" class="btn btn-s" disabled={busy} onClick={onRevoke}>
          {t("shared_grant_revoke")}
          <span class="vh"> {tool}</span>
        </button>
      </td>
    </tr>
  );
}
