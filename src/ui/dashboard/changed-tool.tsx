/**
 * A tool that is not what a person approved any more: what changed, and the one button that accepts exactly the shown
 * version. Until then it is off everywhere.
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Pin } from "../../core/pins/pin.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { DefinitionDifference } from "../shared/definition-difference.tsx";
import { t } from "../shared/text.ts";
import { clockTime } from "../shared/time.ts";
import { Problem } from "./problem.tsx";

interface ChangedToolProps {
  readonly client: ControlClient;
  readonly pin: Pin;
  readonly onChanged: () => void;
}

export function ChangedTool({ client, pin, onChanged }: ChangedToolProps): JSX.Element | null {
  const act = useAct(onChanged);
  const again = useSignal(false);
  const { pending } = pin;
  if (pending === undefined) return null;
  const use = () =>
    act.run(async () => {
      const { state } = await client.call("pin.approve", { serverId: pin.serverId, tool: pin.tool, pending });
      again.value = state === "changed";
    });
  return (
    <div class="todo-more">
      <p class="dim">{t("dash_approved_at", clockTime(pin.approvedAt, Date.now()))}</p>
      <DefinitionDifference before={pin.approved} after={pending} />
      {again.value && (
        <p class="hint hint-bad" role="alert">
          {t("dash_changed_again")}
        </p>
      )}
      <Problem act={act} />
      <div class="row">
        <button type="button" class="btn" disabled={act.busy} onClick={use}>
          {t("dash_use_changed")}
        </button>
        <span class="hint">{t("dash_use_changed_text")}</span>
      </div>
    </div>
  );
}
