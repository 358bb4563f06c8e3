/** A site that wants servers: which ones, where they are, and which of their tools it gets. Nothing is connected before. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ApprovalTool, ConnectApproval } from "../../core/consent/approval.ts";
import type { ToolClass } from "../../core/servers/server.ts";
import { Icon } from "../shared/icon.tsx";
import { Said } from "../shared/said.tsx";
import { Site } from "../shared/site.tsx";
import { formatNumber, t, tn, tx } from "../shared/text.ts";
import { CLASS_ICONS, TOOL_CLASSES } from "../shared/tool-class.tsx";
import { Crossing } from "./crossing.tsx";
import { Frame, type FrameProps } from "./frame.tsx";

interface Props {
  readonly approval: ConnectApproval;
  readonly frame: FrameProps;
}

type AskedServer = ConnectApproval["servers"][number];
/** Ticked tools by server id. */
type Ticks = Readonly<Record<string, ReadonlySet<string>>>;

export function ConnectWindow({ approval, frame }: Props): JSX.Element {
  const { principal, servers } = approval;
  const [ticks, setTicks] = useState<Ticks>(() => everything(servers));
  const chosen = Object.values(ticks).reduce((sum, names) => sum + names.size, 0);
  const first = servers[0];
  const one = servers.length === 1 ? first : undefined;
  const count = formatNumber(servers.length);

  const tick = (serverId: string, names: readonly string[], on: boolean) => {
    const next = new Set(ticks[serverId]);
    for (const name of names) on ? next.add(name) : next.delete(name);
    setTicks({ ...ticks, [serverId]: next });
  };

  return (
    <Frame
      {...frame}
      approval={approval}
      title={
        one
          ? tx("consent_wants_one", <Site principal={principal} />, <bdi>{one.name}</bdi>)
          : tx("consent_wants_many", <Site principal={principal} />, count)
      }
      crossing={
        <Crossing
          look="off"
          principal={principal}
          server={one ? <bdi>{one.name}</bdi> : tn("consent_servers", servers.length)}
          serverNote={one ? <bdi>{one.host}</bdi> : t("consent_yours")}
        />
      }
      parts={Math.max(1, servers.length)}
      denyLabel={t("consent_not_now")}
      allowLabel={chosen > 0 ? tn("consent_connect", chosen) : t("consent_connect_none")}
      allow={
        chosen > 0
          ? { answer: "allow", scope: "tool", tools: toolsOf(ticks) }
          : t(servers.some(({ tools }) => tools.length > 0) ? "consent_tick_one" : "consent_no_tool")
      }
    >
      <section class="c-sec">
        <ul class="why">
          <li>
            <Icon name="warn" />
            <span>
              {tx(
                "consent_every_script",
                <b>
                  <Site principal={principal} />
                </b>,
              )}
            </span>
          </li>
        </ul>
      </section>
      {servers.map((server, part) => (
        <ServerTools key={server.id} server={server} part={part} ticked={ticks[server.id] ?? NONE} onTick={tick} />
      ))}
      {servers.length === 0 && (
        <p class="c-sec" data-part="0">
          {t("consent_no_servers")}
        </p>
      )}
    </Frame>
  );
}

const NONE: ReadonlySet<string> = new Set();

interface ServerToolsProps {
  readonly server: AskedServer;
  readonly part: number;
  readonly ticked: ReadonlySet<string>;
  readonly onTick: (serverId: string, names: readonly string[], on: boolean) => void;
}

function ServerTools({ server, part, ticked, onTick }: ServerToolsProps): JSX.Element {
  return (
    <section class="c-sec">
      <h2>
        <bdi>{server.name}</bdi> <small class="mono">{server.host}</small>
      </h2>
      {server.problem !== undefined && (
        <p class="hint hint-warn">
          <Icon name="warn" />
          <span>{server.problem}</span>
        </p>
      )}
      {TOOL_CLASSES.map((of) => {
        const tools = server.tools.filter((tool) => tool.class === of);
        if (tools.length === 0) return null;
        return (
          <ToolGroup
            key={of}
            of={of}
            serverName={server.name}
            tools={tools}
            ticked={ticked}
            onTick={(names, on) => onTick(server.id, names, on)}
          />
        );
      })}
      <i class="end-mark" data-part={part} />
    </section>
  );
}

interface ToolGroupProps {
  readonly of: ToolClass;
  readonly serverName: string;
  readonly tools: readonly ApprovalTool[];
  readonly ticked: ReadonlySet<string>;
  readonly onTick: (names: readonly string[], on: boolean) => void;
}

function ToolGroup({ of, serverName, tools, ticked, onTick }: ToolGroupProps): JSX.Element {
  const names = tools.map(({ name }) => name);
  const on = names.filter((name) => ticked.has(name)).length;
  return (
    <fieldset class="toolset">
      <legend class="vh">{t("consent_group_label", t(`shared_verb_${of}`), serverName)}</legend>
      <header>
        <label class="check">
          <input
            type="checkbox"
            checked={on === names.length}
            indeterminate={on > 0 && on < names.length}
            onChange={(event) => onTick(names, event.currentTarget.checked)}
          />
          <h3>
            <Icon name={CLASS_ICONS[of]} />
            {t(`consent_group_${of}`)}
          </h3>
        </label>
        <span class="faint">{t("consent_ticked", formatNumber(on), formatNumber(names.length))}</span>
        <span class="grow" />
        <span class="faint">{t(`consent_group_${of}_more`)}</span>
      </header>
      <ul>
        {tools.map((tool) => (
          <li key={tool.name}>
            <label class="check">
              <input
                type="checkbox"
                checked={ticked.has(tool.name)}
                onChange={(event) => onTick([tool.name], event.currentTarget.checked)}
              />
              <span>
                <Said text={tool.name} />
                {tool.description !== "" && (
                  <small class="c-words">
                    <Said text={tool.description} />
                  </small>
                )}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function everything(servers: readonly AskedServer[]): Ticks {
  return Object.fromEntries(servers.map(({ id, tools }) => [id, new Set(tools.map(({ name }) => name))]));
}

/** Servers without a ticked tool are left out, so they are not connected. */
function toolsOf(ticks: Ticks): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(ticks)
      .filter(([, names]) => names.size > 0)
      .map(([id, names]) => [id, [...names]]),
  );
}
