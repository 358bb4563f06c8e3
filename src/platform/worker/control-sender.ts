/**
 * Which control door a port may enter: the one whose page the sender is, and no other. The port's name says which door is
 * asked for; what the browser says of the sender decides. A page of the web, a content script, another extension or
 * another page of ours that asks for the door gets nothing.
 */
import type { Runtime } from "webextension-polyfill";
import { CONTROL_DOORS, type ControlDoor, DOOR_PAGES } from "../../bridge/doors.ts";

export type ControlPeer =
  | { readonly door: "popup" | "dashboard" }
  /** `?id=` of the window's address: the one approval it may read and answer. */
  | { readonly door: "consent"; readonly approvalId: string }
  /** `?tabId=` of the panel's address, where it has one; the browser itself does not say which tab a panel inspects. */
  | { readonly door: "panel"; readonly tabId?: number };

/** Who we are, as the browser says. */
export interface Self {
  /** `runtime.id` */
  readonly id: string;
  /** `runtime.getURL("/")` */
  readonly root: string;
}

type Asking = {
  readonly name: string;
  readonly sender?: (Runtime.MessageSender & { readonly origin?: string }) | undefined;
};

export function controlPeerOf(port: Asking, self: Self): ControlPeer | undefined {
  const door = CONTROL_DOORS.find((name) => name === port.name);
  const url = door && ownUrl(port.sender, self);
  if (!door || !url || url.pathname !== DOOR_PAGES[door]) return undefined;
  return peer(door, url.searchParams);
}

function ownUrl(sender: Asking["sender"], self: Self): URL | undefined {
  if (sender?.id !== self.id || sender.url === undefined || !URL.canParse(sender.url)) return undefined;
  const url = new URL(sender.url);
  const root = new URL(self.root);
  if (url.protocol !== root.protocol || url.host !== root.host) return undefined;
  if (sender.origin !== undefined && sender.origin !== `${root.protocol}//${root.host}`) return undefined;
  return url;
}

function peer(door: ControlDoor, query: URLSearchParams): ControlPeer | undefined {
  if (door === "consent") {
    const approvalId = query.get("id");
    return approvalId ? { door, approvalId } : undefined;
  }
  if (door !== "panel") return { door };
  const tabId = query.get("tabId");
  return tabId !== null && /^\d{1,10}$/.test(tabId) ? { door, tabId: Number(tabId) } : { door };
}
