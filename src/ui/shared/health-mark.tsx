/** Whether a server answers: a full dot, a cross, or an empty ring; always with its word. */
import type { JSX } from "preact";
import type { Health } from "../../core/servers/server.ts";
import { Icon } from "./icon.tsx";
import { t } from "./text.ts";

interface HealthMarkProps {
  readonly health: Health;
  /** Why nothing reaches it whatever its health: it is paused, or switched off. */
  readonly held?: string | undefined;
}

export function HealthMark({ health, held }: HealthMarkProps): JSX.Element {
  const { mark, icon } = LOOKS[held === undefined ? health.state : "unknown"];
  const word = held ?? healthWord(health);
  return (
    <span class="health" data-h={mark} title={held === undefined && health.state === "failing" ? health.problem : word}>
      <Icon name={icon} label={word} />
    </span>
  );
}

export function healthWord({ state }: Health): string {
  return t(`shared_health_${state}`);
}

const LOOKS = {
  ok: { mark: "ok", icon: "ok" },
  failing: { mark: "down", icon: "close" },
  unknown: { mark: "off", icon: "off" },
} as const;
