/** Whether a server answers: a full dot, a cross, or an empty ring; always with its word. */
import type { JSX } from "preact";
import type { Health } from "../../core/servers/server.ts";
import { Icon } from "../shared/icon.tsx";
import { t } from "../shared/text.ts";

interface HealthMarkProps {
  readonly health: Health;
  readonly enabled: boolean;
}

export function HealthMark({ health, enabled }: HealthMarkProps): JSX.Element {
  const state = enabled ? health.state : "off";
  const look = LOOKS[state];
  return (
    <span class="health" data-h={look.mark}>
      <Icon name={look.icon} label={t(`dash_health_${state}`)} />
    </span>
  );
}

const LOOKS = {
  ok: { mark: "ok", icon: "ok" },
  failing: { mark: "down", icon: "close" },
  unknown: { mark: "off", icon: "off" },
  off: { mark: "off", icon: "off" },
} as const;
