/** Which site, whether navra is on, and the pause menu. The switch never moves. */
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SiteView } from "../../bridge/control-api.ts";
import { Icon } from "../shared/icon.tsx";
import type { IconName } from "../shared/icon-shapes.ts";
import { Site, siteName } from "../shared/site.tsx";
import { t, tn } from "../shared/text.ts";
import { clockTime } from "../shared/time.ts";
import type { Act } from "./act.ts";
import { PauseMenu } from "./pause-menu.tsx";

interface Props {
  readonly view: SiteView | undefined;
  readonly silent: boolean;
  readonly waiting: number;
  readonly act: Act;
}

type Look = "on" | "ask" | "paused" | "off";

const MARKS: Readonly<Record<Look, IconName>> = { on: "gate", ask: "gateask", paused: "gatepause", off: "gateopen" };

export function Head({ view, silent, waiting, act }: Props): JSX.Element {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const known = view !== undefined && !silent;
  const look: Look = !known ? "off" : view.pause ? "paused" : waiting > 0 ? "ask" : "on";
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };

  // Heard from the moment the head is there: an effect after painting would lose a key pressed at once.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "p" || event.ctrlKey || event.metaKey || event.altKey || inField(event)) return;
      if (known) setOpen((was) => !was);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [known]);

  return (
    <header class="p-head" data-s={look}>
      <span class="mark">
        <Icon name={MARKS[look]} />
      </span>
      <div class="who">
        <h1>{view ? <SiteTitle view={view} /> : "navra"}</h1>
        <p role="status">{known ? stateWords(view, waiting) : t(silent ? "popup_no_answer" : "shared_waking")}</p>
      </div>
      <div class="ctl">
        <button
          type="button"
          class="switch switch-l"
          role="switch"
          aria-checked={known && view.pause === null}
          aria-label={t("popup_switch")}
          disabled={!known}
          onClick={() => void act("pause.set", { pause: view?.pause ? null : { until: null } })}
        />
        <button
          type="button"
          class="btn btn-i btn-s"
          ref={opener}
          aria-label={t("popup_pause_menu")}
          title={t("popup_pause_key")}
          aria-haspopup="menu"
          aria-expanded={open}
          disabled={!known}
          onClick={() => setOpen(!open)}
        >
          <Icon name="down" />
        </button>
      </div>
      {open && <PauseMenu paused={view?.pause != null} principal={view?.principal} act={act} onClose={close} />}
    </header>
  );
}

function SiteTitle({ view }: { readonly view: SiteView }): JSX.Element {
  if (view.principal) return <Site principal={view.principal} />;
  return <bdi>{hostOf(view.tabUrl) || t("popup_this_page")}</bdi>;
}

function stateWords(view: SiteView, waiting: number): string {
  const { pause, servers } = view;
  if (pause)
    return pause.until === null ? t("popup_paused") : t("popup_paused_until", clockTime(pause.until, Date.now()));
  if (view.managed.state === "unreadable") return t("shared_on_closed");
  if (view.pauses.some(({ site }) => site !== undefined)) return t("popup_on_site_paused");
  if (waiting > 0) return tn("popup_on_waiting", waiting);
  if (!view.access || !view.principal) return t("popup_on_not_here");
  return t(servers.some(({ connected }) => connected) ? "popup_on" : "popup_on_nothing");
}

function hostOf(url: string): string {
  try {
    const { protocol, host, origin } = new URL(url);
    return protocol.startsWith("http") ? siteName(origin) : host;
  } catch {
    return "";
  }
}

/** Single letters work only while no field has the focus. */
function inField(event: KeyboardEvent): boolean {
  return (
    event.target instanceof Element &&
    event.target.matches("input:not([type=checkbox], [type=radio]), select, textarea")
  );
}
