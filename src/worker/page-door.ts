/**
 * The page door: text frames between a relay's port and a gateway channel. The principal is made once per port from what the
 * browser says of the sender. Frames that arrive before state is restored wait, up to a limit. What is no text is the
 * relay's own word on whether its document is in sight; a page can have it carry nothing but text.
 */
import type { Runtime } from "webextension-polyfill";
import { parsePageDoor } from "../bridge/doors.ts";
import type { OpenChannel } from "../core/face/channels.ts";
import type { Gateway } from "../core/gateway.ts";
import { principalOf } from "../platform/worker/principal.ts";

/** Frames one channel may have waiting while the worker starts. */
const MAX_WAITING = 256;

export interface PageDoor {
  /** Takes the port if it is a page's; false leaves it to the other doors. */
  accept(port: Runtime.Port): boolean;
}

export interface PageDoorOptions {
  readonly gateway: Gateway;
  readonly ready: Promise<void>;
}

export function createPageDoor({ gateway, ready }: PageDoorOptions): PageDoor {
  return {
    accept(port) {
      const door = parsePageDoor(port.name);
      if (!door || !port.sender) return false;
      const identified = principalOf(port.sender);
      if ("refused" in identified) {
        port.disconnect();
        return true;
      }
      const { principal, place } = identified;
      let isOpen = true;
      let channel: OpenChannel | undefined;
      let visible = true;
      const waiting: string[] = [];

      port.onMessage.addListener((frame: unknown) => {
        if (typeof frame === "boolean") {
          visible = frame;
          channel?.show(visible);
          return;
        }
        if (typeof frame !== "string") return;
        if (channel) channel.receive(frame);
        else if (waiting.length < MAX_WAITING) waiting.push(frame);
        else port.disconnect();
      });
      port.onDisconnect.addListener(() => {
        isOpen = false;
        channel?.close();
      });
      ready.then(
        () => {
          if (!isOpen) return;
          channel = gateway.open({
            principal,
            place,
            channel: door.channel,
            server: door.server,
            act: door.act,
            post: (frame) => port.postMessage(frame),
          });
          if (!visible) channel.show(false);
          for (const frame of waiting.splice(0)) channel.receive(frame);
        },
        () => port.disconnect(),
      );
      return true;
    },
  };
}
