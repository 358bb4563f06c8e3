/**
 * A document with navra in it: the real runtime, the real relay, and the real page door in front of a gateway, over ports of
 * memory. Whatever a page sends here takes the way it takes in a browser, up to the first byte to the server.
 */
import type { Runtime } from "webextension-polyfill";
import { MAX_FRAME_UNITS } from "../../src/bridge/handshake.ts";
import { type RelayPort, startRelay } from "../../src/content/relay.ts";
import type { Gateway } from "../../src/core/gateway.ts";
import { installProvider } from "../../src/page/provider.ts";
import { createPageDoor } from "../../src/worker/page-door.ts";
import { PLACE, SITE } from "./gateway.ts";

/** The window that agents of this document look at. */
export function documentWithNavra(gateway: Gateway): EventTarget {
  const target = new EventTarget();
  const door = createPageDoor({ gateway, ready: Promise.resolve() });
  startRelay({
    target,
    runtime: () => ({
      id: "navra",
      connect({ name }) {
        const { near, far } = portPair(name);
        if (!door.accept(far)) throw new Error("The page door did not take the port.");
        return near;
      },
    }),
    acted: () => true,
    visible: () => true,
    maxChannels: 32,
    maxFrameUnits: MAX_FRAME_UNITS,
  });
  installProvider({ target, CustomEvent, crypto });
  return target;
}

const SENDER = {
  id: "navra",
  origin: SITE.origin,
  url: `${SITE.origin}/`,
  tab: { id: PLACE.tabId, url: `${SITE.origin}/`, incognito: false, cookieStoreId: SITE.cookieStore },
  frameId: PLACE.frameId,
  documentId: PLACE.documentId,
};

function portPair(name: string): { readonly near: RelayPort; readonly far: Runtime.Port } {
  const toFar = createEnd();
  const toNear = createEnd();
  const near: RelayPort = {
    postMessage: toFar.post,
    disconnect: toFar.end,
    onMessage: { addListener: toNear.onMessage },
    onDisconnect: { addListener: toNear.onEnd },
  };
  const far = {
    name,
    sender: SENDER,
    postMessage: toNear.post,
    disconnect: toNear.end,
    onMessage: { addListener: toFar.onMessage },
    onDisconnect: { addListener: toFar.onEnd },
  } as unknown as Runtime.Port;
  return { near, far };
}

function createEnd() {
  const messages: ((message: unknown) => void)[] = [];
  const ends: (() => void)[] = [];
  return {
    post: (message: unknown) => queueMicrotask(() => messages.forEach((listener) => void listener(message))),
    end: () => queueMicrotask(() => ends.forEach((listener) => void listener())),
    onMessage: (listener: (message: unknown) => void) => void messages.push(listener),
    onEnd: (listener: () => void) => void ends.push(listener),
  };
}
