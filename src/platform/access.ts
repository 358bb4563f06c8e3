/** Where the browser lets navra work. A person can narrow it in the browser; asking for it back needs their own click. */
import browser from "webextension-polyfill";

/** Asks the browser for one site. Must be called straight from a click. */
export function requestAccess(url: string): Promise<boolean> {
  return browser.permissions.request({ origins: [`${new URL(url).origin}/*`] });
}
