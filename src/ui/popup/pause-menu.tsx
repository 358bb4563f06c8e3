/** How long to pause. Pause means nothing passes; it never lets calls through. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../shared/icon.tsx";
import { t } from "../shared/text.ts";
import type { Act } from "./act.ts";

interface Props {
  readonly paused: boolean;
  readonly act: Act;
  /** Gives the focus back to what opened the menu. */
  readonly onClose: () => void;
}

const MINUTE = 60_000;
const CHOICES = [
  { key: "1", words: "popup_pause_15", ms: 15 * MINUTE },
  { key: "2", words: "popup_pause_60", ms: 60 * MINUTE },
  { key: "3", words: "popup_pause_open", ms: null },
] as const;

export function PauseMenu({ paused, act, onClose }: Props): JSX.Element {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    items(menu.current)[0]?.focus();
    const outside = (event: PointerEvent) => {
      if (!(event.target instanceof Node) || menu.current?.parentElement?.contains(event.target)) return;
      onClose();
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [onClose]);

  const pause = (ms: number | null) => {
    void act("pause.set", { pause: { until: ms === null ? null : Date.now() + ms } });
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const choice = CHOICES.find(({ key }) => key === event.key);
    if (choice) return pause(choice.ms);
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      event.stopPropagation();
      return onClose();
    }
    moveFocus(event, items(menu.current));
  };

  return (
    <div class="menu p-menu" role="menu" aria-label={t("popup_pause_menu")} ref={menu} onKeyDown={onKeyDown}>
      {CHOICES.map(({ key, words, ms }) => (
        <button key={key} type="button" role="menuitem" tabIndex={-1} onClick={() => pause(ms)}>
          <Icon name="pause" />
          {t(words)}
          <kbd>{key}</kbd>
        </button>
      ))}
      {paused && (
        <button
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            void act("pause.set", { pause: null });
            onClose();
          }}
        >
          <Icon name="play" />
          {t("popup_switch_on")}
        </button>
      )}
      <p role="none">{t("popup_pause_means")}</p>
    </div>
  );
}

function items(menu: HTMLElement | null): HTMLElement[] {
  return Array.from(menu?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? []);
}

function moveFocus(event: KeyboardEvent, all: readonly HTMLElement[]): void {
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const at = all.indexOf(document.activeElement as HTMLElement);
  all[(at + step + all.length) % all.length]?.focus();
}
