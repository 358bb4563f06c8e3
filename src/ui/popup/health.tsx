/** Whether a server answers, as a dot with a word. */
import type { JSX } from "preact";
import type { Health } from "../../core/servers/server.ts";
import { Icon } from "../shared/icon.tsx";
import type { IconName } from "../shared/icon-shapes.ts";
import { t } from "../shared/text.ts";

type Look = "ok" | "down" | "off";

const ICONS: Readonly<Record<Look, IconName>> = { ok: "ok", down: "warn", off: "off" };

interface Props {
  readonly health: Health;
  /** Paused: nothing reaches it whatever its health. */
  readonly held: boolean;
}

export function HealthMark({ health, held }: Props): JSX.Element {
  const look: Look = held || health.state === "unknown" ? "off" : health.state === "ok" ? "ok" : "down";
  const words = held
    ? t("popup_held")
    : health.state === "failing"
      ? health.problem
      : t(`popup_health_${health.state}`);
  return (
    <span class="health" data-h={look} title={words}>
      <Icon name={ICONS[look]} label={words} />
    </span>
  );
}
