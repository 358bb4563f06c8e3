/** The servers: a list at the start, one of them beside it. */
import type { JSX } from "preact";
import type { Pause, ServerView } from "../../bridge/control-api.ts";
import { HealthMark } from "../shared/health-mark.tsx";
import { Icon } from "../shared/icon.tsx";
import { formatNumber, t } from "../shared/text.ts";
import { When } from "../shared/when.tsx";
import { Await } from "./await.tsx";
import { Local } from "./local.tsx";
import { PageHead } from "./page-head.tsx";
import type { PageProps } from "./page-props.ts";
import { hrefOf } from "./route.ts";
import { ServerAdd } from "./server-add.tsx";
import { ServerDetail } from "./server-detail.tsx";

export function Servers({ client, route, overview, servers }: PageProps): JSX.Element {
  const count = servers.data?.servers.length ?? 0;
  if (route.chosen === "local") return <Local client={client} taken={namesOf(servers.data?.servers ?? [])} />;
  if (route.chosen === "add") return <ServerAdd client={client} taken={namesOf(servers.data?.servers ?? [])} />;
  return (
    <>
      <PageHead title={t("dash_page_servers")} note={count > 0 ? formatNumber(count) : undefined}>
        {count > 0 && (
          <a class="btn" href={hrefOf("servers", "local")}>
            <Icon name="computer" />
            {t("dash_local_from")}
          </a>
        )}
        {count > 0 && (
          <a class="btn btn-main" href={hrefOf("servers", "add")}>
            <Icon name="plus" />
            {t("dash_add_server")}
          </a>
        )}
      </PageHead>
      <Await loaded={servers}>
        {(data) => {
          const chosen = data.servers.find((one) => one.server.id === route.chosen) ?? data.servers[0];
          return chosen === undefined ? (
            <NoServer />
          ) : (
            <Split
              client={client}
              views={data.servers}
              chosen={chosen}
              pauses={overview.data?.pauses ?? []}
              onChanged={() => {
                servers.reload();
                overview.reload();
              }}
            />
          );
        }}
      </Await>
    </>
  );
}

interface SplitProps {
  readonly client: PageProps["client"];
  readonly views: readonly ServerView[];
  readonly chosen: ServerView;
  readonly pauses: readonly Pause[];
  readonly onChanged: () => void;
}

function Split({ client, views, chosen, pauses, onChanged }: SplitProps): JSX.Element {
  return (
    <div class="cols cols-md">
      <ul class="master" aria-label={t("dash_page_servers")}>
        {views.map((view) => (
          <li key={view.server.id}>
            <ServerLink
              view={view}
              current={view === chosen}
              paused={pauses.some(({ serverId }) => serverId === view.server.id)}
            />
          </li>
        ))}
      </ul>
      <ServerDetail
        key={chosen.server.id}
        client={client}
        view={chosen}
        pause={pauses.find(({ serverId }) => serverId === chosen.server.id)}
        onChanged={onChanged}
      />
    </div>
  );
}

interface ServerLinkProps {
  readonly view: ServerView;
  readonly current: boolean;
  readonly paused: boolean;
}

function ServerLink({ view, current, paused }: ServerLinkProps): JSX.Element {
  const { server, health, pins } = view;
  const changed = pins.some((pin) => pin.pending !== undefined);
  return (
    <a class="pick" href={hrefOf("servers", server.id)} {...(current ? { "aria-current": "true" as const } : {})}>
      <HealthMark health={health} held={server.enabled ? undefined : t("dash_health_off")} />
      <b class="pick-name cut">{server.name}</b>
      <span class="pick-when">{health.state !== "unknown" && <When at={health.at} />}</span>
      <span class="pick-sub">
        {server.enabled ? t(`dash_trust_short_${server.trust}`) : t("dash_server_off")}
        {paused && <span class="tag">{t("dash_server_paused")}</span>}
        {server.enabled && health.state === "failing" && <span class="bad">{t("dash_not_reached")}</span>}
        {changed && <span class="tag tag-new">{t("dash_tool_changed")}</span>}
      </span>
    </a>
  );
}

function NoServer(): JSX.Element {
  return (
    <div class="empty">
      <Icon name="plug" />
      <h2>{t("dash_no_server")}</h2>
      <p>{t("dash_no_server_text")}</p>
      <div class="acts">
        <a class="btn btn-main" href={hrefOf("servers", "add")}>
          <Icon name="plus" />
          {t("dash_add_server")}
        </a>
        <a class="btn" href={hrefOf("servers", "local")}>
          <Icon name="computer" />
          {t("dash_local_from")}
        </a>
      </div>
    </div>
  );
}

function namesOf(views: readonly ServerView[]): readonly string[] {
  return views.map((view) => view.server.name);
}
