/** Says so where the policy leaves a connected site nothing: an empty list of tools explains itself to nobody. */
import type { JSX } from "preact";
import type { Coverage as CoverageOf } from "../../bridge/policy-api.ts";
import { Icon } from "../shared/icon.tsx";
import { siteName } from "../shared/site.tsx";
import { formatNumber, t } from "../shared/text.ts";

export function Coverage({ coverage }: { readonly coverage: readonly CoverageOf[] }): JSX.Element | null {
  const shut = coverage.filter(({ tools, refused }) => tools > 0 && refused === tools);
  if (shut.length === 0) return null;
  return (
    <div class="banner" data-v="ask" data-coverage={shut.length}>
      <Icon name="warn" />
      <ul>
        {shut.map(({ origin, serverName, tools, by }, at) => (
          <li key={at}>
            {t("dash_coverage", siteName(origin), serverName, formatNumber(tools))} <span class="dim">{by}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
