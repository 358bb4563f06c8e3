/** Firefox through Marionette, with navra installed as from its package. No driver program in between. */
import { DOOR_PAGES } from "../../src/bridge/doors.ts";
import { findBrowser } from "../browsers/find.ts";
import type { Driver, LaunchOptions, Tab } from "./driver.ts";
import { FirefoxInnerPage } from "./firefox-inner-page.ts";
import { ADDON_ID, ADDON_UUID, type FirefoxProcess, startFirefox } from "./firefox-process.ts";
import { FirefoxSession } from "./firefox-session.ts";
import { FirefoxTab } from "./firefox-tab.ts";
import { openProfile, type Profile } from "./profile.ts";
import { until } from "./wait.ts";

export async function launchFirefox(options: LaunchOptions): Promise<FirefoxDriver> {
  const executable = await findBrowser("firefox");
  const profile = openProfile(options.profile);
  const start = async () => {
    const running = await startFirefox({
      executable,
      folder: profile.folder,
      dist: options.dist,
      visible: options.visible === true,
      home: options.home,
      environment: options.environment ?? {},
    });
    return { running, session: new FirefoxSession(running.marionette) };
  };
  const driver = new FirefoxDriver(await start(), profile, start);
  await driver.ready();
  return driver;
}

interface Started {
  readonly running: FirefoxProcess;
  readonly session: FirefoxSession;
}

export class FirefoxDriver implements Driver {
  readonly browser = "firefox";
  readonly extensionId = ADDON_ID;
  readonly baseUrl = `moz-extension://${ADDON_UUID}`;
  readonly #profile: Profile;
  readonly #start: () => Promise<Started>;
  #started: Started;

  constructor(started: Started, profile: Profile, start: () => Promise<Started>) {
    this.#started = started;
    this.#profile = profile;
    this.#start = start;
  }

  /** For what only Firefox's own code can do, such as the devtools panel. */
  get session(): FirefoxSession {
    return this.#started.session;
  }

  /** Until the add-on is there and its background has started. */
  async ready(): Promise<void> {
    await until(() => this.workerRuns(), { what: "the add-on to start", timeoutMs: 20_000 });
  }

  async open(url: string): Promise<Tab> {
    const made = (await this.session.command("WebDriver:NewWindow", { type: "tab" })) as { handle: string };
    await this.session.inWindow(made.handle, (send) => send("WebDriver:Navigate", { url }));
    const tab = new FirefoxTab(this.session, made.handle);
    await tab.front();
    return tab;
  }

  extensionPage(path: string): Promise<Tab> {
    return this.open(`${this.baseUrl}${path}`);
  }

  async openPopup(over: Tab): Promise<Tab> {
    await over.front();
    await this.session.inBrowser(async (id: string) => {
      // A window of ours has no toolbar, and while it closes it may still be the most recent.
      const window = [...Services.wm.getEnumerator("navigator:browser")].find((one) => one.toolbar.visible);
      const { extension } = WebExtensionPolicy.getByID(id);
      const { ExtensionParent } = ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs");
      await ExtensionParent.apiManager.global.browserActionFor(extension).openPopup(window);
    }, this.extensionId);
    return this.#innerPage(DOOR_PAGES.popup);
  }

  async openPanel(over: Tab): Promise<Tab> {
    await over.front();
    await this.session.inBrowser(async () => {
      const window = Services.wm.getMostRecentWindow("navigator:browser");
      const loader = ChromeUtils.importESModule("resource://devtools/shared/loader/Loader.sys.mjs");
      const { gDevTools } = loader.require("devtools/client/framework/devtools");
      const toolbox = await gDevTools.showToolboxForTab(window.gBrowser.selectedTab, { hostType: "bottom" });
      const ours = () => toolbox.getAdditionalTools().find((tool: { label: string }) => tool.label === "navra");
      // The panel is added by our devtools page, which loads after the toolbox.
      for (let waited = 0; !ours(); waited += 100) {
        if (waited > 15_000) throw new Error("The developer tools got no panel of navra's.");
        await new Promise((resolve) => window.setTimeout(resolve, 100));
      }
      await toolbox.selectTool(ours().id);
    });
    return this.#innerPage(DOOR_PAGES.panel);
  }

  async waitForWindow(urlPart: string, timeoutMs = 10_000): Promise<Tab> {
    return until(() => this.#windowAt(urlPart), { what: `a window at ${urlPart}`, timeoutMs });
  }

  async hasWindow(urlPart: string): Promise<boolean> {
    return (await this.#windowAt(urlPart)) !== undefined;
  }

  async killWorker(): Promise<void> {
    await this.session.inBrowser(async (id: string) => {
      const { extension } = WebExtensionPolicy.getByID(id);
      await extension.terminateBackground({ ignoreDevToolsAttached: true, disableResetIdleForTest: true });
    }, this.extensionId);
  }

  async workerRuns(): Promise<boolean> {
    const state = await this.session.inBrowser(
      (id: string) => String(WebExtensionPolicy.getByID(id)?.extension?.backgroundState),
      this.extensionId,
    );
    return state === "running";
  }

  async restart(): Promise<void> {
    await this.#started.running.end();
    this.#started = await this.#start();
    await this.ready();
  }

  async close(): Promise<void> {
    await this.#started.running.end();
    this.#profile.discard();
  }

  ended(): Promise<void> {
    return this.#started.running.ended;
  }

  async #innerPage(path: string): Promise<Tab> {
    const page = new FirefoxInnerPage(this.session, `${this.baseUrl}${path}`);
    await page.waitFor("body");
    return page;
  }

  async #windowAt(urlPart: string): Promise<Tab | undefined> {
    const handles = (await this.session.command("WebDriver:GetWindowHandles")) as readonly string[];
    for (const handle of handles) {
      const tab = new FirefoxTab(this.session, handle);
      const url = await tab.url().catch(() => "");
      if (url.startsWith(this.baseUrl) && url.includes(urlPart)) return tab;
    }
    return undefined;
  }
}
