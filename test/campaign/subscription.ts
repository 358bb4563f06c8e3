/**
 * An agent's subscription in a browser that nobody touches: the server says something twice a minute or so,
 * and at times is quiet for longer than a browser lets an idle worker live. Each word must arrive, over one stream, in one
 * run of the worker. Each era has a browser of its own, because an open
 * `subscriptions/listen` would keep the worker alive for the other.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserName } from "../browsers/find.ts";
import type { ListenOptions, Report } from "../demo/page/listener.ts";
import { serveAgentPage } from "../demo/serve.ts";
import { pause } from "../drivers/wait.ts";
import { type Era, NEWS_URI, type NewsServer, startNewsServer } from "./news-server.ts";
import { launchUndriven, type Undriven } from "./undriven.ts";

export interface SubscriptionOptions {
  readonly browser: BrowserName;
  readonly era: Era;
  readonly minutes: number;
  readonly log: (line: string) => void;
}

export interface SubscriptionResult {
  readonly browser: BrowserName;
  readonly era: Era;
  readonly began: string;
  readonly minutes: number;
  readonly sent: number;
  readonly received: number;
  /** Numbers of changes that never arrived, and that arrived more than once. */
  readonly missed: readonly number[];
  readonly repeated: readonly number[];
  /** From the server's word to the page's report, in milliseconds. */
  readonly delayMs: { readonly p50: number; readonly most: number };
  /** The longest time between two reports, in seconds. */
  readonly longestGapSeconds: number;
  /** Streams after the first. */
  readonly reconnects: number;
  /** Times the agent was told that its subscription is over. */
  readonly ended: number;
  readonly workerRestarts: number;
  /** Every report came from a document in sight. */
  readonly visible: boolean;
  readonly passed: boolean;
}

interface Heard extends Report {
  readonly at: number;
}

/** What passes a port keeps a worker of Chromium alive for 30 seconds, so the last of these is what shows most. */
const PAUSES_MS = [20_000, 25_000, 30_000, 70_000];
const LOOK_MS = 5_000;
const LAST_MS = 3_000;

export async function holdSubscription(options: SubscriptionOptions): Promise<SubscriptionResult> {
  const { era, minutes, log } = options;
  const [server, site, ear, browser] = await Promise.all([
    startNewsServer(era),
    serveAgentPage(),
    startEar(),
    launchUndriven(options.browser),
  ]);
  try {
    await browser.connect(new URL(site.url).origin, { name: "news", url: server.url });
    const page = await browser.open(`${site.url}listener.html`);
    const asked: ListenOptions = { server: "news", era, uri: NEWS_URI, report: ear.url };
    await page.evaluate((given: ListenOptions) => window.listen(given), asked);
    await browser.leave(page);
    const began = Date.now();
    const watch = watchWorker(browser);
    for (let next = began + pauseAfter(0); next <= began + minutes * 60_000; next += pauseAfter(server.sent.length)) {
      await pause(next - Date.now());
      server.change();
      const { length } = ear.heard;
      if (server.sent.length % 12 === 0) {
        log(
          `${options.browser} ${era}: ${server.sent.length} sent, ${length} reports, ${server.opened.length} streams`,
        );
      }
    }
    await pause(LAST_MS);
    const workerRestarts = await watch.end();
    return sumUp(options, { began, server, heard: ear.heard, workerRestarts });
  } finally {
    await Promise.allSettled([browser.close(), server.stop(), site.stop(), ear.stop()]);
  }
}

function pauseAfter(events: number): number {
  return PAUSES_MS[events % PAUSES_MS.length] ?? 0;
}

interface Course {
  readonly began: number;
  readonly server: NewsServer;
  readonly heard: readonly Heard[];
  readonly workerRestarts: number;
}

function sumUp(
  { browser, era, minutes }: SubscriptionOptions,
  { began, server: { sent, opened }, heard, workerRestarts }: Course,
): SubscriptionResult {
  const events = heard.filter(({ what }) => what === "event");
  const arrivals = new Map<number, Heard[]>();
  for (const one of events) arrivals.set(one.count, [...(arrivals.get(one.count) ?? []), one]);
  const delays = sent.flatMap(({ count, at }) => arrivals.get(count)?.map((one) => one.at - at) ?? []);
  const times = [began, ...events.map(({ at }) => at)];
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
  const missed = sent.filter(({ count }) => !arrivals.has(count)).map(({ count }) => count);
  const repeated = [...arrivals].filter(([, times]) => times.length > 1).map(([count]) => count);
  const visible = heard.every((one) => one.visible);
  const ended = heard.filter(({ what }) => what === "ended").length;
  const reconnects = opened.length - 1;
  return {
    browser,
    era,
    began: new Date(began).toISOString(),
    minutes,
    sent: sent.length,
    received: arrivals.size,
    missed,
    repeated,
    delayMs: { p50: middle(delays), most: Math.max(0, ...delays) },
    longestGapSeconds: Math.round(Math.max(0, ...gaps) / 1000),
    reconnects,
    ended,
    workerRestarts,
    visible,
    passed:
      sent.length > 0 &&
      visible &&
      [missed.length, repeated.length, reconnects, ended, workerRestarts].every((count) => count === 0),
  };
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Looks every few seconds; asking the browser for what runs attaches to nothing. */
function watchWorker(browser: Undriven): { end(): Promise<number> } {
  let going = true;
  const watching = (async () => {
    let restarts = 0;
    let last = await browser.worker();
    while (going) {
      await pause(LOOK_MS);
      const now = await browser.worker();
      if (now !== last) restarts += 1;
      last = now;
    }
    return restarts;
  })();
  return {
    end() {
      going = false;
      return watching;
    },
  };
}

/** Where the page reports what it hears. */
async function startEar() {
  const heard: Heard[] = [];
  const http = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    response.writeHead(204).end();
    if (request.method !== "POST") return;
    heard.push({ ...(JSON.parse(Buffer.concat(parts).toString()) as Report), at: Date.now() });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    heard,
    stop: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}
