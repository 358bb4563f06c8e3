/** Our own pages, opened from one another. */
import browser from "webextension-polyfill";
import { DOOR_PAGES } from "../bridge/doors.ts";

/** The dashboard; an open one comes to the front. */
export async function openDashboard(): Promise<void> {
  await browser.runtime.openOptionsPage();
}

/** The dashboard at one rule. */
export async function openRule(id: string): Promise<void> {
  const path = `${DOOR_PAGES.dashboard}#rules/${encodeURIComponent(id)}`;
  await browser.tabs.create({ url: browser.runtime.getURL(path) });
}

/** Starts the whole extension again: the last remedy where the worker stays silent. Closes every page of ours. */
export function restart(): void {
  browser.runtime.reload();
}

/** Closes the tab or window this page is shown in; Firefox lets a page do that only through its tab. */
export async function closeThisPage(): Promise<void> {
  const tab = await browser.tabs.getCurrent();
  if (tab?.id === undefined) close();
  else await browser.tabs.remove(tab.id);
}
