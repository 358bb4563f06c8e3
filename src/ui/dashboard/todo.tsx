/** What waits for the person: calls and connections to answer, tools that changed. */
import { useSignal } from "@preact/signals";
import type { ComponentChild, JSX } from "preact";
import { useId } from "preact/hooks";
import type { OverviewView } from "../../bridge/control-api.ts";
import type { Approval } from "../../core/consent/approval.ts";
import { SERVER_METHODS } from "../../core/mcp/methods.ts";
import type { Pin } from "../../core/pins/pin.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { Icon } from "../shared/icon.tsx";
import { Said } from "../shared/said.tsx";
import { Site } from "../shared/site.tsx";
import { t, tx } from "../shared/text.ts";
import { countdown } from "../shared/time.ts";
import { useNow, When } from "../shared/when.tsx";
import { ChangedTool } from "./changed-tool.tsx";
import { type PageProps, serverName } from "./page-props.ts";
import { Problem } from "./problem.tsx";

interface TodoProps {
  readonly client: ControlClient;
  readonly view: OverviewView;
  readonly servers: PageProps["servers"];
  readonly onChanged: () => void;
}

export function Todo({ client, view, servers, onChanged }: TodoProps): JSX.Element | null {
  const act = useAct(onChanged);
  if (view.approvals.length + view.changedTools.length === 0) return null;
  return (
    <section aria-label={t("dash_todo")}>
      <Problem act={act} />
      <ul class="todo">
        {view.approvals.map((approval) => (
          <WaitingApproval
            key={approval.id}
            approval={approval}
            onLook={() => act.run(() => client.call("approval.open", { id: approval.id }))}
          />
        ))}
        {view.changedTools.map((pin) => (
          <ChangedLine
            key={`${pin.serverId} ${pin.tool}`}
            client={client}
            pin={pin}
            servers={servers}
            onChanged={onChanged}
          />
        ))}
      </ul>
    </section>
  );
}

interface WaitingApprovalProps {
  readonly approval: Approval;
  readonly onLook: () => void;
}

function WaitingApproval({ approval, onLook }: WaitingApprovalProps): JSX.Element {
  const now = useNow(1000);
  const id = useId();
  return (
    <li>
      <div class="todo-line">
        <Icon name="ask" />
        <div>
          <b id={id}>{wish(approval)}</b>
          <p>{why(approval)}</p>
        </div>
        <span class="faint nowrap">{t("dash_left", countdown(approval.expiresAt, now))}</span>
        <button type="button" class="btn" aria-describedby={id} onClick={onLook}>
          {t("dash_look")}
        </button>
      </div>
    </li>
  );
}

function why(approval: Approval): string {
  if (approval.kind === "call" || approval.kind === "reply") return approval.reasons.join(" ");
  return t(approval.kind === "question" ? "dash_question_text" : "dash_connect_text");
}

function wish(approval: Approval): ComponentChild {
  const site = <Site principal={approval.principal} />;
  if (approval.kind === "question") return tx("dash_wants_you", site, approval.serverName);
  if (approval.kind === "call" && SERVER_METHODS.has(approval.method))
    return tx("dash_wants_agent", site, approval.serverName);
  if (approval.kind === "call") return tx(`dash_wants_${approval.class}`, site, approval.serverName);
  if (approval.kind === "reply")
    return approval.direction === "out"
      ? tx("dash_wants_release", approval.serverName, site)
      : tx("dash_wants_release", site, approval.serverName);
  const [first] = approval.servers;
  return approval.servers.length === 1 && first !== undefined
    ? tx("dash_wants_server", site, first.name)
    : tx("dash_wants_servers", site, approval.servers.length);
}

interface ChangedLineProps {
  readonly client: ControlClient;
  readonly pin: Pin;
  readonly servers: PageProps["servers"];
  readonly onChanged: () => void;
}

function ChangedLine({ client, pin, servers, onChanged }: ChangedLineProps): JSX.Element {
  const open = useSignal(false);
  return (
    <li>
      <div class="todo-line">
        <Icon name="edit" />
        <div>
          <b>{tx("dash_changed", serverName(servers, pin.serverId), <Said text={pin.tool} />)}</b>
          <p>{t("dash_changed_text")}</p>
        </div>
        <span class="faint nowrap">{pin.pendingSince !== undefined && <When at={pin.pendingSince} />}</span>
        <button
          type="button"
          class="btn"
          aria-expanded={open.value}
          onClick={() => {
            open.value = !open.value;
          }}
        >
          {t(open.value ? "dash_close" : "dash_review")}
          <span class="vh"> {pin.tool}</span>
        </button>
      </div>
      {open.value && <ChangedTool client={client} pin={pin} onChanged={onChanged} />}
    </li>
  );
}
