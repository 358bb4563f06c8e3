/**
 * Marionette has one current window and one current context for the whole connection. Everything here takes its turn:
 * switch, act, and only then the next. Long evaluations are started in the page and asked for in short turns, so that a call
 * that waits for the person does not stop the driver from being that person.
 */
import { callText } from "./expression.ts";
import type { Marionette } from "./marionette.ts";
import { pause } from "./wait.ts";

export class FirefoxSession {
  readonly #marionette: Marionette;
  #turn: Promise<unknown> = Promise.resolve();
  #home: string | undefined;
  #lastRun = 0;

  constructor(marionette: Marionette) {
    this.#marionette = marionette;
  }

  /** Commands that are about no window in particular; a new tab opens in the browser's first window. */
  command(name: string, params?: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.#inTurn(async () => {
      await this.#goHome();
      return this.#marionette.send(name, params);
    });
  }

  /** The steps share one turn in that window. */
  inWindow<T>(handle: string, steps: (send: Marionette["send"]) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      await this.#marionette.send("WebDriver:SwitchToWindow", { handle, focus: false });
      return steps((name, params) => this.#marionette.send(name, params));
    });
  }

  /** Runs in the browser's own process, with its privileges. The function must be self-contained. */
  inBrowser<Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    return this.#inTurn(async () => {
      await this.#goHome();
      await this.#marionette.send("Marionette:SetContext", { value: "chrome" });
      try {
        return (await this.#async(callText(run, args), "system")) as Result;
      } finally {
        await this.#marionette.send("Marionette:SetContext", { value: "content" });
      }
    });
  }

  async evaluate(handle: string, text: string): Promise<unknown> {
    this.#lastRun += 1;
    const run = `navra-driver-${this.#lastRun}`;
    await this.inWindow(handle, (send) =>
      send("WebDriver:ExecuteScript", { script: startScript(run, text), args: [], sandbox: null }),
    );
    for (let wait = 0; ; wait = Math.min(wait + 5, 50)) {
      const state = await this.inWindow(handle, (send) =>
        send("WebDriver:ExecuteScript", { script: askScript(run), args: [], sandbox: null }),
      );
      const answer = (state as { value: { value?: unknown; problem?: string } | null }).value;
      if (answer?.problem !== undefined) throw new Error(answer.problem);
      if (answer !== null) return answer.value === null ? undefined : answer.value;
      await pause(wait);
    }
  }

  async #async(text: string, sandbox: string | null): Promise<unknown> {
    const script = `const done = arguments[arguments.length - 1];
      (async () => ${text})().then((value) => done({ value }), (problem) => done({ problem: String(problem?.stack ?? problem) }));`;
    const answer = await this.#marionette.send("WebDriver:ExecuteAsyncScript", { script, args: [], sandbox });
    const { value, problem } = (answer as { value: { value?: unknown; problem?: string } }).value;
    if (problem !== undefined) throw new Error(problem);
    return value;
  }

  /** The browser's first tab stays open; a closed window would leave the connection without a current one. */
  async #goHome(): Promise<void> {
    const handles = (await this.#marionette.send("WebDriver:GetWindowHandles")) as readonly string[];
    this.#home ??= handles[0];
    await this.#marionette.send("WebDriver:SwitchToWindow", { handle: this.#home, focus: false });
  }

  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(step);
    this.#turn = mine.catch(() => {});
    return mine;
  }
}

function startScript(run: string, text: string): string {
  return `const runs = (window["navra driver"] ??= {});
    (async () => ${text})().then(
      (value) => { runs["${run}"] = { value }; },
      (problem) => { runs["${run}"] = { problem: String(problem?.message ?? problem) + "\\n" + String(problem?.stack ?? "") }; });`;
}

function askScript(run: string): string {
  return `const runs = window["navra driver"];
    if (runs === undefined) return { problem: "The page went away while the driver waited for it." };
    const answer = runs["${run}"] ?? null;
    if (answer !== null) delete runs["${run}"];
    return answer;`;
}
