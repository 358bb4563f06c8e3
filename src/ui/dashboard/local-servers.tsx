/** The helper's list: what each entry runs, how it does, and whether navra offers it to sites. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { LocalServerView } from "../../bridge/native-view.ts";
import { localAddress } from "../../core/servers/url.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { Icon } from "../shared/icon.tsx";
import { Said } from "../shared/said.tsx";
import { t, tn } from "../shared/text.ts";
import { When } from "../shared/when.tsx";
import { LocalLog } from "./local-log.tsx";
import { Problem } from "./problem.tsx";
import { hrefOf } from "./route.ts";

interface LocalServersProps {
  readonly client: ControlClient;
  readonly servers: readonly LocalServerView[];
  /** Names that registered servers have. */
  readonly taken: readonly string[];
  readonly onChanged: () => void;
}

export function LocalServers({ client, servers, taken, onChanged }: LocalServersProps): JSX.Element {
  return (
    <section class="sec">
      <h2>{t("dash_local_list")}</h2>
      {servers.length === 0 ? (
        <p class="dim">{t("dash_local_none")}</p>
      ) : (
        <ul class="lines">
          {servers.map((server) => (
            <li key={server.name} data-local={server.name}>
              <Entry client={client} server={server} taken={taken} onChanged={onChanged} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type EntryProps = Omit<LocalServersProps, "servers"> & { readonly server: LocalServerView };

function Entry({ client, server, taken, onChanged }: EntryProps): JSX.Element {
  const act = useAct(onChanged);
  const log = useSignal(false);
  const { name } = server;
  const use = () =>
    act.run(async () => {
      const draft = { name: freeName(name, taken), url: localAddress(name), trust: "untrusted" as const };
      const { server: added, problem } = await client.call("server.add", { draft });
      if (added === undefined) throw new Error(problem ?? t("dash_add_failed"));
    });
  return (
    <>
      <div class="row">
        <span class="health" data-h={server.problem || server.stopped ? "down" : server.running ? "ok" : "off"}>
          <Icon name={server.problem || server.stopped ? "close" : server.running ? "ok" : "off"} />
        </span>
        <div class="grow">
          <b class="medium">{name}</b> <span class="dim">{t(stateWord(server))}</span>
          {server.crashes > 0 && <span class="faint"> {tn("dash_local_crashes", server.crashes)}</span>}
          <p class="address">
            <Said text={[server.program, ...server.args].join(" ")} />
          </p>
        </div>
        {server.serverId === undefined ? (
          <button type="button" class="btn btn-s" data-act="use" disabled={act.busy} onClick={use}>
            {t(act.busy ? "dash_adding" : "dash_local_use")}
            <span class="vh"> {name}</span>
          </button>
        ) : (
          <a class="btn btn-s" href={hrefOf("servers", server.serverId)}>
            {t("dash_local_open")}
            <span class="vh"> {name}</span>
          </a>
        )}
        <button
          type="button"
          class="btn btn-s"
          data-act="restart"
          disabled={act.busy}
          onClick={() => act.run(() => client.call("local.restart", { name }))}
        >
          <Icon name="refresh" />
          {t("dash_local_restart")}
          <span class="vh"> {name}</span>
        </button>
        <button
          type="button"
          class="btn btn-s"
          aria-expanded={log.value}
          onClick={() => {
            log.value = !log.value;
          }}
        >
          {t("dash_local_log")}
          <span class="vh"> {name}</span>
        </button>
      </div>
      <Problem act={act} />
      {server.problem !== undefined && <p class="hint hint-bad">{server.problem}</p>}
      {server.last !== undefined && (
        <p class="hint">
          {server.last.message} <When at={server.last.at} />
        </p>
      )}
      {log.value && <LocalLog client={client} name={name} />}
    </>
  );
}

function stateWord({ problem, stopped, running }: LocalServerView): string {
  if (stopped) return "dash_local_stopped";
  if (problem !== undefined) return "dash_local_cannot";
  return running ? "dash_local_running" : "dash_local_idle";
}

function freeName(name: string, taken: readonly string[]): string {
  const isTaken = (one: string) => taken.some((other) => other.toLowerCase() === one.toLowerCase());
  if (!isTaken(name)) return name;
  let number = 2;
  while (isTaken(`${name}-${number}`)) number += 1;
  return `${name.slice(0, 60)}-${number}`;
}
