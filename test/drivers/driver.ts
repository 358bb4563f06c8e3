/**
 * One way to drive either browser, so that one journey is written once and walked in both. A driver loads the built
 * extension, opens pages and navra's own pages, ends the worker, and starts the browser again on the same profile. It
 * reaches navra only as a person or a page can: there is no test hook in the product.
 */
import type { BrowserName } from "../browsers/find.ts";
import { launchChromium } from "./chromium.ts";
import { launchFirefox } from "./firefox.ts";

export interface LaunchOptions {
  readonly browser: BrowserName;
  /** The built extension's folder. */
  readonly dist: string;
  /** A profile to use and keep; a new one, removed at the end, where absent. */
  readonly profile?: string;
  /** Shows the browser; needs a display. */
  readonly visible?: boolean;
  /** The home folder the browser sees; Firefox looks there for what an organisation set. */
  readonly home?: string;
  /** Added to the browser's environment, and so to that of the programs it starts. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Driver {
  readonly browser: BrowserName;
  readonly extensionId: string;
  /** Root of the extension's pages, without a slash at the end. */
  readonly baseUrl: string;
  open(url: string): Promise<Tab>;
  /** Opens a page of navra's in a tab; the path begins with a slash. */
  extensionPage(path: string): Promise<Tab>;
  /** The toolbar popup as it opens over the given tab. */
  openPopup(over: Tab): Promise<Tab>;
  /** navra's panel in the developer tools of the given tab. */
  openPanel(over: Tab): Promise<Tab>;
  /** A window or tab that navra opens by itself, such as the consent window. */
  waitForWindow(urlPart: string, timeoutMs?: number): Promise<Tab>;
  /** Whether such a window stands now. */
  hasWindow(urlPart: string): Promise<boolean>;
  /** Ends the worker as the browser would; the next event starts it again. */
  killWorker(): Promise<void>;
  /** Whether the worker runs now. Asking does not keep it alive. */
  workerRuns(): Promise<boolean>;
  /** Ends the browser and starts it again on the same profile. Tabs from before are gone. */
  restart(): Promise<void>;
  close(): Promise<void>;
  /** When the browser has ended, by whoever's hand. */
  ended(): Promise<void>;
}

export interface Tab {
  /** Runs in the page's own world; arguments and result are JSON. A promise is awaited, and other tabs stay usable. */
  evaluate<Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>;
  /** A trusted click in the middle of the element; counts as the person's own act. */
  click(selector: string): Promise<void>;
  /** The same on an element inside a frame of the page. */
  clickInside(frame: string, selector: string): Promise<void>;
  /** Focuses the element and types. */
  type(selector: string, text: string): Promise<void>;
  /** One key by its DOM name, such as `Enter`, `Escape`, `a`, or with Shift held as in `Shift+Tab`. */
  press(key: string): Promise<void>;
  /** Keeps one key down so long that it repeats so many times, then lets it go. */
  hold(key: string, times: number): Promise<void>;
  /** Visible text of the element. */
  text(selector: string): Promise<string>;
  /** Until the selector matches, or the function gives something truthy. */
  waitFor(condition: string | (() => unknown), timeoutMs?: number): Promise<void>;
  screenshot(path: string): Promise<void>;
  url(): Promise<string>;
  /** The tab's id as extension pages know it. */
  tabId(): Promise<number>;
  front(): Promise<void>;
  reload(): Promise<void>;
  close(): Promise<void>;
  closed(): Promise<boolean>;
}

export async function launch(options: LaunchOptions): Promise<Driver> {
  return options.browser === "chromium" ? launchChromium(options) : launchFirefox(options);
}
