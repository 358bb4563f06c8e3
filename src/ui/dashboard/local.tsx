/** Local servers: the helper, its list, what waits for a look in a terminal, and a form that proposes another one. */
import type { JSX } from "preact";
import type { LocalView } from "../../bridge/native-view.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useData } from "../shared/ask.ts";
import { HelperRemedy } from "../shared/helper.tsx";
import { Icon } from "../shared/icon.tsx";
import { t } from "../shared/text.ts";
import { Await } from "./await.tsx";
import { LocalChecks } from "./local-checks.tsx";
import { LocalPropose } from "./local-propose.tsx";
import { LocalServers } from "./local-servers.tsx";
import { LocalWaiting } from "./local-waiting.tsx";
import { PageHead } from "./page-head.tsx";
import { hrefOf } from "./route.ts";

interface LocalProps {
  readonly client: ControlClient;
  readonly taken: readonly string[];
}

export function Local({ client, taken }: LocalProps): JSX.Element {
  const local = useData(client, "local.read", null, ["servers", "local"]);
  return (
    <>
      <PageHead title={t("dash_local")}>
        <a class="btn" href={hrefOf("servers")}>
          {t("dash_local_back")}
        </a>
      </PageHead>
      <Await loaded={local}>
        {(view) => (
          <div class="body">
            <HelperState host={view.host} onCheck={local.reload} />
            {view.host.state === "ready" && (
              <>
                <LocalServers client={client} servers={view.servers} taken={taken} onChanged={local.reload} />
                <LocalWaiting client={client} waiting={view.waiting} review={view.review} onChanged={local.reload} />
                <LocalPropose client={client} onChanged={local.reload} />
                <LocalChecks client={client} />
              </>
            )}
          </div>
        )}
      </Await>
    </>
  );
}

interface HelperStateProps {
  readonly host: LocalView["host"];
  readonly onCheck: () => void;
}

function HelperState({ host, onCheck }: HelperStateProps): JSX.Element {
  if (host.state === "ready") {
    return (
      <div class="banner banner-whole" data-helper="ready">
        <Icon name="allow" />
        <div>
          <b>{t("dash_local_ready", host.version)}</b>{" "}
          <span class="dim">{t("dash_local_ready_more", host.node, host.platform)}</span>
          {!host.same && <p>{t("dash_local_other_version")}</p>}
        </div>
      </div>
    );
  }
  return (
    <div class="banner" data-v="off" data-helper={host.state}>
      <Icon name="computer" />
      <div>
        <b>{t("shared_helper")}</b>
        <HelperRemedy state={host.state} />
        <div class="acts">
          <button type="button" class="btn btn-s" onClick={onCheck}>
            {t("shared_helper_check")}
          </button>
        </div>
      </div>
    </div>
  );
}
