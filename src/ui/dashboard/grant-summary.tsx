/** On the first page: how much the person has allowed for longer, and where to look at it. */
import type { JSX } from "preact";
import type { Grant } from "../../core/consent/approval.ts";
import { t, tn } from "../shared/text.ts";
import { hrefOf } from "./route.ts";

export function GrantSummary({ grants }: { readonly grants: readonly Grant[] }): JSX.Element {
  return (
    <section class="sec">
      <h2>{t("dash_grants")}</h2>
      {grants.length === 0 ? (
        <p class="dim">{t("dash_no_grant")}</p>
      ) : (
        <p>
          {tn("dash_grant_count", grants.length)} <a href={hrefOf("approvals")}>{t("dash_grants_all")}</a>
        </p>
      )}
    </section>
  );
}
