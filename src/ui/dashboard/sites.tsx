/** The sites that use a server, what each may call there, and how to end it. */
import type { JSX } from "preact";
import type { Pause } from "../../bridge/control-api.ts";
import type { Connection } from "../../core/consent/approval.ts";
import { principalKey } from "../../core/principal.ts";
import type { ControlClient } from "../../platform/door.ts";
import { type Act, useAct } from "../shared/act.ts";
import { Icon } from "../shared/icon.tsx";
import { PauseFor } from "../shared/pause-for.tsx";
import { Said } from "../shared/said.tsx";
import { Site, siteName } from "../shared/site.tsx";
import { t, tn } from "../shared/text.ts";
import { When } from "../shared/when.tsx";
import { Await } from "./await.tsx";
import { PageHead } from "./page-head.tsx";
import { type PageProps, serverName } from "./page-props.ts";
import { Problem } from "./problem.tsx";

export function Sites({ client, overview, servers }: PageProps): JSX.Element {
  const act = useAct(overview.reload);
  const sites = bySite(overview.data?.connections ?? []);
  return (
    <>
      <PageHead
        title={t("dash_page_sites")}
        note={sites.length > 0 ? tn("dash_sites_note", sites.length) : undefined}
      />
      <Await loaded={overview}>
        {() =>
          sites.length === 0 ? (
            <NoSite />
          ) : (
            <div class="body">
              <Problem act={act} />
              {sites.map((connections) => (
                <OneSite
                  key={keyOf(connections)}
                  client={client}
                  connections={connections}
                  servers={servers}
                  pauses={overview.data?.pauses ?? []}
                  act={act}
                />
              ))}
            </div>
          )
        }
      </Await>
    </>
  );
}

interface OneSiteProps {
  readonly client: ControlClient;
  /** Of one principal, at least one. */
  readonly connections: readonly Connection[];
  readonly servers: PageProps["servers"];
  readonly pauses: readonly Pause[];
  readonly act: Act;
}

function OneSite({ client, connections, servers, pauses, act }: OneSiteProps): JSX.Element | null {
  const [first] = connections;
  if (first === undefined) return null;
  const { principal } = first;
  return (
    <section class="sec">
      <header class="sec-head">
        <h2>
          <Site principal={principal} />
        </h2>
        {principal.private && <span class="tag">{t("dash_private")}</span>}
        {principal.cookieStore !== "default" && <span class="tag">{t("dash_container", principal.cookieStore)}</span>}
        <span class="grow" />
        <PauseFor
          name={siteName(principal.origin)}
          pause={pauses.find(({ site }) => site === principal.origin)}
          busy={act.busy}
          onSet={(pause) =>
            act.run(() =>
              client.call("pause.set", {
                pause,
                scope: { kind: "site", site: principal.origin, private: principal.private },
              }),
            )
          }
        />
      </header>
      <table class="table table-top">
        <thead>
          <tr>
            <th scope="col">{t("dash_col_server")}</th>
            <th scope="col">{t("dash_col_may_call")}</th>
            <th scope="col" class="num">
              {t("dash_col_since")}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {connections.map((connection) => {
            const name = serverName(servers, connection.serverId);
            return (
              <tr key={connection.serverId}>
                <td class="site-server">
                  <b>{name}</b>
                </td>
                <td>
                  <ToolNames tools={connection.tools} />
                </td>
                <td class="num faint">
                  <When at={connection.connectedAt} />
                </td>
                <td class="act">
                  <button
                    type="button"
                    class="btn btn-s"
                    aria-label={t("dash_disconnect_named", siteName(principal.origin), name)}
                    disabled={act.busy}
                    onClick={() =>
                      act.run(() => client.call("site.disconnect", { principal, serverId: connection.serverId }))
                    }
                  >
                    {t("dash_disconnect")}
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function ToolNames({ tools }: { readonly tools: readonly string[] }): JSX.Element {
  if (tools.length === 0) return <span class="faint">{t("dash_no_tool_ticked")}</span>;
  return (
    <ul class="names">
      {tools.map((tool) => (
        <li key={tool}>
          <Said text={tool} />
        </li>
      ))}
    </ul>
  );
}

function NoSite(): JSX.Element {
  return (
    <div class="empty">
      <Icon name="site" />
      <h2>{t("dash_no_site")}</h2>
      <p>{t("dash_no_site_text")}</p>
    </div>
  );
}

function bySite(connections: readonly Connection[]): readonly (readonly Connection[])[] {
  const groups = new Map<string, Connection[]>();
  for (const connection of connections) {
    const key = principalKey(connection.principal);
    groups.set(key, [...(groups.get(key) ?? []), connection]);
  }
  return [...groups.values()].sort((a, b) => keyOf(a).localeCompare(keyOf(b)));
}

function keyOf(connections: readonly Connection[]): string {
  return connections[0] === undefined ? "" : principalKey(connections[0].principal);
}
