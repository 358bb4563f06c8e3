/** What to pause, and how long: everything, or this site only. Pause means nothing passes; it never lets calls through. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ControlParams } from "../../bridge/control-api.ts";
import type { Principal } from "../../core/principal.ts";
import { Icon } from "../shared/icon.tsx";
import { t } from "../shared/text.ts";
import type { Act } from "./act.ts";

interface Props {
  readonly paused: boolean;
  /** Whose page it is; without one there is no site to pause. */
  readonly principal: Principal | undefined;
  readonly act: Act;
  /** Gives the focus back to what opened the menu. */
  readonly onClose: () => void;
}

const MINUTE = 60_000;
type Scope = NonNullable<ControlParams<"pause.set">["scope"]>;
const CHOICES = [
  { key: "1", words: "popup_pause_15", ms: 15 * MINUTE, site: false },
  { key: "2", words: "popup_pause_60", ms: 60 * MINUTE, site: false },
  { key: "3", words: "popup_pause_open", ms: null, site: false },
  { key: "4", words: "popup_pause_15", ms: 15 * MINUTE, site: true },
  { key: "5", words: "popup_pause_60", ms: 60 * MINUTE, site: true },
  { key: "6", words: "popup_pause_open", ms: null, site: true },
] as const;
type Choice = (typeof CHOICES)[number];

export function PauseMenu({ paused, principal, act, onClose }: Props): JSX.Element {
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

  const choices = CHOICES.filter(({ site }) => !site || principal !== undefined);
  const pause = ({ ms, site }: Choice) => {
    const until = ms === null ? null : Date.now() + ms;
    const scope: Scope =
      site && principal ? { kind: "site", site: principal.origin, private: principal.private } : { kind: "all" };
    void act("pause.set", { pause: { until }, scope });
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const choice = choices.find(({ key }) => key === event.key);
    if (choice) return pause(choice);
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      event.stopPropagation();
      return onClose();
    }
    moveFocus(event, items(menu.current));
  };

  return (
    <div class="menu p-menu" role="menu" aria-label={t("popup_pause_menu")} ref={menu} onKeyDown={onKeyDown}>
      {([false, true] as const).map((site) => {
        const own = choices.filter((choice) => choice.site === site);
        if (own.length === 0) return null;
        return (
          <fieldset key={String(site)}>
            <legend class="label">{t(site ? "popup_pause_site" : "popup_pause_all")}</legend>
            {own.map((choice) => (
              <button key={choice.key} type="button" role="menuitem" tabIndex={-1} onClick={() => pause(choice)}>
                <Icon name="pause" />
                {t(choice.words)}
                <kbd>{choice.key}</kbd>
              </button>
            ))}
          </fieldset>
        );
      })}
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
