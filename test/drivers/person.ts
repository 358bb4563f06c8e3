/** What a person does with navra's consent window: reads it to the end, waits until it may be answered, answers. */
import { DOOR_PAGES } from "../../src/bridge/doors.ts";
import type { Driver, Tab } from "./driver.ts";
import { until } from "./wait.ts";

export interface Seen {
  /** All that the window said. */
  readonly text: string;
  readonly focused: string;
}

const DENY = ".btn-deny";
const ALLOW = ".btn-arm";

export async function answerConsent(driver: Driver, answer: "allow" | "deny", timeoutMs = 15_000): Promise<Seen> {
  const window = await consentWindow(driver, timeoutMs);
  await window.waitFor(DENY);
  await window.front();
  const seen = await window.evaluate(() => ({
    text: document.body.textContent,
    focused: document.activeElement?.className ?? "",
  }));
  if (answer === "allow") {
    // What is shown may change while it is read; then it is read again.
    await until(
      async () => {
        await readToTheEnd(window);
        return window.evaluate(() => document.querySelector('.btn-arm[aria-disabled="false"]') !== null);
      },
      { what: "Allow to be armed by reading", timeoutMs: 15_000, everyMs: 200 },
    );
  }
  await window.click(answer === "allow" ? ALLOW : DENY);
  await until(() => over(window), { what: "the consent window to take the answer", timeoutMs: 10_000 });
  await window.close().catch(() => {});
  return seen;
}

/** The window as it waits; nothing is answered. */
export function consentWindow(driver: Driver, timeoutMs = 15_000): Promise<Tab> {
  return driver.waitForWindow(DOOR_PAGES.consent, timeoutMs);
}

/** Until no such window stands. One that was answered is still there for a moment, and would be taken for the next. */
export function noConsentWindow(driver: Driver): Promise<unknown> {
  return until(async () => !(await driver.hasWindow(DOOR_PAGES.consent)), {
    what: "the last consent window to close",
    timeoutMs: 10_000,
  });
}

/** Closes what nobody answered. */
export function closeConsent(driver: Driver): Promise<unknown> {
  return until(
    async () => {
      if (!(await driver.hasWindow(DOOR_PAGES.consent))) return true;
      await consentWindow(driver, 1_000)
        .then((left) => left.close())
        .catch(() => {});
      return false;
    },
    { what: "the consent windows to close", timeoutMs: 10_000 },
  );
}

async function over(window: Tab): Promise<boolean> {
  if (await window.closed()) return true;
  return window.evaluate(() => document.querySelector(".btn-deny") === null).catch(() => true);
}

/** Scrolls step by step, as a wheel does, so that every part has been on screen. */
async function readToTheEnd(window: Tab): Promise<void> {
  await window.evaluate(async () => {
    const body = document.querySelector(".c-body");
    if (body === null) return;
    const frame = () => new Promise((resolve) => setTimeout(resolve, 30));
    for (let top = 0; top <= body.scrollHeight; top += body.clientHeight / 2) {
      body.scrollTop = top;
      await frame();
    }
  });
}
