/** What happened here since midnight, in three numbers. */
import type { JSX } from "preact";
import type { SiteView } from "../../bridge/control-api.ts";
import { formatNumber, t } from "../shared/text.ts";
import { Verdict } from "../shared/verdict.tsx";

export function Today({ counts }: { readonly counts: SiteView["counts"] }): JSX.Element {
  return (
    <section class="p-today" aria-labelledby="today">
      <h2 class="label" id="today">
        {t("popup_today")}
      </h2>
      <span class="grow" />
      <Verdict mark="allow" word={t("popup_count_allowed", formatNumber(counts.allowed))} />
      <Verdict mark="ask" word={t("popup_count_asked", formatNumber(counts.asked))} />
      <Verdict mark="deny" word={t("popup_count_denied", formatNumber(counts.denied))} />
    </section>
  );
}
