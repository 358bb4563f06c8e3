/** The first page: what waits for the person, what was just denied, and what happened. */
import type { JSX } from "preact";
import type { OverviewView } from "../../bridge/control-api.ts";
import { Icon } from "../shared/icon.tsx";
import { ManagedBanner } from "../shared/managed.tsx";
import { t } from "../shared/text.ts";
import { clockTime } from "../shared/time.ts";
import { Await } from "./await.tsx";
import { ConnectionSummary } from "./connection-summary.tsx";
import { GrantSummary } from "./grant-summary.tsx";
import { PageHead } from "./page-head.tsx";
import type { PageProps } from "./page-props.ts";
import { RecentCalls } from "./recent-calls.tsx";
import { hrefOf } from "./route.ts";
import { Todo } from "./todo.tsx";

export function Overview(props: PageProps): JSX.Element {
  const { overview } = props;
  return (
    <>
      <PageHead title={t("dash_page_overview")} note={overview.data && headline(overview.data)} />
      <Await loaded={overview}>
        {(data) => (
          <>
            <div class="body">
              {data.trouble !== undefined && <Trouble text={data.trouble} />}
              {data.managed.state === "unreadable" && <ManagedBanner managed={data.managed} />}
              {data.pause && <Paused pause={data.pause} />}
              <Todo client={props.client} view={data} servers={props.servers} onChanged={overview.reload} />
              {data.servers > 0 && <Sections {...props} view={data} />}
            </div>
            {data.servers === 0 && <FirstServer />}
          </>
        )}
      </Await>
    </>
  );
}

function Sections({ view, ...props }: PageProps & { readonly view: OverviewView }): JSX.Element {
  return (
    <>
      <RecentCalls calls={view.calls} />
      <div class="cols cols-21">
        <ConnectionSummary connections={view.connections} servers={props.servers} />
        <GrantSummary grants={view.grants} />
      </div>
    </>
  );
}

function headline(view: OverviewView): string {
  if (view.pause) return t("dash_head_paused");
  if (view.managed.state === "unreadable") return t("shared_on_closed");
  if (view.approvals.length > 0) return t("dash_head_waits");
  return view.servers === 0 ? t("dash_head_none") : t("dash_head_on");
}

function Trouble({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="banner" data-v="deny" role="alert">
      <Icon name="deny" />
      <div>
        <b>{t("dash_trouble")}</b>
        <p>{text}</p>
      </div>
    </div>
  );
}

function Paused({ pause }: { readonly pause: NonNullable<OverviewView["pause"]> }): JSX.Element {
  return (
    <div class="banner" data-v="off">
      <Icon name="pause" />
      <div>
        <b>{t("dash_paused")}</b>{" "}
        <span class="dim">
          {pause.until === null ? t("dash_paused_open") : t("dash_paused_until", clockTime(pause.until, Date.now()))}
        </span>
      </div>
    </div>
  );
}

function FirstServer(): JSX.Element {
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
        <a class="btn" href={hrefOf("about")}>
          {t("dash_what_it_sees")}
        </a>
      </div>
    </div>
  );
}
