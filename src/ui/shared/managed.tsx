/** What an organisation set: how much of it there is, or why nothing passes because of it. */
import type { JSX } from "preact";
import type { ManagedView } from "../../bridge/policy-api.ts";
import { Icon } from "./icon.tsx";
import { t, tn } from "./text.ts";

export function ManagedBanner({ managed }: { readonly managed: ManagedView }): JSX.Element | null {
  if (managed.state === "none") return null;
  if (managed.state === "in-force") {
    return (
      <div class="banner" data-managed="in-force">
        <Icon name="lock" />
        <p>{managed.rules.length === 0 ? t("shared_managed_no_rules") : tn("shared_managed", managed.rules.length)}</p>
      </div>
    );
  }
  return (
    <div class="banner" data-v="deny" data-managed="unreadable" role="alert">
      <Icon name="lock" />
      <div>
        <b>{t("shared_managed_unreadable")}</b>
        <p>{t("shared_managed_unreadable_more")}</p>
        <ul>
          {managed.problems.slice(0, MOST).map(({ path, line, message }, at) => (
            <li key={at}>
              {line !== undefined && `${t("shared_line", line)} `}
              {path !== "" && <span class="mono">{path} </span>}
              {message}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

const MOST = 5;
