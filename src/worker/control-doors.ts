/**
 * The control doors: typed asks from navra's own pages. The door is decided by what the browser says of the sender, and a
 * door's list of methods is its whole authority. An ask that fails is answered with a sentence; it never goes silent.
 */
import type { Runtime } from "webextension-polyfill";
import { type ControlAsk, type ControlMethod, DOOR_METHODS } from "../bridge/control-api.ts";
import { GatewayError } from "../core/errors.ts";
import { type ControlPeer, controlPeerOf, type Self } from "../platform/worker/control-sender.ts";
import type { Handlers } from "./handlers/all.ts";
import type { News } from "./news.ts";

export interface ControlDoors {
  accept(port: Runtime.Port): boolean;
}

export interface ControlDoorsOptions {
  readonly handlers: Handlers;
  readonly ready: Promise<void>;
  readonly news: News;
  readonly self: Self;
}

export function createControlDoors({ handlers, ready, news, self }: ControlDoorsOptions): ControlDoors {
  const answer = async (peer: ControlPeer, ask: ControlAsk): Promise<unknown> => {
    if (!DOOR_METHODS[peer.door].includes(ask.method))
      throw new GatewayError("denied", "This page may not ask for that.");
    await ready;
    const handler = handlers[ask.method] as (params: unknown, peer: ControlPeer) => unknown;
    return await handler(ask.params, peer);
  };
  return {
    accept(port) {
      const peer = controlPeerOf(port, self);
      if (!peer) return false;
      let isOpen = true;
      const post = (message: unknown): void => {
        if (isOpen) port.postMessage(message);
      };
      const unsubscribe = news.subscribe((changed) => post({ changed }));
      port.onDisconnect.addListener(() => {
        isOpen = false;
        unsubscribe();
      });
      port.onMessage.addListener((message: unknown) => {
        const ask = parseAsk(message);
        if (!ask) return;
        answer(peer, ask).then(
          (result) => post({ ask: ask.ask, result: result ?? null }),
          (thrown: unknown) => post({ ask: ask.ask, problem: sentenceOf(thrown) }),
        );
      });
      // The first word, so that the page knows the worker is awake.
      ready.then(
        () => post({ changed: [] }),
        () => undefined,
      );
      return true;
    },
  };
}

function parseAsk(message: unknown): ControlAsk | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { ask, method, params } = message as Partial<ControlAsk>;
  if (typeof ask !== "number" || typeof method !== "string") return undefined;
  return { ask, method: method as ControlMethod, params };
}

function sentenceOf(thrown: unknown): string {
  if (thrown instanceof GatewayError) return thrown.message;
  return "navra could not do that. Reload this page and try again; if it stays so, restart the browser.";
}
