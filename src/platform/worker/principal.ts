/**
 * From what the browser says of a sender to who asks. Nothing a page can write is looked at: neither the port's name nor
 * any message. Sandboxed and `data:` documents have the origin `"null"` and share it with everyone, `file:` and plain http
 * can be put there by anybody on the way, so none of these can be held to a grant.
 *
 * A frame's own site counts together with the site around it: a grant given at top level does not hold inside another
 * site's frame.
 *
 * @see HTML · 7.1.1 Origins (serialisation of an opaque origin)
 * @see Secure Contexts · 3.1 Is origin potentially trustworthy? (loopback)
 */
import type { Runtime, Tabs } from "webextension-polyfill";
import { isLoopback } from "../../core/loopback.ts";
import type { Place, Principal } from "../../core/principal.ts";

/** `origin` and `documentLifecycle` are given by both browsers, or by Chromium, and missing in the types. */
export type Sender = Runtime.MessageSender & { readonly origin?: string; readonly documentLifecycle?: string };

export type Identified = { readonly principal: Principal; readonly place: Place } | { readonly refused: string };

export function principalOf(sender: Sender): Identified {
  const { tab, frameId, documentId } = sender;
  if (tab?.id === undefined || frameId === undefined || documentId === undefined) {
    return { refused: "Only a document in a tab can connect." };
  }
  // A document rendered ahead of time lies in the tab of another one; its site would be taken for the site around it.
  if (sender.documentLifecycle === "prerender") return { refused: "The page is not shown yet." };
  const origin = trustworthyOrigin(sender.origin);
  if (origin === undefined) {
    return { refused: "Only pages over https or on this computer can connect, and no sandboxed ones." };
  }
  const topSite = frameId === 0 ? origin : originOfUrl(tab.url);
  if (topSite === undefined) return { refused: "The page around this frame is neither https nor on this computer." };
  return { principal: { origin, topSite, ...storeOf(tab) }, place: { tabId: tab.id, frameId, documentId } };
}

/** Who the top-level document of a tab would be; `undefined` where no agent can connect. */
export function principalOfTab(tab: Tabs.Tab): Principal | undefined {
  const origin = originOfUrl(tab.url);
  return origin === undefined ? undefined : { origin, topSite: origin, ...storeOf(tab) };
}

function storeOf(tab: Tabs.Tab): Pick<Principal, "cookieStore" | "private"> {
  return { cookieStore: tab.cookieStoreId ?? "default", private: tab.incognito };
}

function originOfUrl(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? trustworthyOrigin(new URL(url).origin) : undefined;
}

/** The text itself where it is exactly an origin over https, or over http on loopback. */
function trustworthyOrigin(origin: string | undefined): string | undefined {
  if (origin === undefined || !URL.canParse(origin)) return undefined;
  const url = new URL(origin);
  const trustworthy = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  return trustworthy && url.origin === origin ? origin : undefined;
}
