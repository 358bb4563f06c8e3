/** Which sites use which servers, in short. */
import type { JSX } from "preact";
import type { Connection } from "../../core/consent/approval.ts";
import { Site } from "../shared/site.tsx";
import { t, tn } from "../shared/text.ts";
import { When } from "../shared/when.tsx";
import { type PageProps, serverName } from "./page-props.ts";
import { hrefOf } from "./route.ts";

interface ConnectionSummaryProps {
  readonly connections: readonly Connection[];
  readonly servers: PageProps["servers"];
}

export function ConnectionSummary({ connections, servers }: ConnectionSummaryProps): JSX.Element {
  return (
    <section class="sec">
      <header class="sec-head">
        <h2>{t("dash_connections")}</h2>
        <span class="grow" />
        <a href={hrefOf("sites")}>{t("dash_all_sites")}</a>
      </header>
      {connections.length === 0 ? (
        <p class="dim">{t("dash_no_connection")}</p>
      ) : (
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t("dash_col_site")}</th>
              <th scope="col">{t("dash_col_server")}</th>
              <th scope="col" class="num">
                {t("dash_col_tools")}
              </th>
              <th scope="col" class="num">
                {t("dash_col_since")}
              </th>
            </tr>
          </thead>
          <tbody>
            {connections.map((connection) => (
              <tr key={`${connection.principal.origin} ${connection.principal.topSite} ${connection.serverId}`}>
                <td>
                  <b>
                    <Site principal={connection.principal} />
                  </b>
                </td>
                <td>{serverName(servers, connection.serverId)}</td>
                <td class="num">{tn("dash_tools", connection.tools.length)}</td>
                <td class="num faint">
                  <When at={connection.connectedAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
