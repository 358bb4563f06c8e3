/** Where the data of a call comes from, as far as navra knows: what the session has read, and what detectors saw in it. */
import type { JSX } from "preact";
import type { CallApproval } from "../../core/consent/approval.ts";
import { Icon } from "../shared/icon.tsx";
import { Said } from "../shared/said.tsx";
import { t, tx } from "../shared/text.ts";

export function Origins({ approval }: { readonly approval: CallApproval }): JSX.Element {
  const { labels, sources, findings } = approval;
  const secrets = findings.filter(({ kind }) => kind === "secret");
  return (
    <section class="c-sec">
      <h2>{t("consent_origins")}</h2>
      <ul class="why">
        {sources.map(({ name, trust }) => (
          <li key={name} class={trust === "untrusted" ? "warm" : ""}>
            <Icon name={trust === "untrusted" ? "outside" : "server"} />
            <span>{tx(`consent_origin_${trust}`, <b>{name}</b>)}</span>
          </li>
        ))}
        {sources.length === 0 && (
          <li>
            <Icon name="read" />
            <span>{t(labels.integrity === "trusted" ? "consent_origin_none" : "consent_origin_unknown")}</span>
          </li>
        )}
        {labels.confidentiality !== "public" && (
          <li class="warm">
            <Icon name="lock" />
            <span>{t(`consent_holds_${labels.confidentiality}`)}</span>
          </li>
        )}
        {secrets.map(({ type, path }) => (
          <li key={`${type} ${path}`} class="hot">
            <Icon name="key" />
            <span>{tx("consent_secret_in", <Said text={path.split("/")[1] ?? ""} />)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
