/**
 * Opens a page that a server asked for, after the person said yes: a plain tab beside the one whose agent is at work, in the
 * same window, so that a private window's page stays private. Nothing is fetched before, and nothing of the page is read
 * afterwards: no agent has a hold on the tab, and what navra's own content scripts do there is offer the way to navra, as
 * on any page.
 *
 * @see MCP 2025-11-25 · Elicitation · URL mode · Safe URL handling
 */
import type { Tabs, Windows } from "webextension-polyfill";
import { pageAddress } from "../../core/elicit/page-address.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Place, Principal } from "../../core/principal.ts";

export type PageOpener = (
  url: string,
  asker: { readonly place: Place; readonly principal: Principal },
) => Promise<void>;

export interface PageOpenerOptions {
  readonly tabs: Pick<Tabs.Static, "create" | "get">;
  readonly windows: Pick<Windows.Static, "update">;
}

export function createPageOpener({ tabs, windows }: PageOpenerOptions): PageOpener {
  return async (url, { place, principal }) => {
    const { href, openable } = pageAddress(url);
    if (!openable) throw new GatewayError("invalid-params", "navra does not open this address.");
    const asking = await tabs.get(place.tabId).catch(() => undefined);
    // Elsewhere it would be opened where the private window's secrets must not be known.
    if (!asking && principal.private) throw new GatewayError("cancelled", "The private tab that asked is gone.");
    const beside = asking?.windowId === undefined ? {} : { windowId: asking.windowId, index: asking.index + 1 };
    await tabs.create({ url: href, active: true, ...beside });
    if (asking?.windowId !== undefined) await windows.update(asking.windowId, { focused: true }).catch(() => undefined);
  };
}
