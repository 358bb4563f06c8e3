/**
 * A browser with navra, real servers, and an agent page in front of it: where the demo and the end-to-end tests begin. The
 * servers are registered through the dashboard's own door, as a person would.
 */
import { fileURLToPath } from "node:url";
import type { BrowserName } from "../browsers/find.ts";
import { type Control, openControl } from "../drivers/control.ts";
import { type Driver, type LaunchOptions, launch, type Tab } from "../drivers/driver.ts";
import { type RunningServers, type ServerChoice, startServers } from "../servers/start.ts";
import { type AgentSite, serveAgentPage } from "./serve.ts";

export interface SceneOptions {
  readonly browser: BrowserName;
  readonly servers: ServerChoice;
  readonly visible?: boolean;
  /** Another build of the extension than the usual one. */
  readonly dist?: string;
  /** The home folder the browser sees. */
  readonly home?: string;
  /** A browser that finds a native host, in a profile and home of its own. */
  readonly machine?: Pick<LaunchOptions, "profile" | "environment">;
}

export interface Scene {
  readonly driver: Driver;
  readonly servers: RunningServers;
  readonly site: AgentSite;
  readonly control: Control;
  /** Ids of the registered servers by their names: `everything`, `srift`, `scripted`. */
  readonly ids: Readonly<Record<string, string>>;
  /** A new agent page, in front and ready. */
  agentPage(url?: string): Promise<Tab>;
  /** After a restart of the browser: a control page of the new one. */
  reopenControl(): Promise<Control>;
  close(): Promise<void>;
}

/** The built extension of that browser; `NAVRA_DIST` names another folder that holds both. */
export function distOf(browser: BrowserName): string {
  const folder = process.env.NAVRA_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));
  return `${folder}/${browser}`;
}

export async function openScene({
  browser,
  servers: choice,
  visible = false,
  machine = {},
  ...given
}: SceneOptions): Promise<Scene> {
  const [servers, site, driver] = await Promise.all([
    startServers(choice),
    serveAgentPage(),
    launch({ browser, dist: distOf(browser), visible, ...given, ...machine }),
  ]);
  const close = async () => {
    await Promise.allSettled([driver.close(), servers.stop(), site.stop()]);
  };
  try {
    const control = await openControl(driver);
    const ids = await register(control, servers, choice);
    return {
      driver,
      servers,
      site,
      control,
      ids,
      async agentPage(url = site.url) {
        const page = await driver.open(url);
        await page.waitFor(isReady);
        return page;
      },
      reopenControl: () => openControl(driver),
      close,
    };
  } catch (problem) {
    await close();
    throw problem;
  }
}

async function register(
  control: Control,
  servers: RunningServers,
  choice: ServerChoice,
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  const add = async (name: string, url: string) => {
    const { server, problem } = await control.ask("server.add", { draft: { name, url, trust: "trusted" } });
    if (server === undefined) throw new Error(`${name} could not be added: ${problem}`);
    ids[name] = server.id;
    const { health } = await control.ask("server.test", { id: server.id });
    if (health.state !== "ok") throw new Error(`${name} does not answer through navra: ${JSON.stringify(health)}`);
  };
  if (choice.everything) await add("everything", servers.everything);
  if (choice.share) await add("srift", servers.share);
  if (choice.scripted) await add("scripted", servers.scripted.url);
  return ids;
}

function isReady(): boolean {
  const state = document.querySelector("#state")?.textContent ?? "";
  return state !== "" && !state.startsWith("Looking");
}
