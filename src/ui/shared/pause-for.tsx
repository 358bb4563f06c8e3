/** Pauses one thing for a chosen time, or switches it on again. Choosing the time does nothing yet; the button does. */
import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import type { Pause } from "../../bridge/control-api.ts";
import { Icon } from "./icon.tsx";
import { t } from "./text.ts";
import { clockTime } from "./time.ts";

interface Props {
  /** The name of what is paused, for a screen reader. */
  readonly name: string;
  readonly pause: Pause | undefined;
  readonly busy: boolean;
  /** The length that is chosen at first: the shortest, or until it is switched on again. */
  readonly first?: "short" | "open";
  readonly onSet: (pause: { readonly until: number | null } | null) => void;
}

const MINUTE = 60_000;
const LENGTHS = [
  { words: "shared_pause_15", ms: 15 * MINUTE },
  { words: "shared_pause_60", ms: 60 * MINUTE },
  { words: "shared_pause_open", ms: null },
] as const;

export function PauseFor({ name, pause, busy, first = "short", onSet }: Props): JSX.Element {
  const [length, setLength] = useState(first === "open" ? LENGTHS.length - 1 : 0);
  const id = useId();
  if (pause) {
    return (
      <span class="pause-for">
        <span class="faint">{pausedWords(pause)}</span>
        <button type="button" class="btn btn-s" disabled={busy} onClick={() => onSet(null)}>
          <Icon name="play" />
          {t("shared_pause_end")}
          <span class="vh"> {name}</span>
        </button>
      </span>
    );
  }
  const ms = LENGTHS[length]?.ms ?? null;
  return (
    <span class="pause-for">
      <button
        type="button"
        class="btn btn-s"
        disabled={busy}
        aria-describedby={id}
        onClick={() => onSet({ until: ms === null ? null : Date.now() + ms })}
      >
        <Icon name="pause" />
        {t("shared_pause")}
        <span class="vh"> {name}</span>
      </button>
      <select
        class="in in-s in-bare"
        id={id}
        aria-label={t("shared_pause_length", name)}
        value={String(length)}
        onChange={(event) => setLength(Number(event.currentTarget.value))}
      >
        {LENGTHS.map(({ words }, index) => (
          <option key={words} value={String(index)}>
            {t(words)}
          </option>
        ))}
      </select>
    </span>
  );
}

export function pausedWords({ until }: Pause): string {
  return until === null ? t("shared_paused_open") : t("shared_paused_until", clockTime(until, Date.now()));
}
