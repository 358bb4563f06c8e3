/** The helper for local servers, where this site has one and the helper is not as it should be. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { HostState } from "../../bridge/native-view.ts";
import { HelperRemedy } from "../shared/helper.tsx";
import { Icon } from "../shared/icon.tsx";
import { t } from "../shared/text.ts";
import type { Act } from "./act.ts";

export function Helper({ helper, act }: { readonly helper: HostState; readonly act: Act }): JSX.Element {
  const [busy, setBusy] = useState(false);
  const check = async () => {
    setBusy(true);
    await act("local.check", null);
    setBusy(false);
  };
  return (
    <section class="p-now" data-v="off" aria-labelledby="helper">
      <h2 id="helper">
        <Icon name="computer" />
        {t("shared_helper")}
      </h2>
      <HelperRemedy state={helper.state} />
      <div class="acts">
        <button type="button" class="btn" disabled={busy} onClick={() => void check()}>
          {t("shared_helper_check")}
        </button>
      </div>
    </section>
  );
}
