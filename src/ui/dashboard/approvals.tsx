/** What the person has allowed for longer, what is paused, and how often they are asked. */
import type { JSX } from "preact";
import type { OverviewView, Pause } from "../../bridge/control-api.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { useData } from "../shared/ask.ts";
import { pausedWords } from "../shared/pause-for.tsx";
import { siteName } from "../shared/site.tsx";
import { t } from "../shared/text.ts";
import { Annoyance } from "./annoyance.tsx";
import { Await } from "./await.tsx";
import { Grants } from "./grants.tsx";
import { PageHead } from "./page-head.tsx";
import { type PageProps, serverName } from "./page-props.ts";
import { Problem } from "./problem.tsx";
import { Todo } from "./todo.tsx";

export function Approvals(props: PageProps): JSX.Element {
  const { client, overview, servers } = props;
  const grants = useData(client, "grants.read", null, ["connections", "pins", "servers", "records"]);
  const asks = useData(client, "asks.read", null, ["records"]);
  return (
    <>
      <PageHead title={t("dash_page_approvals")} note={t("dash_approvals_note")} />
      <Await loaded={overview}>
        {(view) => (
          <div class="body">
            <Todo client={client} view={view} servers={servers} onChanged={overview.reload} />
            <Pauses client={client} view={view} servers={servers} onChanged={overview.reload} />
            <Await loaded={grants}>
              {(data) => <Grants client={client} grants={data.grants} servers={servers} onChanged={grants.reload} />}
            </Await>
            <Await loaded={asks}>{(data) => <Annoyance client={client} view={data} servers={servers} />}</Await>
          </div>
        )}
      </Await>
    </>
  );
}

interface PausesProps {
  readonly client: ControlClient;
  readonly view: OverviewView;
  readonly servers: PageProps["servers"];
  readonly onChanged: () => void;
}

function Pauses({ client, view, servers, onChanged }: PausesProps): JSX.Element | null {
  const act = useAct(onChanged);
  if (view.pauses.length === 0) return null;
  const nameOf = ({ site, serverId }: Pause): string =>
    site === undefined ? serverName(servers, serverId ?? "") : siteName(site);
  const end = ({ site, serverId }: Pause) =>
    client.call("pause.set", {
      pause: null,
      scope: site === undefined ? { kind: "server", serverId: serverId ?? "" } : { kind: "site", site },
    });
  return (
    <section class="sec">
      <h2>{t("dash_pauses")}</h2>
      <Problem act={act} />
      <ul class="lines">
        {view.pauses.map((pause) => (
          <li key={`${pause.site} ${pause.serverId}`} class="row">
            <div class="grow">
              <b>{nameOf(pause)}</b> <span class="faint">{pausedWords(pause)}</span>
            </div>
            <button type="button" class="btn btn-s" disabled={act.busy} onClick={() => act.run(() => end(pause))}>
              {t("shared_pause_end")}
              <span class="vh"> {nameOf(pause)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
