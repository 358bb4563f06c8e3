/** What is not as it was in the last call of this tool that the person approved. */
import type { JSX } from "preact";
import type { SinceApproved } from "../../core/consent/approval.ts";
import type { ArgumentChange } from "../../core/consent/changes.ts";
import { Icon } from "../shared/icon.tsx";
import type { IconName } from "../shared/icon-shapes.ts";
import { Said } from "../shared/said.tsx";
import { t, tx } from "../shared/text.ts";
import { When } from "../shared/when.tsx";

const ICONS: Readonly<Record<ArgumentChange["kind"], IconName>> = { new: "plus", gone: "minus", changed: "compare" };

export function Changes({ since }: { readonly since: SinceApproved | undefined }): JSX.Element | null {
  if (!since) return null;
  const { at, changes } = since;
  return (
    <section class="c-sec">
      <h2>
        {t("consent_since")} <small>{tx("consent_since_at", <When at={at} />)}</small>
      </h2>
      {changes === undefined && <p class="dim">{t("consent_since_long")}</p>}
      {changes?.length === 0 && <p class="dim">{t("consent_since_same")}</p>}
      <ul class="why">
        {(changes ?? []).map(({ name, kind, was }) => (
          <li key={name}>
            <Icon name={ICONS[kind]} />
            <span>
              {tx(`consent_since_${kind}`, <Said text={name} />)}
              {was !== undefined && (
                <del class="c-was">
                  <Said text={was} />
                </del>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
