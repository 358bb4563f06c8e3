/**
 * Chromium over the bare debugging pipe: it attaches to nothing that it was not asked to, so what it says of the worker's
 * life is what a person's browser does. A debugger that attaches, even silently, keeps a worker alive.
 *
 * @see https://chromedevtools.github.io/devtools-protocol/tot/Target/
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { findBrowser } from "../browsers/find.ts";
import { CHROMIUM_FLAGS } from "./chromium-flags.ts";
import { callText } from "./expression.ts";
import { openProfile } from "./profile.ts";
import { until } from "./wait.ts";

export interface BarePage {
  readonly targetId: string;
  evaluate<Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>;
  /** A trusted click at the element's middle. */
  click(selector: string): Promise<void>;
  front(): Promise<void>;
  /** Lets go of it: it goes on by itself, with nothing attached, and cannot be driven any more. */
  detach(): Promise<void>;
  close(): Promise<void>;
}

export interface BareChromium {
  readonly extensionId: string;
  readonly baseUrl: string;
  open(url: string): Promise<BarePage>;
  /** Attaches to a page that is already there. */
  waitForPage(urlPart: string, timeoutMs: number): Promise<BarePage>;
  workerRuns(): Promise<boolean>;
  /** Another one after each start of the worker; nothing while it does not run. */
  workerId(): Promise<string | undefined>;
  killWorker(): Promise<void>;
  close(): Promise<void>;
}

export interface BareOptions {
  readonly profile?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export async function launchBareChromium(dist: string, options: BareOptions = {}): Promise<BareChromium> {
  const executable = await findBrowser("chromium");
  const profile = openProfile(options.profile);
  const child = spawn(
    executable,
    [
      "--headless=new",
      ...CHROMIUM_FLAGS,
      "--remote-debugging-pipe",
      "--enable-unsafe-extension-debugging",
      `--user-data-dir=${profile.folder}`,
      "about:blank",
    ],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], env: { ...process.env, ...options.environment } },
  );
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const send = speak(child);
  const { id } = (await send("Extensions.loadUnpacked", { path: dist })) as { id: string };
  const baseUrl = `chrome-extension://${id}`;
  const targets = async () =>
    ((await send("Target.getTargets", { filter: [{}] })) as { targetInfos: readonly TargetInfo[] }).targetInfos;
  const worker = async () =>
    (await targets()).find((target) => target.type === "service_worker" && target.url.startsWith(baseUrl));

  return {
    extensionId: id,
    baseUrl,
    async open(url) {
      const { targetId } = (await send("Target.createTarget", { url })) as { targetId: string };
      const page = await attach(send, targetId);
      await until(
        () =>
          page.evaluate(() => location.href !== "about:blank" && document.readyState === "complete").catch(() => false),
        {
          what: url,
          timeoutMs: 10_000,
        },
      );
      return page;
    },
    async waitForPage(urlPart, timeoutMs) {
      const target = await until(
        async () => (await targets()).find((one) => one.type === "page" && one.url.includes(urlPart)),
        { what: `a page at ${urlPart}`, timeoutMs },
      );
      return attach(send, target.targetId);
    },
    async workerRuns() {
      return (await worker()) !== undefined;
    },
    async workerId() {
      return (await worker())?.targetId;
    },
    async killWorker() {
      const target = await worker();
      if (target !== undefined) await send("Target.closeTarget", { targetId: target.targetId });
    },
    async close() {
      process.off("exit", kill);
      const gone = new Promise((resolve) => child.once("exit", resolve));
      send("Browser.close").catch(() => {});
      const late = setTimeout(kill, 5000);
      await gone;
      clearTimeout(late);
      profile.discard();
    },
  };
}

interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
}

type Send = (method: string, params?: object, sessionId?: string) => Promise<unknown>;

async function attach(send: Send, targetId: string): Promise<BarePage> {
  const { sessionId } = (await send("Target.attachToTarget", { targetId, flatten: true })) as { sessionId: string };
  const page: BarePage = {
    targetId,
    async evaluate<Args extends readonly unknown[], Result>(
      run: (...args: Args) => Result | Promise<Result>,
      ...args: Args
    ) {
      const params = {
        expression: callText(run, args),
        awaitPromise: true,
        returnByValue: true,
        allowUnsafeEvalBlockedByCSP: false,
      };
      const answer = (await send("Runtime.evaluate", params, sessionId)) as Evaluated;
      if (answer.exceptionDetails !== undefined) {
        throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
      }
      return answer.result.value as Result;
    },
    async close() {
      await send("Target.closeTarget", { targetId });
    },
    async detach() {
      await send("Target.detachFromTarget", { sessionId });
    },
    async front() {
      await send("Page.bringToFront", {}, sessionId);
    },
    async click(selector) {
      const at = await page.evaluate((wanted: string) => {
        const box = document.querySelector(wanted)?.getBoundingClientRect();
        return box === undefined ? null : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      }, selector);
      if (at === null) throw new Error(`Nothing matches ${selector}.`);
      for (const type of ["mousePressed", "mouseReleased"]) {
        await send("Input.dispatchMouseEvent", { type, ...at, button: "left", clickCount: 1 }, sessionId);
      }
    },
  };
  return page;
}

interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

interface Waiting {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (problem: Error) => void;
}

/** Commands go out on file descriptor 3 and answers come in on 4, each ended by a zero byte. */
function speak(child: ChildProcess): Send {
  const [, , , to, from] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let rest = Buffer.alloc(0);
  from.on("data", (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const message = JSON.parse(rest.subarray(0, end).toString()) as Answer;
      rest = rest.subarray(end + 1);
      const asker = waiting.get(message.id ?? 0);
      if (asker === undefined) continue;
      waiting.delete(message.id ?? 0);
      if (message.error === undefined) asker.resolve(message.result);
      else asker.reject(new Error(`${asker.method}: ${message.error.message}`));
    }
  });
  child.once("exit", () => {
    for (const asker of waiting.values()) asker.reject(new Error(`${asker.method}: Chromium ended.`));
  });
  return (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, { method, resolve, reject });
      to.write(`${JSON.stringify({ id: lastId, method, params, sessionId })}\0`);
    });
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}
