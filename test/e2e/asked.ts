/** What a person does in a consent window by keys, and what can be seen of it. */
import { expect } from "vitest";
import type { Ending, Errand } from "../demo/page/agent.ts";
import type { Driver, Tab } from "../drivers/driver.ts";
import { consentWindow, noConsentWindow } from "../drivers/person.ts";
import { until } from "../drivers/wait.ts";
import { startCall } from "./journey.ts";

/** Starts a call that is asked, and gives the window in front, as it opened. */
export async function ask(
  driver: Driver,
  page: Tab,
  errand: Errand,
): Promise<{ readonly ending: Promise<Ending>; readonly asked: Tab }> {
  await noConsentWindow(driver);
  await page.front();
  const { ending } = startCall(page, errand);
  const asked = await consentWindow(driver);
  await asked.front();
  await asked.waitFor(() => document.activeElement?.classList.contains("btn-deny") === true);
  return { ending, asked };
}

export async function over(asked: Tab): Promise<void> {
  await until(async () => (await asked.closed()) || !(await has(asked, ".btn-deny")), {
    what: "the window to be over",
    timeoutMs: 10_000,
  });
}

/** Reads to the end by keys alone, until Allow may be pressed. The focus is on a button of the foot. */
export async function arm(asked: Tab): Promise<void> {
  let last = "";
  await until(
    async () => {
      // The window manager may have given the focus back to the page that asked; a person looks at the window again.
      if (!(await asked.evaluate(() => document.hasFocus()))) await asked.front();
      await asked.press("ArrowDown");
      // What was not painted was not seen.
      await asked.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20))));
      last = await asked.evaluate(foot);
      return has(asked, '.btn-arm[aria-disabled="false"]');
    },
    { what: "Allow to be armed by reading", timeoutMs: 15_000 },
  ).catch((thrown: unknown) => {
    throw new Error(`${thrown instanceof Error ? thrown.message : thrown} The window: ${last}`);
  });
}

/** What the window says of itself, for a sentence about what went wrong. */
function foot(): string {
  const focus = document.hasFocus() ? "focused" : "not focused";
  const said = document.querySelector("footer")?.textContent ?? "without a foot";
  return `${focus}, ${document.visibilityState}, at ${document.activeElement?.className}: ${said}`;
}

/** Deny has the focus; Allow comes next. */
export async function allowByKeys(asked: Tab): Promise<void> {
  await arm(asked);
  await asked.press("Tab");
  expect(await focused(asked)).toContain("btn-arm");
  await enter(asked);
}

/** The answer may close the window before the key has come up. */
export async function enter(asked: Tab): Promise<void> {
  await asked.press("Enter").catch(() => undefined);
}

export function focused(asked: Tab): Promise<string> {
  return asked.evaluate(() => document.activeElement?.className ?? "");
}

export function has(asked: Tab, selector: string): Promise<boolean> {
  return asked.evaluate((wanted: string) => document.querySelector(wanted) !== null, selector).catch(() => false);
}
