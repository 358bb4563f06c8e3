/** What this site may do without being asked again: searched, read, and taken back here. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { SiteView } from "../../bridge/control-api.ts";
import { fits, parseFilter } from "../shared/filter.ts";
import { grantReach, grantRow, grantUntil, grantUses } from "../shared/grant-words.tsx";
import { Said } from "../shared/said.tsx";
import { t, tn, tx } from "../shared/text.ts";
import type { Act } from "./act.ts";

interface Props {
  readonly view: SiteView;
  readonly act: Act;
}

/** So many fit without a search. */
const FEW = 4;

export function Grants({ view, act }: Props): JSX.Element | null {
  const [filter, setFilter] = useState("");
  const { grants, serverNames } = view;
  if (grants.length === 0) return null;
  const terms = parseFilter(filter, ["server", "tool", "scope"]);
  const shown = grants.filter((one) => fits(grantRow(one, serverNames[one.grant.serverId] ?? ""), terms));
  return (
    <section class="p-sec" aria-labelledby="grants">
      <header>
        <h2 id="grants">{t("popup_grants")}</h2>
      </header>
      {grants.length > FEW && (
        <div class="p-find">
          <input
            type="search"
            class="in in-s"
            aria-label={t("popup_grants_find")}
            placeholder={t("popup_grants_find")}
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </div>
      )}
      <ul>
        {shown.map((one) => (
          <li key={one.grant.id} class="item p-grant">
            <span class="grow">
              {tx("popup_grant", <Said text={one.grant.tool} />, <b>{serverNames[one.grant.serverId] ?? ""}</b>)}
              {one.suspended && <span class="tag tag-new">{t("shared_grant_suspended")}</span>}
              <small class="block faint">
                {grantReach(one)}, {t("shared_grant_until", grantUntil(one))}, {grantUses(one)}
              </small>
              {one.pattern !== undefined && <Said text={one.pattern} />}
            </span>
            <button type="button" class="btn btn-s" onClick={() => void act("grant.revoke", { id: one.grant.id })}>
              {t("shared_grant_revoke")}
              <span class="vh"> {one.grant.tool}</span>
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="p-hint">{tn("popup_grants_hidden", grants.length)}</p>}
    </section>
  );
}
