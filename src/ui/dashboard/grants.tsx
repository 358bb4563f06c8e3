/** Answers the person gave that still hold, each to be taken back. */
import type { JSX } from "preact";
import type { Grant } from "../../core/consent/approval.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { Said } from "../shared/said.tsx";
import { siteName } from "../shared/site.tsx";
import { t, tx } from "../shared/text.ts";
import { clockTime } from "../shared/time.ts";
import { type PageProps, serverName } from "./page-props.ts";
import { Problem } from "./problem.tsx";

interface GrantsProps {
  readonly client: ControlClient;
  readonly grants: readonly Grant[];
  readonly servers: PageProps["servers"];
  readonly onChanged: () => void;
}

export function Grants({ client, grants, servers, onChanged }: GrantsProps): JSX.Element {
  const act = useAct(onChanged);
  return (
    <section class="sec">
      <h2>{t("dash_grants")}</h2>
      <Problem act={act} />
      {grants.length === 0 ? (
        <p class="dim">{t("dash_no_grant")}</p>
      ) : (
        <ul class="lines">
          {grants.map((grant) => (
            <li key={grant.id} class="row row-top">
              <div class="grow">
                {tx("dash_grant", originOf(grant), <Said text={grant.tool} />, serverName(servers, grant.serverId))}
                <small class="faint block">{reach(grant)}</small>
              </div>
              <button
                type="button"
                class="btn btn-s"
                disabled={act.busy}
                onClick={() => act.run(() => client.call("grant.revoke", { id: grant.id }))}
              >
                {t("dash_revoke")}
                <span class="vh"> {grant.tool}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The key is the JSON text that `principalKey` makes; its first member is the origin. */
function originOf(grant: Grant): string {
  const parts: unknown = JSON.parse(grant.principalKey);
  return Array.isArray(parts) && typeof parts[0] === "string" ? siteName(parts[0]) : grant.principalKey;
}

function reach(grant: Grant): string {
  const scope = t(`dash_scope_${grant.scope}`);
  return grant.expiresAt === null ? scope : `${scope}, ${t("dash_until", clockTime(grant.expiresAt, Date.now()))}`;
}
