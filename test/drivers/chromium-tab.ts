/**
 * A tab or window of Chromium as the common interface sees it. Input goes through the browser, so the page sees trusted
 * events. Scripts are run without puppeteer's own `evaluate`, which counts as the person's act.
 */
import { writeFileSync } from "node:fs";
import type { CDPSession, Frame, KeyInput, Page } from "puppeteer-core";
import type { Tab } from "./driver.ts";
import { callText, conditionText, visibleText } from "./expression.ts";
import { untilShown } from "./sight.ts";
import { until } from "./wait.ts";

export class ChromiumTab implements Tab {
  readonly page: Page;
  readonly #tabIdOf: (url: string) => Promise<number>;
  /** A page inside another, such as the panel in the developer tools; input goes by puppeteer's own way there. */
  readonly #frame: Frame | undefined;
  #session: Promise<CDPSession> | undefined;

  constructor(page: Page, tabIdOf: (url: string) => Promise<number>, frame?: Frame) {
    this.page = page;
    this.#tabIdOf = tabIdOf;
    this.#frame = frame;
  }

  async evaluate<Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    return (await this.#run(callText(run, args))) as Result;
  }

  async click(selector: string): Promise<void> {
    await this.waitFor(selector);
    await (this.#frame ?? this.page).click(selector);
  }

  async clickInside(frame: string, selector: string): Promise<void> {
    const inner = await (await this.page.waitForSelector(frame))?.contentFrame();
    const element = await inner?.waitForSelector(selector);
    if (!element) throw new Error(`Nothing matches ${selector} inside ${frame}.`);
    await element.click();
  }

  async type(selector: string, text: string): Promise<void> {
    await this.waitFor(selector);
    await (this.#frame ?? this.page).focus(selector);
    await this.page.keyboard.type(text);
  }

  async press(key: string): Promise<void> {
    const { keyboard } = this.page;
    if (!key.startsWith("Shift+")) return keyboard.press(key as KeyInput);
    await keyboard.down("Shift");
    await keyboard.press(key.slice("Shift+".length) as KeyInput);
    await keyboard.up("Shift");
  }

  async hold(key: string, times: number): Promise<void> {
    for (let down = 0; down <= times; down++) await this.page.keyboard.down(key as KeyInput);
    await this.page.keyboard.up(key as KeyInput);
  }

  async text(selector: string): Promise<string> {
    await this.waitFor(selector);
    return this.evaluate(visibleText, selector);
  }

  async waitFor(condition: string | (() => unknown), timeoutMs = 10_000): Promise<void> {
    const wanted = { condition: conditionText(condition), what: String(condition), timeoutMs };
    await untilShown(this, (expression) => this.#run(expression), wanted);
  }

  async screenshot(path: string): Promise<void> {
    writeFileSync(path, await this.page.screenshot({ type: "png" }));
  }

  async url(): Promise<string> {
    return this.page.url();
  }

  async tabId(): Promise<number> {
    return this.#tabIdOf(this.page.url());
  }

  async front(): Promise<void> {
    const focus = async (): Promise<boolean> => {
      await this.page.bringToFront();
      return this.evaluate(() => document.hasFocus());
    };
    await until(focus, { what: "the page to have the focus", timeoutMs: 15_000, everyMs: 100 });
  }

  async reload(): Promise<void> {
    await this.page.reload();
  }

  async close(): Promise<void> {
    // One that closes by itself meanwhile is closed.
    if (!this.page.isClosed()) await this.page.close().catch(() => {});
    await until(() => this.closed(), { what: `${this.page.url()} to close`, timeoutMs: 10_000 });
  }

  async closed(): Promise<boolean> {
    return this.page.isClosed();
  }

  async #run(expression: string): Promise<unknown> {
    if (this.#frame !== undefined) return this.#frame.evaluate(expression);
    this.#session ??= this.page.createCDPSession();
    const session = await this.#session;
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: false,
      allowUnsafeEvalBlockedByCSP: false,
    });
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }
}
