/**
 * A browser with the built extension and one agent page. Servers are registered through the dashboard's door and connected
 * through the popup's, by the same questions those pages ask; a rule of the person's allows what the page does. navra has
 * no other way in, and none is made here.
 */
import { DOOR_PAGES } from "../../src/bridge/doors.ts";
import type { Principal } from "../../src/core/principal.ts";
import type { BrowserName } from "../browsers/find.ts";
import { distOf } from "../demo/scene.ts";
import { askInPage, openControl } from "../drivers/control.ts";
import { type Driver, launch } from "../drivers/driver.ts";
import type { Machine } from "../hosts/machine.ts";
import { type PageSide, servePage } from "./join.ts";

export interface Place {
  readonly page: PageSide;
  /** Registers and connects the server with all its tools; gives the name it has in navra, and what went wrong. */
  connect(url: string): Promise<Connected>;
  disconnect(connected: Connected): Promise<void>;
  close(): Promise<void>;
}

export interface Connected {
  readonly id: string;
  readonly name: string;
  readonly problem?: string;
}

/** The browser finds the native host of that machine. */
export async function openPlace(browser: BrowserName, machine: Machine): Promise<Place> {
  const launched = launch({ browser, dist: distOf(browser), ...machine.browser(browser) });
  const [page, driver] = await Promise.all([servePage(), launched]);
  try {
    return await furnish(driver, page);
  } catch (problem) {
    await Promise.allSettled([driver.close(), page.stop()]);
    throw problem;
  }
}

async function furnish(driver: Driver, page: PageSide): Promise<Place> {
  const dashboard = await openControl(driver);
  const popup = await driver.extensionPage(DOOR_PAGES.popup);
  const agent = await driver.open(page.url);
  await page.ready;
  const askPopup = async <Result>(method: "site.read" | "site.connect", params: unknown): Promise<Result> => {
    const answer = await popup.evaluate(askInPage, "popup", { method, params });
    if ("problem" in answer) throw new Error(`${method}: ${answer.problem}`);
    return answer.result as Result;
  };
  const { principal } = await askPopup<{ principal: Principal }>("site.read", { tabId: await agent.tabId() });
  await agent.front();
  await allow(dashboard, principal.origin);
  let count = 0;

  return {
    page,
    async connect(url) {
      count += 1;
      const name = `suite-${count}`;
      const { server, problem } = await dashboard.ask("server.add", { draft: { name, url, trust: "trusted" } });
      if (!server) throw new Error(`${url} could not be added: ${problem}`);
      const { servers } = await dashboard.ask("servers.read", null);
      const view = servers.find((one) => one.server.id === server.id);
      const tools = view?.catalogue?.tools.map((tool) => tool.name) ?? [];
      await askPopup("site.connect", { principal, serverId: server.id, tools });
      const failing = view?.health.state === "failing" ? view.health.problem : undefined;
      return { id: server.id, name, ...(failing !== undefined && { problem: failing }) };
    },
    async disconnect({ id }) {
      await dashboard.ask("server.remove", { id });
    },
    async close() {
      await Promise.allSettled([driver.close(), page.stop()]);
    },
  };
}

/** Whatever this page asks of a server, and the server of this page, is allowed. */
async function allow(dashboard: Awaited<ReturnType<typeof openControl>>, origin: string): Promise<void> {
  const rule = {
    id: "conformance",
    verdict: "allow",
    priority: 100,
    on: ["request"],
    mode: "enforce",
    when: { origin: [origin] },
  };
  const { problems } = await dashboard.ask("rule.save", { rule });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
}
