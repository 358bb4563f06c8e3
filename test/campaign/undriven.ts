/**
 * A browser that is set up, and then left alone: nothing is attached to the page or to the worker while a campaign runs,
 * because whatever attaches keeps the worker alive and hides what a person's browser does.
 */
import { DOOR_PAGES } from "../../src/bridge/doors.ts";
import type { BrowserName } from "../browsers/find.ts";
import { distOf } from "../demo/scene.ts";
import { launchBareChromium } from "../drivers/chromium-bare.ts";
import { askInPage } from "../drivers/control.ts";
import { launchFirefox } from "../drivers/firefox.ts";

interface Page {
  evaluate<Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>;
  close(): Promise<void>;
}

export interface Undriven {
  open(url: string): Promise<Page>;
  /** Lets go of the page; it stays open. */
  leave(page: Page): Promise<void>;
  /** What tells one run of the worker from another, as far as this browser says; nothing while it does not run. */
  worker(): Promise<string | undefined>;
  /** Registers the server and connects the site, through navra's own doors as its pages do. */
  connect(origin: string, server: { readonly name: string; readonly url: string }): Promise<void>;
  close(): Promise<void>;
}

export async function launchUndriven(browser: BrowserName): Promise<Undriven> {
  return browser === "chromium" ? chromium() : firefox();
}

async function chromium(): Promise<Undriven> {
  const browser = await launchBareChromium(distOf("chromium"));
  return {
    open: browser.open,
    leave: (page) => (page as Awaited<ReturnType<typeof browser.open>>).detach(),
    worker: browser.workerId,
    connect: (origin, server) => connect(browser, principalOf(origin, "default"), server),
    close: browser.close,
  };
}

/** Its remote protocol looks at pages only while a command runs, and at the worker never. */
async function firefox(): Promise<Undriven> {
  const driver = await launchFirefox({ browser: "firefox", dist: distOf("firefox") });
  return {
    open: (url) => driver.open(url),
    leave: async () => undefined,
    worker: async () => ((await driver.workerRuns()) ? "running" : undefined),
    connect: (origin, server) => connect(driver, principalOf(origin, "firefox-default"), server),
    close: () => driver.close(),
  };
}

interface Principal {
  readonly origin: string;
  readonly topSite: string;
  readonly cookieStore: string;
  readonly private: false;
}

function principalOf(origin: string, cookieStore: string): Principal {
  return { origin, topSite: origin, cookieStore, private: false };
}

async function connect(
  browser: { readonly baseUrl: string; open(url: string): Promise<Page> },
  principal: Principal,
  { name, url }: { readonly name: string; readonly url: string },
): Promise<void> {
  const dashboard = await browser.open(`${browser.baseUrl}${DOOR_PAGES.dashboard}`);
  const draft = { name, url, trust: "trusted" as const };
  const added = await dashboard.evaluate(askInPage, "dashboard", { method: "server.add", params: { draft } });
  const { server } = resultOf(added) as { server: { id: string } };
  const popup = await browser.open(`${browser.baseUrl}${DOOR_PAGES.popup}`);
  const params = { principal, serverId: server.id, tools: [] };
  resultOf(await popup.evaluate(askInPage, "popup", { method: "site.connect", params }));
  // An open page of navra's would wake the worker again whenever it ends.
  for (const page of [dashboard, popup]) await page.close();
}

function resultOf(answer: { readonly result?: unknown } | { readonly problem: string }): unknown {
  if ("problem" in answer) throw new Error(answer.problem);
  return "result" in answer ? answer.result : undefined;
}
