/** The popup when it has nothing to list yet, or at all; each says what stands still and what to do. */
import type { JSX } from "preact";
import type { Pause } from "../../bridge/control-api.ts";
import { requestAccess } from "../../platform/access.ts";
import { restart } from "../../platform/pages.ts";
import { Icon } from "../shared/icon.tsx";
import { pausedWords } from "../shared/pause-for.tsx";
import { siteName } from "../shared/site.tsx";
import { t, tx } from "../shared/text.ts";
import { clockTime } from "../shared/time.ts";
import { When } from "../shared/when.tsx";
import type { Act } from "./act.ts";

/** Skeletons with the final heights. */
export function Starting(): JSX.Element {
  return (
    <div class="late" aria-hidden="true">
      <div class="prog">
        <i />
      </div>
      {["popup_today", "popup_servers", "popup_rules"].map((title) => (
        <section class="p-sec" key={title}>
          <header>
            <h2>{t(title)}</h2>
          </header>
          <div class="item">
            <i class="skel" />
          </div>
          <div class="item">
            <i class="skel skel-s" />
          </div>
        </section>
      ))}
    </div>
  );
}

export function Silent(): JSX.Element {
  return (
    <div class="empty" role="alert">
      <Icon name="warn" />
      <h2>{t("shared_silent")}</h2>
      <p>{t("shared_silent_more")}</p>
      <button type="button" class="btn btn-main" onClick={restart}>
        <Icon name="refresh" />
        {t("popup_restart")}
      </button>
    </div>
  );
}

export function NoAgents(): JSX.Element {
  return (
    <div class="empty">
      <Icon name="gateopen" />
      <h2>{t("popup_no_agents")}</h2>
      <p>{t("popup_no_agents_more")}</p>
    </div>
  );
}

export function NoAccess({ url, act }: { readonly url: string; readonly act: Act }): JSX.Element {
  const ask = async () => {
    if (await requestAccess(url)) await act("approvals.read", null);
  };
  return (
    <div class="empty">
      <Icon name="hand" />
      <h2>{t("popup_no_access")}</h2>
      <p>{t("popup_no_access_more")}</p>
      <button type="button" class="btn btn-main" onClick={() => void ask()}>
        {t("popup_give_access")}
      </button>
    </div>
  );
}

export function Paused({ pause, act }: { readonly pause: Pause; readonly act: Act }): JSX.Element {
  const until =
    pause.until === null ? t("popup_paused_open") : t("popup_paused_back", clockTime(pause.until, Date.now()));
  return (
    <section class="p-now" data-v="off" aria-labelledby="paused">
      <h2 id="paused">
        <Icon name="pause" />
        {t(pause.until === null ? "popup_nothing_passes" : "popup_nothing_passes_until")}
      </h2>
      <p>
        {tx("popup_paused_since", <When at={pause.since} />)} {until}
      </p>
      <div class="acts">
        <button type="button" class="btn btn-main" onClick={() => void act("pause.set", { pause: null })}>
          {t("popup_switch_on")}
        </button>
      </div>
    </section>
  );
}

/** Only this site is held back; the rest goes on. */
export function SitePaused({ pauses, act }: { readonly pauses: readonly Pause[]; readonly act: Act }): JSX.Element {
  return (
    <>
      {pauses.map((pause) => {
        const { site } = pause;
        if (site === undefined) return null;
        return (
          <section key={site} class="p-now" data-v="off" aria-label={t("popup_site_paused")}>
            <h2>
              <Icon name="pause" />
              {t("popup_site_paused")}
            </h2>
            <p>
              <bdi>{siteName(site)}</bdi>. {pausedWords(pause)}
            </p>
            <div class="acts">
              <button
                type="button"
                class="btn btn-main"
                onClick={() => void act("pause.set", { pause: null, scope: { kind: "site", site } })}
              >
                {t("popup_switch_on")}
              </button>
            </div>
          </section>
        );
      })}
    </>
  );
}
