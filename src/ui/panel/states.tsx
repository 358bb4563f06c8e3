/** What stands in the panel where there are no calls to show, and what went wrong above them. */
import type { JSX } from "preact";
import type { Pause } from "../../bridge/control-api.ts";
import { Icon } from "../shared/icon.tsx";
import { t, tn } from "../shared/text.ts";
import { clockTime } from "../shared/time.ts";

export function NoTab(): JSX.Element {
  return (
    <main class="empty">
      <Icon name="panel" />
      <h1>{t("panel_no_tab")}</h1>
      <p>{t("panel_no_tab_text")}</p>
    </main>
  );
}

export function NoCalls(): JSX.Element {
  return (
    <div class="empty over">
      <Icon name="record" />
      <h2>{t("panel_empty")}</h2>
      <p>{t("panel_empty_text")}</p>
    </div>
  );
}

interface NoneFitsProps {
  readonly hidden: number;
  readonly onClear: () => void;
}

export function NoneFits({ hidden, onClear }: NoneFitsProps): JSX.Element {
  return (
    <div class="empty over">
      <Icon name="filter" />
      <h2>{t("panel_none_fits")}</h2>
      <p>{tn("panel_none_fits_text", hidden)}</p>
      <button type="button" class="btn btn-s" onClick={onClear}>
        {t("panel_clear")}
      </button>
    </div>
  );
}

export function PausedBanner({ pause }: { readonly pause: Pause }): JSX.Element {
  return (
    <div class="banner" data-v="off" role="status">
      <Icon name="pause" />
      <div>
        <b>{t("panel_paused")}</b>{" "}
        <span class="dim">
          {pause.until === null ? t("panel_paused_open") : t("panel_paused_until", clockTime(pause.until, Date.now()))}
        </span>
      </div>
    </div>
  );
}

export function LostBanner({ silent }: { readonly silent: boolean }): JSX.Element {
  return (
    <div class="banner" data-v="unknown" role="alert">
      <Icon name="unknown" />
      <div>
        <b>{t(silent ? "panel_silent" : "panel_lost")}</b>{" "}
        <span class="dim">{t(silent ? "panel_silent_text" : "panel_lost_text")}</span>
      </div>
    </div>
  );
}
