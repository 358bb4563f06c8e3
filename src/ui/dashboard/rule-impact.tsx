/** What the draft would have done to the calls on record, call by call. */
import type { JSX } from "preact";
import type { Impact } from "../../bridge/policy-api.ts";
import { Said } from "../shared/said.tsx";
import { siteName } from "../shared/site.tsx";
import { formatNumber, t, tn, tx } from "../shared/text.ts";
import { Verdict } from "../shared/verdict.tsx";
import { When } from "../shared/when.tsx";

interface RuleImpactProps {
  readonly impact: Impact | null;
  /** Whether there is a draft that differs from what is stored. */
  readonly changed: boolean;
}

export function RuleImpact({ impact, changed }: RuleImpactProps): JSX.Element {
  return (
    <section class="sec" aria-labelledby="rules-impact">
      <header class="sec-head">
        <h2 id="rules-impact">{t("dash_impact")}</h2>
      </header>
      {!changed && <p class="hint">{t("dash_impact_no_draft")}</p>}
      {changed && !impact && <p class="hint">{t("dash_impact_none_yet")}</p>}
      {changed && impact && (
        <>
          <p>
            {impact.of === 0 ? t("shared_impact_no_calls") : tn("shared_impact", impact.count, formatNumber(impact.of))}
          </p>
          {impact.changed.length > 0 && (
            <ul class="impact">
              {impact.changed.slice(0, SHOWN).map((call) => (
                <li key={call.seq}>
                  <span class="impact-verdicts">
                    <Verdict mark={call.before} />
                    <span aria-hidden="true">→</span>
                    <Verdict mark={call.after} />
                  </span>
                  <span class="grow">
                    {tx("popup_tool_on", <Said text={call.tool ?? call.method} />, <b>{call.serverName}</b>)}
                    <small>
                      {siteName(call.origin)}, <When at={call.at} />. {call.why}
                    </small>
                  </span>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  );
}

const SHOWN = 10;
