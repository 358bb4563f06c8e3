/**
 * Which tab a page of ours speaks about. `?tabId=N` in the page's own address names one, so that the popup can also be
 * opened as a tab, for example beside a narrow window; otherwise it is the active tab of the current window.
 */
import browser from "webextension-polyfill";

export async function shownTab(): Promise<number | undefined> {
  const named = new URLSearchParams(location.search).get("tabId");
  if (named !== null && /^\d{1,10}$/.test(named)) return Number(named);
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  return tab?.id;
}
