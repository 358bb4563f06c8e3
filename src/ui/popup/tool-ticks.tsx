/** The tools of one server, ticked for this site or not. A connected server's ticks count at once. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { SiteServerView, ToolView } from "../../bridge/control-api.ts";
import type { Principal } from "../../core/principal.ts";
import { openDashboard } from "../../platform/pages.ts";
import { Icon } from "../shared/icon.tsx";
import { Said } from "../shared/said.tsx";
import { t, tn } from "../shared/text.ts";
import { TOOL_CLASSES, ToolVerb } from "../shared/tool-class.tsx";
import { Verdict } from "../shared/verdict.tsx";
import type { Act } from "./act.ts";

interface Props {
  readonly server: SiteServerView;
  readonly principal: Principal;
  readonly act: Act;
}

export function ToolTicks({ server, principal, act }: Props): JSX.Element {
  const { id: serverId, connected, tools } = server;
  // Before connecting, the ticks are a proposal that only "Connect" sends.
  const [proposal, setProposal] = useState<ReadonlySet<string>>(() => new Set(tools.map(({ name }) => name)));
  // What was just ticked and is on its way, so that a quick second tick does not undo the first.
  const [sent, setSent] = useState<ReadonlyMap<string, boolean>>(() => new Map());
  const isTicked = ({ name, ticked }: ToolView) => (connected ? (sent.get(name) ?? ticked) : proposal.has(name));

  const tick = async (name: string, on: boolean) => {
    const names = tools.filter((tool) => (tool.name === name ? on : isTicked(tool))).map((tool) => tool.name);
    if (!connected) return setProposal(new Set(names));
    setSent(new Map(sent).set(name, on));
    if ((await act("site.connect", { principal, serverId, tools: names })) === undefined) setSent(new Map());
  };

  if (tools.length === 0) return <NoTools connected={connected} onDisconnect={() => void disconnect()} />;
  const sorted = TOOL_CLASSES.flatMap((of) => tools.filter((tool) => tool.class === of));
  return (
    <>
      <ul>
        {sorted.map((tool) => (
          <ToolRow
            key={tool.name}
            tool={tool}
            connected={connected}
            ticked={isTicked(tool)}
            onTick={(on) => void tick(tool.name, on)}
          />
        ))}
      </ul>
      <div class="p-acts">
        {connected ? (
          <button type="button" class="btn btn-s btn-danger" onClick={() => void disconnect()}>
            <Icon name="unlink" />
            {t("popup_disconnect")}
          </button>
        ) : (
          <button
            type="button"
            class="btn btn-s btn-main"
            disabled={proposal.size === 0}
            onClick={() => void act("site.connect", { principal, serverId, tools: [...proposal] })}
          >
            <Icon name="link" />
            {tn("popup_connect", proposal.size)}
          </button>
        )}
        <span class="faint">{t(connected ? "popup_ticks_count" : "popup_every_script")}</span>
      </div>
    </>
  );

  function disconnect() {
    return act("site.disconnect", { principal, serverId });
  }
}

interface RowProps {
  readonly tool: ToolView;
  readonly connected: boolean;
  readonly ticked: boolean;
  readonly onTick: (on: boolean) => void;
}

function ToolRow({ tool, connected, ticked, onTick }: RowProps): JSX.Element {
  return (
    <li>
      <label class="check">
        <input type="checkbox" checked={ticked} onChange={(event) => onTick(event.currentTarget.checked)} />
        <span class="grow">
          <Said text={tool.name} />
          {connected && ticked && tool.pin === "approved" && <span class="p-why">{tool.why}</span>}
        </span>
      </label>
      <ToolState tool={tool} connected={connected} ticked={ticked} />
    </li>
  );
}

/** What a tool does is known once a person has approved its definition; that happens when it is connected. */
function ToolState({ tool, connected, ticked }: Omit<RowProps, "onTick">): JSX.Element | null {
  if (tool.pin === "changed") {
    return (
      <button type="button" class="btn btn-s" onClick={() => void openDashboard()}>
        {t("popup_changed_look")}
      </button>
    );
  }
  if (tool.pin === "new") return connected ? <span class="tag tag-new">{t("popup_new_tool")}</span> : null;
  return (
    <>
      <ToolVerb of={tool.class} />
      <Verdict mark={ticked ? tool.verdict : "off"} />
    </>
  );
}

interface NoToolsProps {
  readonly connected: boolean;
  readonly onDisconnect: () => void;
}

function NoTools({ connected, onDisconnect }: NoToolsProps): JSX.Element {
  return (
    <div class="p-acts">
      <span class="dim grow">{t("popup_no_tools")}</span>
      <button type="button" class="btn btn-s" onClick={connected ? onDisconnect : () => void openDashboard()}>
        {t(connected ? "popup_disconnect" : "popup_dashboard")}
      </button>
    </div>
  );
}
