/** Why a change did not go through, said where the person is looking. */
import type { JSX } from "preact";
import type { Act } from "../shared/act.ts";
import { Icon } from "../shared/icon.tsx";
import { t } from "../shared/text.ts";

export function Problem({ act }: { readonly act: Act }): JSX.Element | null {
  if (act.problem === undefined) return null;
  return (
    <div class="banner" data-v="deny" role="alert">
      <Icon name="deny" />
      <p>{act.problem}</p>
      <button type="button" class="btn btn-s btn-i" aria-label={t("dash_close")} onClick={act.clear}>
        <Icon name="close" />
      </button>
    </div>
  );
}
