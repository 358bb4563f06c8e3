/**
 * Pages of ours that live in Firefox's own furniture, the toolbar popup and the developer tools' panel, are no tabs to
 * WebDriver. They are reached through the browser's own code; clicks and keys are made in their documents.
 */
import { writeFileSync } from "node:fs";
import type { Tab } from "./driver.ts";
import { callText, conditionText, visibleText } from "./expression.ts";
import type { FirefoxSession } from "./firefox-session.ts";
import { untilShown } from "./sight.ts";
import { until } from "./wait.ts";

export class FirefoxInnerPage implements Tab {
  readonly #session: FirefoxSession;
  /** The page's address begins with this. */
  readonly #address: string;

  constructor(session: FirefoxSession, address: string) {
    this.#session = session;
    this.#address = address;
  }

  async evaluate<Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    return (await this.#run(callText(run, args))) as Result;
  }

  async click(selector: string): Promise<void> {
    await this.waitFor(selector);
    await this.evaluate((wanted: string) => document.querySelector<HTMLElement>(wanted)?.click(), selector);
  }

  async clickInside(): Promise<void> {
    throw new Error("navra's own inner pages have no frames.");
  }

  async type(selector: string, text: string): Promise<void> {
    await this.waitFor(selector);
    await this.evaluate(
      (wanted: string, more: string) => {
        const field = document.querySelector<HTMLInputElement>(wanted);
        field?.focus();
        field?.setRangeText(more, field.value.length, field.value.length, "end");
        field?.dispatchEvent(new InputEvent("input", { bubbles: true, data: more }));
      },
      selector,
      text,
    );
  }

  async press(key: string): Promise<void> {
    await this.evaluate((name: string) => {
      const target = document.activeElement ?? document.body;
      for (const type of ["keydown", "keyup"]) {
        target.dispatchEvent(new KeyboardEvent(type, { key: name, bubbles: true, cancelable: true }));
      }
    }, key);
  }

  async hold(key: string, times: number): Promise<void> {
    for (let down = 0; down <= times; down++) await this.press(key);
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
    const url = String(await this.#inside("snapshot", ""));
    writeFileSync(path, Buffer.from(url.slice(url.indexOf(",") + 1), "base64"));
  }

  url(): Promise<string> {
    return this.evaluate(() => location.href);
  }

  async tabId(): Promise<number> {
    throw new Error("This page is in no tab.");
  }

  async front(): Promise<void> {}

  async reload(): Promise<void> {
    await this.evaluate(() => location.reload());
  }

  async close(): Promise<void> {
    // One that closes by itself meanwhile is closed.
    await this.#inside("close", "").catch(() => {});
    await until(() => this.closed(), { what: `${this.#address} to close`, timeoutMs: 10_000 });
  }

  async closed(): Promise<boolean> {
    return (await this.#inside("present", "")) !== true;
  }

  #run(text: string): Promise<unknown> {
    return this.#inside(
      "run",
      `const done = arguments[arguments.length - 1];
       (async () => ${text})().then((value) => done({ value }), (problem) => done({ problem: String(problem) }));`,
    );
  }

  #inside(what: "run" | "snapshot" | "close" | "present", script: string): Promise<unknown> {
    return this.#session.inBrowser(insideFurniture, what, this.#address, script);
  }
}

/** Runs in the browser's own process; Marionette's agent in the page's process runs scripts, as it does for tabs. */
async function insideFurniture(what: string, address: string, script: string): Promise<unknown> {
  // A window of ours has no toolbar, and while it closes it may still be the most recent.
  const window = [...Services.wm.getEnumerator("navigator:browser")].find((one) => one.toolbar.visible);
  const documents = [window.document];
  for (const document of documents) {
    // The toolbox is a document of the browser's own inside another; a page's document is not to be had from here.
    for (const frame of document.querySelectorAll("iframe, browser")) {
      if (frame.contentDocument) documents.push(frame.contentDocument);
    }
  }
  const page = documents
    .flatMap((document) => [...document.querySelectorAll("browser")])
    .find((one) => one.currentURI?.spec.startsWith(address) && !window.gBrowser.getTabForBrowser(one));
  if (what === "present") return page !== undefined;
  if (page === undefined) throw new Error("The page is not open.");
  if (what === "close") return page.closest("panel")?.hidePopup();
  if (what === "snapshot") {
    const bitmap = await page.browsingContext.currentWindowGlobal.drawSnapshot(null, 1, "white");
    const canvas = window.document.createElementNS("http://www.w3.org/1999/xhtml", "canvas");
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    return canvas.toDataURL("image/png");
  }
  const agent = page.browsingContext.currentWindowGlobal.getActor("MarionetteCommands");
  const answer = await agent.executeScript(script, [], {
    timeout: 30_000,
    sandboxName: null,
    newSandbox: true,
    file: "navra-driver",
    line: 1,
    async: true,
  });
  if (answer?.problem !== undefined) throw new Error(answer.problem);
  return answer?.value;
}
