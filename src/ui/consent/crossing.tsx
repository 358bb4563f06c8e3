/** Who, the gate, what: a site on the start side, a server on the end side, navra in between. */
import type { ComponentChildren, JSX } from "preact";
import { isEmbedded, type Principal } from "../../core/principal.ts";
import { Icon } from "../shared/icon.tsx";
import { siteName } from "../shared/site.tsx";
import { t, tx } from "../shared/text.ts";

interface Props {
  readonly look: "ask" | "off";
  /** Which end it would reach. */
  readonly towards?: "server" | "site";
  readonly principal: Principal;
  readonly server: ComponentChildren;
  readonly serverNote: ComponentChildren;
}

export function Crossing({ look, towards = "server", principal, server, serverNote }: Props): JSX.Element {
  return (
    <div class="crossing" data-v={look} data-towards={towards}>
      <div class="end">
        <b title={principal.origin}>
          <bdi>{siteName(principal.origin)}</bdi>
        </b>
        <small>
          {isEmbedded(principal)
            ? tx("consent_embedded", <bdi title={principal.topSite}>{siteName(principal.topSite)}</bdi>)
            : t("consent_main_page")}
        </small>
      </div>
      <span class={towards === "site" ? "way out" : "way"} />
      <span class="gate">
        <Icon name={look === "ask" ? "gateask" : "gate"} />
      </span>
      <span class={towards === "site" ? "way" : "way out"} />
      <div class="end">
        <b>{server}</b>
        <small>{serverNote}</small>
      </div>
    </div>
  );
}
