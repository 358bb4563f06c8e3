/** This site's servers: connected or not, and which of their tools the site gets. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Pause, SiteServerView, SiteView } from "../../bridge/control-api.ts";
import type { Principal } from "../../core/principal.ts";
import { openDashboard } from "../../platform/pages.ts";
import { HealthMark } from "../shared/health-mark.tsx";
import { Icon } from "../shared/icon.tsx";
import { PauseFor, pausedWords } from "../shared/pause-for.tsx";
import { formatNumber, t } from "../shared/text.ts";
import type { Act } from "./act.ts";
import { ToolTicks } from "./tool-ticks.tsx";

interface Props {
  readonly view: SiteView;
  readonly principal: Principal;
  readonly act: Act;
}

export function Servers({ view, principal, act }: Props): JSX.Element {
  const { servers } = view;
  const some = servers.some(({ connected }) => connected);
  return (
    <section class="p-sec" aria-labelledby="servers">
      <header>
        <h2 id="servers">{t("popup_servers")}</h2>
        {servers.length > 0 && (
          <button type="button" class="btn btn-quiet btn-s" onClick={() => void openDashboard()}>
            <Icon name="plus" />
            {t("popup_add_server")}
          </button>
        )}
      </header>
      {!some && servers.length > 0 && <p class="p-hint">{t("popup_none_connected")}</p>}
      <ul>
        {servers.map((server) => (
          <ServerRow
            key={server.id}
            server={server}
            principal={principal}
            act={act}
            held={view.pause !== null}
            pause={view.pauses.find(({ serverId }) => serverId === server.id)}
          />
        ))}
      </ul>
      {servers.length === 0 && (
        <div class="empty p-empty">
          <Icon name="plug" />
          <h3>{t("popup_no_servers")}</h3>
          <p>{t("popup_no_servers_more")}</p>
          <button type="button" class="btn btn-main" onClick={() => void openDashboard()}>
            {t("popup_add_first")}
          </button>
        </div>
      )}
    </section>
  );
}

interface RowProps {
  readonly server: SiteServerView;
  readonly principal: Principal;
  readonly act: Act;
  readonly held: boolean;
  /** Of this server alone. */
  readonly pause: Pause | undefined;
}

function ServerRow({ server, principal, act, held, pause }: RowProps): JSX.Element {
  const [open, setOpen] = useState(false);
  const changed = server.tools.filter(({ pin }) => pin === "changed").length;
  const shut = coverageWords(server);
  const id = `server-${server.id}`;
  return (
    <li>
      <button type="button" class="item p-open" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <HealthMark health={server.health} held={held || pause !== undefined ? t("popup_held") : undefined} />
        <span class="grow">
          <b class="cut">{server.name}</b>
          <span class="sub">
            <span>{pause ? pausedWords(pause) : serverWords(server)}</span>
            {server.health.state === "failing" && <span class="bad">{t("popup_failing")}</span>}
            {shut && <span class="bad">{shut}</span>}
            {changed > 0 && <span class="tag tag-new">{t("popup_changed_tool")}</span>}
          </span>
        </span>
        <Icon name={open ? "up" : "down"} />
      </button>
      <div id={id} class="p-tools" hidden={!open}>
        {open && (
          <>
            <ToolTicks server={server} principal={principal} act={act} />
            <div class="p-acts">
              <PauseFor
                name={server.name}
                pause={pause}
                busy={false}
                onSet={(next) => void act("pause.set", { pause: next, scope: { kind: "server", serverId: server.id } })}
              />
            </div>
          </>
        )}
      </div>
    </li>
  );
}

/** Said only when the policy leaves a connected site none of its tools. */
function coverageWords({ connected, tools }: SiteServerView): string | undefined {
  const ticked = tools.filter((tool) => tool.ticked);
  if (!connected || ticked.length === 0 || ticked.some(({ verdict }) => verdict !== "deny")) return undefined;
  return t("popup_none_covered", formatNumber(ticked.length), ticked[0]?.why ?? "");
}

function serverWords({ connected, tools }: SiteServerView): string {
  if (!connected) return t("popup_not_connected");
  const ticked = tools.filter((tool) => tool.ticked).length;
  return t("popup_tools_of", formatNumber(ticked), formatNumber(tools.length));
}
