/** One server: how it does, how far it is trusted, what it offers, who uses it. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Pause, ServerView } from "../../bridge/control-api.ts";
import type { Health, ServerEntry } from "../../core/servers/server.ts";
import { localEntry } from "../../core/servers/url.ts";
import type { ControlClient } from "../../platform/door.ts";
import { type Act, useAct } from "../shared/act.ts";
import { Icon } from "../shared/icon.tsx";
import { PauseFor } from "../shared/pause-for.tsx";
import { Site } from "../shared/site.tsx";
import { t, tn } from "../shared/text.ts";
import { duration } from "../shared/time.ts";
import { When } from "../shared/when.tsx";
import { ChangedTools } from "./changed-tools.tsx";
import { Confirm } from "./confirm.tsx";
import { LocalLog } from "./local-log.tsx";
import { Problem } from "./problem.tsx";
import { hrefOf } from "./route.ts";
import { ServerFacts } from "./server-facts.tsx";
import { ServerTools } from "./server-tools.tsx";

interface ServerDetailProps {
  readonly client: ControlClient;
  readonly view: ServerView;
  /** Of this server alone. */
  readonly pause: Pause | undefined;
  readonly onChanged: () => void;
}

export function ServerDetail({ client, view, pause, onChanged }: ServerDetailProps): JSX.Element {
  const act = useAct(onChanged);
  const tested = useSignal<Health | undefined>(undefined);
  const { server } = view;
  const entryName = localEntry(server);
  const test = () =>
    act.run(async () => {
      tested.value = (await client.call("server.test", { id: server.id })).health;
    });
  const hideOrigin = () =>
    act.run(async () => {
      await client.call("server.update", { id: server.id, hideOrigin: true });
      tested.value = (await client.call("server.test", { id: server.id })).health;
    });
  return (
    <section class="detail" aria-label={server.name}>
      <Head client={client} view={view} pause={pause} act={act} onTest={test} />
      <Problem act={act} />
      <ServerFacts client={client} view={view} act={act} />
      <p class="hint facts-note">{t(`dash_trust_text_${server.trust}`)}</p>
      <p class="hint facts-note">{t(`dash_questions_text_${server.questions ?? "agent"}`)}</p>
      <div aria-live="polite">
        {tested.value !== undefined && <TestResult health={tested.value} server={server} onHideOrigin={hideOrigin} />}
      </div>
      {view.health.state === "failing" && tested.value === undefined && (
        <TestResult health={view.health} server={server} onHideOrigin={hideOrigin} />
      )}
      <ChangedTools client={client} pins={view.pins} onChanged={onChanged} />
      <ServerTools view={view} />
      {entryName !== undefined && (
        <section class="sec">
          <h2>{t("dash_local_log")}</h2>
          <LocalLog client={client} name={entryName} />
        </section>
      )}
      <Users view={view} />
    </section>
  );
}

interface HeadProps {
  readonly client: ControlClient;
  readonly view: ServerView;
  readonly pause: Pause | undefined;
  readonly act: Act;
  readonly onTest: () => void;
}

function Head({ client, view, pause, act, onTest }: HeadProps): JSX.Element {
  const removing = useSignal(false);
  const { server } = view;
  const remove = async () => {
    removing.value = false;
    const done = await act.run(() => client.call("server.remove", { id: server.id }));
    if (done) location.hash = hrefOf("servers");
  };
  return (
    <header class="detail-head">
      <div class="grow">
        <h2 class="detail-name">{server.name}</h2>
        <p class="address">{server.url}</p>
      </div>
      <PauseFor
        name={server.name}
        pause={pause}
        busy={act.busy}
        onSet={(next) =>
          act.run(() => client.call("pause.set", { pause: next, scope: { kind: "server", serverId: server.id } }))
        }
      />
      <button type="button" class="btn" disabled={act.busy} onClick={onTest}>
        <Icon name="refresh" />
        {t(act.busy ? "dash_testing" : "dash_test")}
      </button>
      <button
        type="button"
        class="btn btn-danger"
        data-act="remove"
        disabled={act.busy}
        onClick={() => {
          removing.value = true;
        }}
      >
        <Icon name="trash" />
        {t("dash_remove")}
      </button>
      {removing.value && (
        <Confirm
          title={t("dash_remove_title", server.name)}
          act={t("dash_remove")}
          onConfirm={remove}
          onCancel={() => {
            removing.value = false;
          }}
        >
          <p>{tn("dash_remove_text", view.connections.length)}</p>
        </Confirm>
      )}
    </header>
  );
}

interface TestResultProps {
  readonly health: Health;
  readonly server: ServerEntry;
  readonly onHideOrigin: () => void;
}

function TestResult({ health, server, onHideOrigin }: TestResultProps): JSX.Element | null {
  if (health.state === "unknown") return null;
  if (health.state === "failing") {
    return (
      <div class="banner" data-v="deny">
        <Icon name="deny" />
        <div>
          <b>{t("dash_not_reached_head")}</b>
          <p>{health.problem}</p>
          {health.hint === "origin" && server.hideOrigin !== true && (
            <button type="button" class="btn btn-s" data-act="hide-origin" onClick={onHideOrigin}>
              {t("dash_origin_leave_out")}
            </button>
          )}
        </div>
        <span class="faint">
          <When at={health.at} />
        </span>
      </div>
    );
  }
  return (
    <div class="banner banner-whole">
      <Icon name="allow" />
      <div>
        <b>{t("dash_test_ok", duration(health.ms))}</b> <span class="dim">{health.revision}</span>
      </div>
      <span class="faint">
        <When at={health.at} />
      </span>
    </div>
  );
}

function Users({ view }: { readonly view: ServerView }): JSX.Element {
  return (
    <section class="sec">
      <h2>{t("dash_used_by")}</h2>
      {view.connections.length === 0 ? (
        <p class="dim">{t("dash_used_by_none")}</p>
      ) : (
        <ul class="lines">
          {view.connections.map((connection) => (
            <li key={`${connection.principal.origin} ${connection.principal.topSite}`} class="row">
              <b class="medium">
                <Site principal={connection.principal} />
              </b>
              <span class="faint">{tn("dash_tools", connection.tools.length)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
