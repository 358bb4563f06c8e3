/** What waits for a person, oldest first, whichever site it comes from. */
import type { ComponentChild, JSX } from "preact";
import type { Approval } from "../../core/consent/approval.ts";
import { SERVER_METHODS } from "../../core/mcp/methods.ts";
import { Icon } from "../shared/icon.tsx";
import { Said } from "../shared/said.tsx";
import { Site } from "../shared/site.tsx";
import { formatNumber, t, tn, tx } from "../shared/text.ts";
import { countdown, exact } from "../shared/time.ts";
import { useNow } from "../shared/when.tsx";
import type { Act } from "./act.ts";

interface Props {
  readonly approvals: readonly Approval[];
  readonly act: Act;
}

export function Waiting({ approvals, act }: Props): JSX.Element | null {
  const now = useNow(1_000);
  const live = approvals.filter(({ expiresAt }) => expiresAt > now);
  if (live.length === 0) return null;
  return (
    <section class="p-now" aria-labelledby="waiting">
      <h2 id="waiting">
        <Icon name="ask" />
        {tn("popup_waiting", live.length)}
      </h2>
      <ul>
        {live.map((approval, index) => (
          <li key={approval.id}>
            <p id={`waits-${approval.id}`}>{approvalWords(approval)}</p>
            <div class="acts">
              <button
                type="button"
                class={index === 0 ? "btn btn-main" : "btn"}
                aria-describedby={`waits-${approval.id}`}
                onClick={() => void act("approval.open", { id: approval.id })}
              >
                {t(approval.kind === "connect" ? "popup_choose_tools" : "popup_look")}
              </button>
              <span class="grow" />
              <span class="faint" title={exact(approval.expiresAt)}>
                {t("popup_left", countdown(approval.expiresAt, now))}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function approvalWords(approval: Approval): ComponentChild {
  const site = (
    <b>
      <Site principal={approval.principal} />
    </b>
  );
  if (approval.kind === "question" || (approval.kind === "call" && SERVER_METHODS.has(approval.method))) {
    const key = approval.kind === "question" ? "popup_wants_you" : "popup_wants_agent";
    return tx(key, site, <b>{approval.serverName}</b>);
  }
  if (approval.kind === "call") {
    const server = <b>{approval.serverName}</b>;
    return tx(`popup_wants_${approval.class}`, site, server, <Said text={approval.tool} />);
  }
  if (approval.kind === "reply") {
    const server = <b>{approval.serverName}</b>;
    return approval.direction === "out"
      ? tx("popup_wants_release", server, site)
      : tx("popup_wants_release", site, server);
  }
  const [first, ...more] = approval.servers;
  if (more.length > 0) return tx("popup_wants_servers", site, formatNumber(approval.servers.length));
  return tx("popup_wants_server", site, <b>{first?.name ?? ""}</b>);
}
