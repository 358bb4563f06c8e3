/**
 * The worker lives while a call is open, longer than the browser would let it, and ends soon after. Walked in Chromium
 * without any debugger near the worker, because one that is attached hides exactly this.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SiteView } from "../../src/bridge/control-api.ts";
import { DOOR_PAGES } from "../../src/bridge/doors.ts";
import { distOf } from "../demo/scene.ts";
import { type AgentSite, serveAgentPage } from "../demo/serve.ts";
import { type BareChromium, type BarePage, launchBareChromium } from "../drivers/chromium-bare.ts";
import { askInPage } from "../drivers/control.ts";
import { until } from "../drivers/wait.ts";
import { type RunningServers, startServers } from "../servers/start.ts";
import { journeyBrowsers } from "./browsers.ts";

describe.runIf(journeyBrowsers().includes("chromium"))("An undisturbed worker", () => {
  let chromium: BareChromium;
  let servers: RunningServers;
  let site: AgentSite;
  let page: BarePage;

  beforeAll(async () => {
    [chromium, servers, site] = await Promise.all([
      launchBareChromium(distOf("chromium")),
      startServers({ share: true }),
      serveAgentPage(),
    ]);
    page = await chromium.open(site.url);
    await connectFromPopup(chromium, servers.share);
  });
  afterAll(() => Promise.allSettled([chromium?.close(), servers?.stop(), site?.stop()]));

  it("carries a call to its end that is silent for 45 seconds", { timeout: 90_000 }, async () => {
    const ending = await page.evaluate(() =>
      window.agent.call({ server: "srift", name: "srift_slow", arguments: { seconds: 45 }, quiet: true }),
    );
    expect(ending).toMatchObject({ ok: true, text: "Took 45 seconds." });
  });

  it("is ended by the browser when nothing is open", { timeout: 90_000 }, async () => {
    await until(async () => !(await chromium.workerRuns()), {
      what: "the worker to end",
      timeoutMs: 80_000,
      everyMs: 500,
    });
  });

  it("wakes for the next call", async () => {
    const ending = await page.evaluate(() =>
      window.agent.call({ server: "srift", name: "srift_list_shares", arguments: {} }),
    );
    expect(ending).toMatchObject({ ok: true });
  });
});

/** The person's own way without a consent window: adds the server in the dashboard, connects this site in the popup. */
async function connectFromPopup(chromium: BareChromium, url: string): Promise<void> {
  const dashboard = await chromium.open(`${chromium.baseUrl}${DOOR_PAGES.dashboard}`);
  const added = await dashboard.evaluate(askInPage, "dashboard" as const, {
    method: "server.add" as const,
    params: { draft: { name: "srift", url, trust: "trusted" } },
  });
  const { server } = resultOf(added) as { server: { id: string } };
  await dashboard.evaluate(askInPage, "dashboard" as const, {
    method: "server.test" as const,
    params: { id: server.id },
  });
  const popup = await chromium.open(`${chromium.baseUrl}${DOOR_PAGES.popup}`);
  const tabId = await popup.evaluate(async () => {
    const { chrome } = globalThis as unknown as {
      chrome: { tabs: { query(query: object): Promise<readonly { id: number; url?: string }[]> } };
    };
    return (await chrome.tabs.query({})).find((tab) => tab.url?.startsWith("http://127.0.0.1"))?.id ?? -1;
  });
  const view = resultOf(
    await popup.evaluate(askInPage, "popup" as const, { method: "site.read" as const, params: { tabId } }),
  ) as SiteView;
  const tools = ["srift_slow", "srift_list_shares"];
  resultOf(
    await popup.evaluate(askInPage, "popup" as const, {
      method: "site.connect" as const,
      params: { principal: view.principal, serverId: server.id, tools },
    }),
  );
  // A page of ours that someone looks at wakes the worker again whenever it ends.
  await popup.close();
  await dashboard.close();
}

function resultOf(answer: { readonly result?: unknown } | { readonly problem: string }): unknown {
  if ("problem" in answer) throw new Error(answer.problem);
  return "result" in answer ? answer.result : undefined;
}
