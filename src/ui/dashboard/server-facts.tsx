/** What is set for one server and how it does, each in a line: what can be changed counts at once. */
import type { ComponentChildren, JSX } from "preact";
import type { ServerView } from "../../bridge/control-api.ts";
import { isLoopback } from "../../core/loopback.ts";
import type { ServerEntry } from "../../core/servers/server.ts";
import { localEntry } from "../../core/servers/url.ts";
import type { ControlClient } from "../../platform/door.ts";
import type { Act } from "../shared/act.ts";
import { Choice } from "../shared/choice.tsx";
import { HealthMark, healthWord } from "../shared/health-mark.tsx";
import { Icon } from "../shared/icon.tsx";
import { Said } from "../shared/said.tsx";
import { Switch } from "../shared/switch.tsx";
import { t } from "../shared/text.ts";
import { duration } from "../shared/time.ts";

interface ServerFactsProps {
  readonly client: ControlClient;
  readonly view: ServerView;
  readonly act: Act;
}

export function ServerFacts({ client, view, act }: ServerFactsProps): JSX.Element {
  const { server, health } = view;
  const held = server.enabled ? undefined : t("dash_health_off");
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
      <OnOff name="enabled" on={server.enabled} disabled={act.busy} onTurn={(enabled) => update({ enabled })} />
      <OnOff
        name="origin"
        on={server.hideOrigin !== true}
        disabled={act.busy}
        onTurn={(shown) => update({ hideOrigin: !shown })}
      >
        {server.hideOrigin === true && isOnThisComputer(server) && (
          <p class="hint">
            <Icon name="ask" /> {t("dash_origin_loopback")}
          </p>
        )}
      </OnOff>
      {localEntry(server) === undefined && (
        <OnOff
          name="guard"
          on={server.openToPages !== true}
          disabled={act.busy}
          onTurn={(guarded) => update({ openToPages: !guarded })}
        />
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
          <HealthMark health={health} held={held} />
          {health.state === "ok" ? (
            <span>
              {duration(health.ms)} <span class="faint">{health.revision}</span>
            </span>
          ) : (
            (held ?? healthWord(health))
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

interface OnOffProps {
  readonly name: "enabled" | "origin" | "guard";
  readonly on: boolean;
  readonly disabled: boolean;
  readonly onTurn: (on: boolean) => void;
  /** What there is to say of how it stands. */
  readonly children?: ComponentChildren;
}

function OnOff({ name, on, disabled, onTurn, children }: OnOffProps): JSX.Element {
  return (
    <div>
      <dt id={`server-${name}`}>{t(`dash_${name}`)}</dt>
      <dd>
        <Switch on={on} labelledBy={`server-${name}`} disabled={disabled} onTurn={onTurn} />
        <span class="dim">{t(`dash_${name}_${on ? "on" : "off"}`)}</span>
        {children}
      </dd>
    </div>
  );
}

function isOnThisComputer({ url }: ServerEntry): boolean {
  return isLoopback(new URL(url).hostname);
}
