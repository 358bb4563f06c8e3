/** The navigation: pages at the top, the pause of everything at the foot. */
import type { JSX } from "preact";
import type { OverviewView } from "../../bridge/control-api.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { Icon } from "../shared/icon.tsx";
import type { IconName } from "../shared/icon-shapes.ts";
import { PauseFor } from "../shared/pause-for.tsx";
import { formatNumber, t } from "../shared/text.ts";
import { hrefOf, PAGES, type Page } from "./route.ts";

interface NavProps {
  readonly client: ControlClient;
  readonly page: Page;
  readonly overview: OverviewView | undefined;
  readonly onSkip: () => void;
}

export function Nav({ client, page, overview, onSkip }: NavProps): JSX.Element {
  const waiting = (overview?.approvals.length ?? 0) + (overview?.changedTools.length ?? 0);
  const state = overview?.pause ? "paused" : waiting > 0 ? "ask" : "on";
  return (
    <nav class="nav" aria-label={t("dash_nav")}>
      <button type="button" class="btn skip" onClick={onSkip}>
        {t("dash_skip")}
      </button>
      <div class="brand" data-s={state}>
        <Icon name={state === "paused" ? "gatepause" : state === "ask" ? "gateask" : "gate"} />
        navra
      </div>
      {PAGES.map((name, index) => (
        <a
          key={name}
          class="nav-link"
          href={hrefOf(name)}
          title={t("dash_page_key", index + 1)}
          {...(name === page ? { "aria-current": "page" as const } : {})}
        >
          <Icon name={ICONS[name]} />
          {t(`dash_page_${name}`)}
          {name === "overview" && waiting > 0 && (
            <span class="badge">
              {formatNumber(waiting)} <span class="vh">{t("dash_waiting")}</span>
            </span>
          )}
        </a>
      ))}
      <PauseFoot client={client} overview={overview} />
    </nav>
  );
}

const ICONS: Readonly<Record<Page, IconName>> = {
  overview: "home",
  servers: "server",
  sites: "site",
  rules: "rules",
  approvals: "hand",
  records: "records",
  about: "info",
};

function PauseFoot(props: {
  readonly client: ControlClient;
  readonly overview: OverviewView | undefined;
}): JSX.Element {
  const { client, overview } = props;
  const act = useAct();
  return (
    <div class="nav-foot">
      {act.problem !== undefined && <span role="alert">{act.problem}</span>}
      <PauseFor
        name={t("dash_everything")}
        pause={overview?.pause ?? undefined}
        busy={act.busy || overview === undefined}
        first="open"
        onSet={(pause) => act.run(() => client.call("pause.set", { pause }))}
      />
    </div>
  );
}
