/**
 * How long a person waits for navra where they decide: from a page's call to the painted question, and from the press on
 * Allow to the first byte at the server. Each with the worker stopped, against the same with the worker awake.
 */
import { DOOR_PAGES } from "../../src/bridge/doors.ts";
import type { BareChromium, BarePage } from "../drivers/chromium-bare.ts";
import { askInPage } from "../drivers/control.ts";
import { until } from "../drivers/wait.ts";
import type { EchoServer } from "./echo-server.ts";
import { type BenchRow, benchRow } from "./rows.ts";

const ROUNDS = 12;
const LARGE_ROUNDS = 5;
const MEGABYTE = "long ".repeat(210_000);

export const CONSENT_ROWS = ["asked/painted", "approved/sent"] as const;

export interface ConsentBench {
  readonly browser: BareChromium;
  /** Has `benchAgent`, connected. */
  readonly page: BarePage;
  readonly echo: EchoServer;
}

export async function consentRows({ browser, page, echo }: ConsentBench): Promise<readonly BenchRow[]> {
  const dashboard = await browser.open(`${browser.baseUrl}${DOOR_PAGES.dashboard}`);
  const rule = { id: "bench", verdict: "ask", priority: 0, on: ["request"], when: {}, mode: "enforce" };
  await dashboard.evaluate(askInPage, "dashboard", { method: "rule.save", params: { rule } });
  await dashboard.close();

  const painted: Samples = { ours: [], against: [] };
  const sent: Samples = { ours: [], against: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of ["ours", "against"] as const) {
      if (side === "ours") await stop(browser);
      const text = `${round} ${side}`;
      const { window, ms } = await asked({ browser, page }, text);
      painted[side].push(ms);
      await window.front();
      await window.evaluate(untilArmed);
      if (side === "ours") await stop(browser);
      const pressed = now();
      await window.click(".btn-arm");
      // With the worker stopped the call behind the question was ended; the agent makes it again, as it was told.
      if (side === "ours") await page.evaluate(callLater, text);
      const arrived = await until(async () => echo.lastCallAt() > pressed && echo.lastCallAt(), {
        what: "the call to arrive",
        timeoutMs: 20_000,
      });
      sent[side].push(arrived - pressed);
      await window.close().catch(() => undefined);
    }
  }
  const large: Samples = { ours: [], against: [] };
  for (let round = 0; round < LARGE_ROUNDS; round++) {
    for (const side of ["ours", "against"] as const) {
      const { window, ms } = await asked({ browser, page }, `${round} ${side === "ours" ? MEGABYTE : "short"}`);
      large[side].push(ms);
      await window.click(".btn-deny");
      // A window that is closed before its answer was taken counts as left unanswered, and no more would open.
      const over = { what: "the answer to be taken", timeoutMs: 20_000 };
      await until(() => window.evaluate(isOver).catch(() => true), over);
      await window.close().catch(() => undefined);
    }
  }
  const against = "the same with the worker awake";
  return [
    benchRow({ name: "asked/painted 1 MB", unit: "ms", against: "the same with a short argument" }, large),
    benchRow({ name: "asked/painted", unit: "ms", against }, painted),
    benchRow({ name: "approved/sent", unit: "ms", against }, sent),
  ];
}

/** From the call to the painted question. */
async function asked(
  { browser, page }: Pick<ConsentBench, "browser" | "page">,
  text: string,
): Promise<{ readonly window: BarePage; readonly ms: number }> {
  await page.front();
  const began = await page.evaluate(callLater, text);
  // Its document may still be on its way in, or the window found may be the last one on its way out.
  const painted = async () => {
    const window = await browser.waitForPage(DOOR_PAGES.consent, 20_000);
    const at = await window.evaluate(whenPainted).catch(() => 0);
    return at > 0 && { window, ms: at - began };
  };
  return until(painted, { what: "the question to be painted", timeoutMs: 30_000 });
}

interface Samples {
  readonly ours: number[];
  readonly against: number[];
}

async function stop(browser: BareChromium): Promise<void> {
  await browser.killWorker();
  await until(async () => !(await browser.workerRuns()), { what: "the worker to end", timeoutMs: 5_000 });
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Starts a call and gives the time of it; the answer comes when it comes. */
function callLater(text: string): number {
  const at = performance.timeOrigin + performance.now();
  void window.benchAgent.call(text);
  return at;
}

/** When the question was on the screen: the paint of the largest thing in it; 0 where none comes. */
async function whenPainted(): Promise<number> {
  const end = performance.now() + 5_000;
  while (document.querySelector(".btn-deny") === null) {
    if (performance.now() > end) return 0;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)));
  const last = await new Promise<number>((resolve) => {
    const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0));
    observer.observe({ type: "largest-contentful-paint", buffered: true });
    setTimeout(resolve, 200, performance.now());
  });
  return performance.timeOrigin + last;
}

function isOver(): boolean {
  return document.querySelector(".btn-deny") === null;
}

async function untilArmed(): Promise<void> {
  const body = document.querySelector(".c-body");
  const end = performance.now() + 20_000;
  for (let top = 0; document.querySelector('.btn-arm[aria-disabled="false"]') === null; top += 150) {
    if (performance.now() > end) throw new Error("Allow was never armed.");
    if (body) body.scrollTop = top % Math.max(1, body.scrollHeight);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 30)));
  }
}
