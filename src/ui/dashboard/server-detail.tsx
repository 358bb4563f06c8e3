/** One server: how it does, how far it is trusted, what it offers, who uses it. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Pause, ServerView } from "../../bridge/control-api.ts";
import { isLoopback } from "../../core/loopback.ts";
import type { Health, ServerEntry } from "../../core/servers/server.ts";
import { localEntry } from "../../core/servers/url.ts";
import type { ControlClient } from "../../platform/door.ts";
import { type Act, useAct } from "../shared/act.ts";
import { Choice } from "../shared/choice.tsx";
import { Icon } from "../shared/icon.tsx";
import { PauseFor } from "../shared/pause-for.tsx";
import { Said } from "../shared/said.tsx";
import { Site } from "../shared/site.tsx";
import { t, tn } from "../shared/text.ts";
import { duration } from "../shared/time.ts";
import { When } from "../shared/when.tsx";
import { ChangedTools } from "./changed-tools.tsx";
import { Confirm } from "./confirm.tsx";
import { HealthMark } from "./health-mark.tsx";
import { LocalLog } from "./local-log.tsx";
import { Problem } from "./problem.tsx";
import { hrefOf } from "./route.ts";
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
      <Facts client={client} view={view} act={act} />
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

function Facts({ client, view, act }: Omit<HeadProps, "onTest" | "pause">): JSX.Element {
  const { server, health } = view;
  const update = (
    change: Partial<Pick<ServerEntry, "trust" | "enabled" | "hideOrigin" | "openToPages" | "questions">>,
  ) => act.run(() => client.call("server.update", { id: server.id, ...change }));
  return (
    <dl class="facts">
      <div>
        <dt>{t("dash_trust")}</dt>
        <dd>
          <Choice
            label={t("dash_trust")}
            names={["trusted", "untrusted"]}
            chosen={server.trust}
            word={(trust) => t(`dash_trust_${trust}`)}
            disabled={act.busy}
            onChoose={(trust) => update({ trust })}
          />
        </dd>
      </div>
      <div>
        <dt id="server-on">{t("dash_enabled")}</dt>
        <dd>
          <button
            type="button"
            class="switch"
            role="switch"
            aria-checked={server.enabled}
            aria-labelledby="server-on"
            disabled={act.busy}
            onClick={() => update({ enabled: !server.enabled })}
          />
          <span class="dim">{t(server.enabled ? "dash_enabled_on" : "dash_enabled_off")}</span>
        </dd>
      </div>
      <div>
        <dt id="server-origin">{t("dash_origin")}</dt>
        <dd>
          <button
            type="button"
            class="switch"
            role="switch"
            aria-checked={server.hideOrigin !== true}
            aria-labelledby="server-origin"
            disabled={act.busy}
            onClick={() => update({ hideOrigin: server.hideOrigin !== true })}
          />
          <span class="dim">{t(server.hideOrigin === true ? "dash_origin_off" : "dash_origin_on")}</span>
          {server.hideOrigin === true && isOnThisComputer(server) && (
            <p class="hint">
              <Icon name="ask" /> {t("dash_origin_loopback")}
            </p>
          )}
        </dd>
      </div>
      {localEntry(server) === undefined && (
        <div>
          <dt id="server-guard">{t("dash_guard")}</dt>
          <dd>
            <button
              type="button"
              class="switch"
              role="switch"
              aria-checked={server.openToPages !== true}
              aria-labelledby="server-guard"
              disabled={act.busy}
              onClick={() => update({ openToPages: server.openToPages !== true })}
            />
            <span class="dim">{t(server.openToPages === true ? "dash_guard_off" : "dash_guard_on")}</span>
          </dd>
        </div>
      )}
      <div>
        <dt>{t("dash_questions")}</dt>
        <dd>
          <Choice
            label={t("dash_questions")}
            names={["agent", "either", "navra"]}
            chosen={server.questions ?? "agent"}
            word={(way) => t(`dash_questions_${way}`)}
            disabled={act.busy}
            onChoose={(questions) => update({ questions })}
          />
        </dd>
      </div>
      <div>
        <dt>{t("dash_health")}</dt>
        <dd>
          <HealthMark health={health} enabled={server.enabled} />
          {health.state === "ok" ? (
            <span>
              {duration(health.ms)} <span class="faint">{health.revision}</span>
            </span>
          ) : (
            t(`dash_health_${server.enabled ? health.state : "off"}`)
          )}
        </dd>
      </div>
      {view.catalogue !== undefined && (
        <div>
          <dt>{t("dash_calls_itself")}</dt>
          <dd>
            <Said text={`${view.catalogue.serverName} ${view.catalogue.serverVersion}`.trim()} />
          </dd>
        </div>
      )}
    </dl>
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

function isOnThisComputer({ url }: ServerEntry): boolean {
  return isLoopback(new URL(url).hostname);
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
