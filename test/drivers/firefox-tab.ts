/** A tab or window of Firefox as the common interface sees it. Input goes through the browser, so the page sees trusted events. */
import { writeFileSync } from "node:fs";
import type { Tab } from "./driver.ts";
import { callText, conditionText, visibleText } from "./expression.ts";
import type { FirefoxSession } from "./firefox-session.ts";
import { untilShown } from "./sight.ts";
import { until } from "./wait.ts";

/** The key under which WebDriver refers to an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

export class FirefoxTab implements Tab {
  readonly handle: string;
  readonly #session: FirefoxSession;

  constructor(session: FirefoxSession, handle: string) {
    this.#session = session;
    this.handle = handle;
  }

  async evaluate<Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    return (await this.#session.evaluate(this.handle, callText(run, args))) as Result;
  }

  async click(selector: string): Promise<void> {
    await this.waitFor(selector);
    await this.#onElement(selector, async (send, element) => {
      await send("WebDriver:ElementClick", { id: element });
    });
  }

  async clickInside(frame: string, selector: string): Promise<void> {
    await this.waitFor(frame);
    const click = () =>
      this.#onElement(frame, async (send, element) => {
        await send("WebDriver:SwitchToFrame", { element });
        const found = await send("WebDriver:FindElements", { using: "css selector", value: selector });
        const inner = (found as readonly Record<string, string>[])[0]?.[ELEMENT];
        if (inner !== undefined) await send("WebDriver:ElementClick", { id: inner });
        await send("WebDriver:SwitchToFrame", { element: null });
        return inner !== undefined;
      });
    await until(click, { what: `${selector} inside ${frame}`, timeoutMs: 10_000 });
  }

  async type(selector: string, text: string): Promise<void> {
    await this.waitFor(selector);
    await this.#onElement(selector, async (send, element) => {
      await send("WebDriver:ElementSendKeys", { id: element, text });
    });
  }

  async press(key: string): Promise<void> {
    await this.hold(key, 0);
  }

  async hold(key: string, times: number): Promise<void> {
    const shift = key.startsWith("Shift+");
    const name = shift ? key.slice("Shift+".length) : key;
    const value = KEYS[name] ?? name;
    // A key that goes down again before it came up is a repetition.
    const downs = Array.from({ length: times + 1 }, () => ({ type: "keyDown", value }));
    const strokes = [...downs, { type: "keyUp", value }];
    const actions = shift ? [{ type: "keyDown", value: SHIFT }, ...strokes, { type: "keyUp", value: SHIFT }] : strokes;
    await this.#session.inWindow(this.handle, async (send) => {
      const run = (script: string) => send("WebDriver:ExecuteScript", { script, args: [], sandbox: null });
      await run(WATCH_KEY);
      await send("WebDriver:PerformActions", { actions: [{ type: "key", id: "keyboard", actions }] });
      const isUp = (answer: unknown) => (answer as { value: unknown }).value === true;
      await until(() => run(KEY_IS_UP).then(isUp, () => true), {
        what: `${key} to come up in the page`,
        timeoutMs: 10_000,
        everyMs: 5,
      });
    });
  }

  async text(selector: string): Promise<string> {
    await this.waitFor(selector);
    return this.evaluate(visibleText, selector);
  }

  async waitFor(condition: string | (() => unknown), timeoutMs = 10_000): Promise<void> {
    const wanted = { condition: conditionText(condition), what: String(condition), timeoutMs };
    await untilShown(this, (expression) => this.#session.evaluate(this.handle, expression), wanted);
  }

  async screenshot(path: string): Promise<void> {
    const shot = await this.#session.inWindow(this.handle, (send) => send("WebDriver:TakeScreenshot", { full: false }));
    writeFileSync(path, Buffer.from((shot as { value: string }).value, "base64"));
  }

  async url(): Promise<string> {
    const url = await this.#session.inWindow(this.handle, (send) => send("WebDriver:GetCurrentURL"));
    return (url as { value: string }).value;
  }

  async tabId(): Promise<number> {
    await this.front();
    return this.#session.inBrowser(() => {
      const { ExtensionParent } = ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs");
      const window = Services.wm.getMostRecentWindow("navigator:browser");
      return ExtensionParent.apiManager.global.tabTracker.getId(window.gBrowser.selectedTab);
    });
  }

  async front(): Promise<void> {
    await until(() => this.#focus(), { what: "the page to have the focus", timeoutMs: 15_000, everyMs: 100 });
  }

  /** A new tab leaves the focus in the address bar, and keys would go there. The page hears of its focus a little later. */
  async #focus(): Promise<boolean> {
    await this.#session.command("WebDriver:SwitchToWindow", { handle: this.handle, focus: true });
    await this.#session.inWindow(this.handle, async (send) => {
      await send("Marionette:SetContext", { value: "chrome" });
      try {
        await send("WebDriver:ExecuteScript", {
          script: "gBrowser.selectedBrowser.focus();",
          args: [],
          sandbox: "system",
        });
      } finally {
        await send("Marionette:SetContext", { value: "content" });
      }
    });
    return this.evaluate(() => document.hasFocus());
  }

  async reload(): Promise<void> {
    await this.#session.inWindow(this.handle, (send) => send("WebDriver:Refresh"));
  }

  async close(): Promise<void> {
    if (await this.closed()) return;
    // One that closes by itself meanwhile is closed.
    await this.#session.inWindow(this.handle, (send) => send("WebDriver:CloseWindow")).catch(() => {});
    await until(() => this.closed(), { what: "the window to close", timeoutMs: 10_000 });
  }

  async closed(): Promise<boolean> {
    const handles = (await this.#session.command("WebDriver:GetWindowHandles")) as readonly string[];
    return !handles.includes(this.handle);
  }

  #onElement<T>(
    selector: string,
    act: (send: (name: string, params: Record<string, unknown>) => Promise<unknown>, element: string) => Promise<T>,
  ): Promise<T> {
    return this.#session.inWindow(this.handle, async (send) => {
      const found = await send("WebDriver:FindElement", { using: "css selector", value: selector });
      const element = (found as { value: Record<string, string> }).value[ELEMENT];
      if (element === undefined) throw new Error(`Nothing matches ${selector}.`);
      return act(send, element);
    });
  }
}

/**
 * Firefox has taken a key when it says so; the page has it later. Until it came up there, what is read may be older. A page
 * that went away by the key has nothing more to come.
 */
const WATCH_KEY = `window["navra key"] = false;
  addEventListener("keyup", () => { window["navra key"] = true; }, { capture: true, once: true });`;
const KEY_IS_UP = `return window["navra key"] !== false;`;

/** WebDriver's private-use characters for keys without a character of their own. */
const SHIFT = "\uE008";
const KEYS: Readonly<Record<string, string>> = {
  Enter: "\uE007",
  Escape: "\uE00C",
  Tab: "\uE004",
  Space: " ",
  Backspace: "\uE003",
  Delete: "\uE017",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
  PageDown: "\uE00F",
};
