/**
 * What servers say by themselves: notifications inside a call, notifications outside any, and requests of their own. All of
 * it is judged by the same lines as what agents say; a list that changed also makes navra look at the list.
 */
import type { EventInHand, MutableCall } from "../call.ts";
import type { Channels } from "../face/channels.ts";
import { SERVER_NOTIFICATIONS } from "../mcp/methods.ts";
import { isModern } from "../mcp/revision.ts";
import { backCall, newCall } from "../new-call.ts";
import { type Lines, runEvent, runLine } from "../pipeline/run.ts";
import type { Ports } from "../ports.ts";
import type { Principal } from "../principal.ts";
import type { Evidence } from "../recorder/evidence.ts";
import { encodeError, encodeResult } from "../wire/encode.ts";
import { faultError } from "../wire/fault.ts";
import type { NotificationMessage, RequestMessage } from "../wire/message.ts";
import type { Registry } from "./registry.ts";

export interface Inbound {
  /** A notification that belongs to an open call. */
  event(call: MutableCall, message: NotificationMessage): void;
  /** One outside any call: judged once per channel that may hear it. */
  unsolicited(serverId: string, principalKey: string, message: NotificationMessage): void;
  /** A request of the server's: a new call in the other direction. Gives the whole reply frame. */
  back(parent: MutableCall, message: RequestMessage): Promise<string>;
}

export interface InboundOptions {
  readonly lines: () => Lines;
  readonly channels: () => Channels;
  readonly registry: () => Registry;
  /** Whether a principal may hear of a server now: connected, and nothing paused. */
  readonly mayHear: (principal: Principal, serverId: string) => boolean;
  readonly evidence: Evidence;
  readonly ports: Pick<Ports, "clock" | "randomId" | "changed">;
}

/** From a server's word that its list changed to asking for it, in milliseconds. */
const RELIST_MS = 250;
const LIST_CHANGED = "notifications/tools/list_changed";

export function createInbound({ lines, channels, registry, mayHear, evidence, ports }: InboundOptions): Inbound {
  const listing = new Set<string>();
  /** A server may say so as often as it likes; it is asked once a moment. */
  const relist = (serverId: string): void => {
    if (listing.has(serverId)) return;
    listing.add(serverId);
    ports.clock.after(RELIST_MS, () => {
      listing.delete(serverId);
      registry()
        .refresh(serverId, new AbortController().signal)
        .then(
          () => ports.changed("servers"),
          () => undefined,
        );
    });
  };
  return {
    event(call, message) {
      if (!SERVER_NOTIFICATIONS.has(message.method)) return;
      runEvent(lines().event, call, inHand(message));
      if (message.method === LIST_CHANGED) relist(call.server.id);
    },

    unsolicited(serverId, principalKey, message) {
      if (message.method === LIST_CHANGED) relist(serverId);
      const server = registry().byId(serverId);
      if (!server || !SERVER_NOTIFICATIONS.has(message.method)) return;
      channels().broadcast({ serverName: server.name, principalKey }, (channel, revision) => {
        if (!mayHear(channel.principal, serverId)) return;
        const { method, params, text } = message;
        const call = newCall(
          {
            ...channel,
            server,
            revision,
            agent: "",
            message: { kind: "request", id: "0", method, params, text },
            signal: new AbortController().signal,
            agentSide: { reply: () => undefined, event: channel.post },
          },
          ports,
        );
        runEvent(lines().event, call, inHand(message));
      });
    },

    async back(parent, message) {
      if (message.method === "ping") return encodeResult(message.id, "{}");
      const call = backCall(parent, message, ports);
      const stopped = await runLine("request", lines().request, { call, clock: ports.clock });
      void evidence.ofCall(call, stopped);
      const detail = "This request from a server to an agent is not supported here.";
      return encodeError(message.id, faultError("method-not-found", isModern(call.revision), detail));
    },
  };
}

function inHand({ method, text, params }: NotificationMessage): EventInHand {
  return { method, payload: { text, value: params } };
}
