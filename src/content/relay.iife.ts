/** The relay's entry: every frame, isolated world, document start. It exports nothing, so that nothing leaks. */
import { MAX_FRAME_UNITS } from "../bridge/handshake.ts";
import { type RelayRuntime, startRelay } from "./relay.ts";

declare const browser: { readonly runtime?: RelayRuntime } | undefined;
declare const chrome: { readonly runtime?: RelayRuntime } | undefined;

const listen = startRelay({
  target: window,
  runtime: () => (typeof browser === "undefined" ? chrome : browser)?.runtime,
  acted: () => navigator.userActivation?.isActive ?? false,
  visible: () => document.visibilityState !== "hidden",
  maxChannels: 32,
  maxFrameUnits: MAX_FRAME_UNITS,
});

// A document that is opened anew gets a new root element; an observer outlives that, listeners do not.
new MutationObserver(listen).observe(document, { childList: true });
