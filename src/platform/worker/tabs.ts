/** What the worker may know of a tab: whose site it shows, whether we may work there, and whether the person looks at it. */
import type { Permissions, Tabs, Windows } from "webextension-polyfill";
import type { Principal } from "../../core/principal.ts";
import { principalOfTab } from "./principal.ts";

export interface TabsApi {
  readonly tabs: Pick<Tabs.Static, "get">;
  readonly windows: Pick<Windows.Static, "get">;
  readonly permissions: Pick<Permissions.Static, "contains">;
}

export interface TabSite {
  /** Empty where the browser does not tell us, or the tab is gone. */
  readonly url: string;
  /** Whether the browser lets navra work on this site. */
  readonly access: boolean;
  /** Absent where no agent can connect. */
  readonly principal?: Principal;
}

export interface TabReader {
  siteOf(tabId: number): Promise<TabSite>;
  /** Shown in its window, and that window has the focus. */
  isWatched(tabId: number): Promise<boolean>;
  /** Shown in its window, whichever window has the focus. */
  isShown(tabId: number): Promise<boolean>;
}

export function createTabReader(api: TabsApi): TabReader {
  const find = (tabId: number) => api.tabs.get(tabId).catch(() => undefined);
  return {
    async siteOf(tabId) {
      const tab = await find(tabId);
      const url = tab?.url ?? "";
      const principal = tab && principalOfTab(tab);
      if (!principal) return { url, access: false };
      const access = await api.permissions.contains({ origins: [accessPattern(principal.origin)] }).catch(() => false);
      return { url, access, principal };
    },
    async isWatched(tabId) {
      const tab = await find(tabId);
      if (!tab?.active || tab.windowId === undefined) return false;
      const window = await api.windows.get(tab.windowId).catch(() => undefined);
      return window?.focused === true;
    },
    async isShown(tabId) {
      return (await find(tabId))?.active === true;
    },
  };
}

/** Match patterns have no ports. */
function accessPattern(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}/*`;
}
