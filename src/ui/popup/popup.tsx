/** The popup's one view: what waits for a person, then what was denied, then the site, its servers, rules and calls. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { CallView, SiteView } from "../../bridge/control-api.ts";
import type { ControlClient } from "../../platform/door.ts";
import { openDashboard } from "../../platform/pages.ts";
import { useData } from "../shared/ask.ts";
import { Icon } from "../shared/icon.tsx";
import { ManagedBanner } from "../shared/managed.tsx";
import { t } from "../shared/text.ts";
import type { Act } from "./act.ts";
import { Calls } from "./calls.tsx";
import { JustDenied } from "./denied.tsx";
import { Grants } from "./grants.tsx";
import { Head } from "./head.tsx";
import { Helper } from "./helper.tsx";
import { Rules } from "./rules.tsx";
import { Servers } from "./servers.tsx";
import { NoAccess, NoAgents, Paused, Silent, SitePaused, Starting } from "./states.tsx";
import { Today } from "./today.tsx";
import { Waiting } from "./waiting.tsx";

interface Props {
  readonly client: ControlClient;
  readonly tabId: number;
}

export function Popup({ client, tabId }: Props): JSX.Element {
  const topics = [
    "servers",
    "rules",
    "connections",
    "records",
    "pins",
    "pause",
    "calls",
    "approvals",
    "local",
  ] as const;
  const site = useData(client, "site.read", { tabId }, topics);
  const waiting = useData(client, "approvals.read", null, ["approvals"]);
  const [problem, setProblem] = useState<string>();
  const view = site.data;
  const approvals = waiting.data?.approvals ?? [];

  const act: Act = async (method, params) => {
    try {
      const result = await client.call(method, params);
      setProblem(undefined);
      site.reload();
      return result;
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };

  const silent = site.status === "silent";
  return (
    <main class="popup">
      <Head view={view} silent={silent} waiting={approvals.length} act={act} />
      <div class="scroll">
        <Waiting approvals={approvals} act={act} />
        {(problem ?? site.problem ?? view?.trouble) && (
          <p class="banner" data-v="deny" role="alert">
            <Icon name="warn" />
            <span>{problem ?? site.problem ?? view?.trouble}</span>
          </p>
        )}
        {silent ? <Silent /> : view ? <Site view={view} act={act} /> : site.status === "starting" && <Starting />}
      </div>
      <footer class="p-foot">
        {view?.principal && <NewTask principal={view.principal} act={act} />}
        <button type="button" class="btn" onClick={() => void openDashboard()}>
          <Icon name="window" />
          {t("popup_dashboard")}
        </button>
      </footer>
    </main>
  );
}

function Site({ view, act }: { readonly view: SiteView; readonly act: Act }): JSX.Element {
  const [ruleFrom, setRuleFrom] = useState<CallView>();
  if (!view.access) return <NoAccess url={view.tabUrl} act={act} />;
  if (!view.principal) return <NoAgents />;
  return (
    <>
      {view.pause && <Paused pause={view.pause} act={act} />}
      <ManagedBanner managed={view.managed} />
      <SitePaused pauses={view.pauses} act={act} />
      {view.helper && <Helper helper={view.helper} act={act} />}
      <JustDenied calls={view.calls} onRule={setRuleFrom} />
      <Today counts={view.counts} />
      <Servers view={view} principal={view.principal} act={act} />
      <Grants view={view} act={act} />
      <Rules
        view={view}
        principal={view.principal}
        from={ruleFrom}
        onFormClosed={() => setRuleFrom(undefined)}
        act={act}
      />
      <Calls calls={view.calls} onRule={setRuleFrom} />
    </>
  );
}

function NewTask({ principal, act }: { readonly principal: NonNullable<SiteView["principal"]>; readonly act: Act }) {
  const [done, setDone] = useState(false);
  const start = async () => setDone((await act("site.new-task", { principal })) === null);
  return (
    <button type="button" class="btn" title={t("popup_new_task_more")} onClick={() => void start()}>
      <Icon name={done ? "allow" : "refresh"} />
      <span role="status">{t(done ? "popup_new_task_done" : "popup_new_task")}</span>
    </button>
  );
}
