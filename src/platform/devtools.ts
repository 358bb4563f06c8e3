/** What only devtools pages have: the inspected tab, and a place for a panel of ours. */
import browser from "webextension-polyfill";

/** The inspected tab; `?tabId=N` in the page's own address names one where the panel is opened as a tab. */
export function inspectedTab(): number | undefined {
  const named = new URLSearchParams(location.search).get("tabId");
  if (named !== null && /^\d{1,10}$/.test(named)) return Number(named);
  // Absent outside of devtools, whatever the types say.
  const devtools = browser.devtools as typeof browser.devtools | undefined;
  return devtools?.inspectedWindow?.tabId;
}

/** `page` and `icon` are paths from the extension's root, with the leading slash that both browsers understand. */
export async function addPanel(title: string, icon: string, page: string): Promise<void> {
  await browser.devtools.panels.create(title, icon, page);
}
