/**
 * Chromium through puppeteer, which surfaces the popup and consent windows as pages. It never attaches to the worker: an
 * attached debugger keeps it alive, and its death is one of the things under test.
 */
import type { CDPSession, Frame, Page, Target } from "puppeteer-core";
import puppeteer, { type Browser } from "puppeteer-core";
import { DOOR_PAGES } from "../../src/bridge/doors.ts";
import { findBrowser } from "../browsers/find.ts";
import { CHROMIUM_FLAGS } from "./chromium-flags.ts";
import { ChromiumTab } from "./chromium-tab.ts";
import type { Driver, LaunchOptions, Tab } from "./driver.ts";
import { openProfile, type Profile } from "./profile.ts";
import { pause, until } from "./wait.ts";

export async function launchChromium(options: LaunchOptions): Promise<ChromiumDriver> {
  const executable = await findBrowser("chromium");
  const profile = openProfile(options.profile);
  const start = () => startTwice({ executable, folder: profile.folder, options });
  return new ChromiumDriver(await start(), profile, start);
}

const SHOW_VIEW = `(async (view) => {
  const ui = await import("./ui/legacy/legacy.js");
  await ui.ViewManager.ViewManager.instance().showView(view);
  return true;
})`;

interface Started {
  readonly browser: Browser;
  readonly extensionId: string;
}

export class ChromiumDriver implements Driver {
  readonly browser = "chromium";
  readonly #profile: Profile;
  readonly #start: () => Promise<Started>;
  #started: Started;
  #helper: Page | undefined;

  constructor(started: Started, profile: Profile, start: () => Promise<Started>) {
    this.#started = started;
    this.#profile = profile;
    this.#start = start;
  }

  get extensionId(): string {
    return this.#started.extensionId;
  }

  get baseUrl(): string {
    return `chrome-extension://${this.extensionId}`;
  }

  /** For what only puppeteer can do, such as the devtools panel. */
  get puppeteer(): Browser {
    return this.#started.browser;
  }

  async open(url: string): Promise<Tab> {
    const page = await this.puppeteer.newPage();
    await page.goto(url);
    return this.#tab(page);
  }

  extensionPage(path: string): Promise<Tab> {
    return this.open(`${this.baseUrl}${path}`);
  }

  async openPopup(over: Tab): Promise<Tab> {
    const helper = await this.#helperPage();
    await over.front();
    await helper.evaluate(`chrome.action.openPopup()`);
    return this.waitForWindow(DOOR_PAGES.popup);
  }

  async openPanel(over: Tab): Promise<Tab> {
    if (!(over instanceof ChromiumTab)) throw new Error("The developer tools belong to a tab of Chromium.");
    const tools = await over.page.openDevTools();
    const isPanel = (frame: Frame) => frame.url().startsWith(`${this.baseUrl}${DOOR_PAGES.panel}`);
    // Views of extensions are named by origin and title. Ours is added late, by our devtools page; before, nothing happens.
    const show = `${SHOW_VIEW}("${this.baseUrl}navra")`;
    const frame = await until(
      async () => {
        await tools.evaluate(show).catch(() => {});
        return tools.frames().find(isPanel);
      },
      { what: "the panel", timeoutMs: 15_000, everyMs: 200 },
    );
    return new ChromiumTab(tools, () => Promise.reject(new Error("The panel is in no tab.")), frame);
  }

  async waitForWindow(urlPart: string, timeoutMs = 10_000): Promise<Tab> {
    const target = await this.puppeteer.waitForTarget(this.#isAt(urlPart), { timeout: timeoutMs });
    return this.#tab((await target.page()) ?? (await target.asPage()));
  }

  async hasWindow(urlPart: string): Promise<boolean> {
    return this.puppeteer.targets().some(this.#isAt(urlPart));
  }

  #isAt(urlPart: string): (target: Target) => boolean {
    return (target) => target.url().startsWith(this.baseUrl) && target.url().includes(urlPart);
  }

  async killWorker(): Promise<void> {
    const worker = await this.#worker();
    if (worker === undefined) return;
    await this.#session((session) => session.send("Target.closeTarget", { targetId: worker }));
    await until(async () => (await this.#worker()) !== worker, { what: "the worker to end", timeoutMs: 5000 });
  }

  async workerRuns(): Promise<boolean> {
    return (await this.#worker()) !== undefined;
  }

  async restart(): Promise<void> {
    await this.#end();
    this.#started = await this.#start();
  }

  async close(): Promise<void> {
    await this.#end();
    this.#profile.discard();
  }

  ended(): Promise<void> {
    const { puppeteer } = this;
    return new Promise((resolve) =>
      puppeteer.connected ? puppeteer.once("disconnected", () => resolve()) : resolve(),
    );
  }

  async #end(): Promise<void> {
    this.#helper = undefined;
    const child = this.puppeteer.process();
    await this.puppeteer.close().catch(() => child?.kill("SIGKILL"));
  }

  async #worker(): Promise<string | undefined> {
    const { targetInfos } = await this.#session((session) => session.send("Target.getTargets", { filter: [{}] }));
    return targetInfos.find((info) => info.type === "service_worker" && info.url.startsWith(this.baseUrl))?.targetId;
  }

  async #session<T>(use: (session: CDPSession) => Promise<T>): Promise<T> {
    const session = await this.puppeteer.target().createCDPSession();
    try {
      return await use(session);
    } finally {
      await session.detach().catch(() => {});
    }
  }

  #tab(page: Page): Tab {
    return new ChromiumTab(page, (url) => this.#tabIdOf(page, url));
  }

  /** An extension page that opens no door to the worker, for the browser's own extension API. */
  async #helperPage(): Promise<Page> {
    if (this.#helper?.isClosed() === false) return this.#helper;
    this.#helper = await this.puppeteer.newPage();
    await this.#helper.goto(`${this.baseUrl}/manifest.json`);
    return this.#helper;
  }

  async #tabIdOf(page: Page, url: string): Promise<number> {
    const helper = await this.#helperPage();
    await page.bringToFront();
    const id = await helper.evaluate(
      `chrome.tabs.query({ active: true }).then((tabs) => tabs.find((tab) => tab.url === ${JSON.stringify(url)})?.id)`,
    );
    if (typeof id !== "number") throw new Error(`No active tab shows ${url}.`);
    return id;
  }
}

interface StartOptions {
  readonly executable: string;
  readonly folder: string;
  readonly options: LaunchOptions;
}

// A start that ends without a word was seen once in a great many; a second attempt is cheaper than a flaky run.
async function startTwice(how: StartOptions): Promise<Started> {
  try {
    return await startOnce(how);
  } catch (first) {
    console.error(`Chromium did not start, trying once more: ${String(first)}`);
    await pause(500);
    return startOnce(how);
  }
}

async function startOnce({ executable, folder, options }: StartOptions): Promise<Started> {
  const browser = await puppeteer.launch({
    executablePath: executable,
    headless: options.visible !== true,
    userDataDir: folder,
    pipe: true,
    enableExtensions: true,
    args: CHROMIUM_FLAGS,
    env: { ...process.env, ...options.environment },
    handleDevToolsAsPage: true,
    defaultViewport: null,
    timeout: 30_000,
  });
  try {
    return { browser, extensionId: await browser.installExtension(options.dist) };
  } catch (problem) {
    await browser.close().catch(() => {});
    throw problem;
  }
}
