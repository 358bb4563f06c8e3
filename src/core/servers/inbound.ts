/**
 * What servers say by themselves: notifications inside a call, notifications outside any, and requests of their own. All of
 * it is judged by the same lines as what agents say; a list that changed also makes navra look at the list.
 */
import type { EventInHand, MutableCall } from "../call.ts";
import { backRefusal } from "../face/back-refusal.ts";
import type { Channels } from "../face/channels.ts";
import { NO_CAPABILITIES } from "../mcp/client-capabilities.ts";
import { SERVER_NOTIFICATIONS } from "../mcp/methods.ts";
import { backCall, newCall } from "../new-call.ts";
import { type Lines, runEvent, runLine } from "../pipeline/run.ts";
import type { Ports } from "../ports.ts";
import type { Evidence } from "../recorder/evidence.ts";
import { encodeResult } from "../wire/encode.ts";
import type { NotificationMessage, RequestMessage, ResultMessage } from "../wire/message.ts";
import type { Registry } from "./registry.ts";

export interface Inbound {
  /** A notification that belongs to an open call. */
  event(call: MutableCall, message: NotificationMessage): void;
  /** One outside any call: judged once per channel that may hear it. */
  unsolicited(serverId: string, principalKey: string, message: NotificationMessage): void;
  /** A request of the server's: a new call in the other direction. Gives the whole reply frame. */
  back(parent: MutableCall, message: RequestMessage, ended: AbortSignal): Promise<string>;
  /** One that came inside a result: gives its text as judged, or nothing where it may not reach the agent. */
  embedded(parent: MutableCall, message: RequestMessage): Promise<string | undefined>;
}

export interface InboundOptions {
  readonly lines: () => Lines;
  readonly channels: () => Channels;
  readonly registry: () => Registry;
  readonly evidence: Evidence;
  readonly ports: Pick<Ports, "clock" | "randomId" | "changed">;
}

const LIST_CHANGED = "notifications/tools/list_changed";

export function createInbound({ lines, channels, registry, evidence, ports }: InboundOptions): Inbound {
  const relist = (serverId: string): void => {
    registry()
      .refresh(serverId, new AbortController().signal)
      .then(
        () => ports.changed("servers"),
        () => undefined,
      );
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
        const { method, params, text } = message;
        const call = newCall(
          {
            ...channel,
            server,
            revision,
            agent: "",
            capabilities: NO_CAPABILITIES,
            message: { kind: "request", id: "0", method, params, text },
            signal: new AbortController().signal,
            agentSide: { reply: () => undefined, event: channel.post, ask: async () => ANSWERED_LATER },
          },
          ports,
        );
        runEvent(lines().event, call, inHand(message));
      });
    },

    async back(parent, message, ended) {
      const frames: string[] = [];
      const agentSide = { ...parent.agentSide, reply: (text: string) => void frames.push(text) };
      const signal = AbortSignal.any([parent.signal, ended]);
      const call = backCall(parent, { message, signal, agentSide }, ports);
      let stopped = await runLine("request", lines().request, { call, clock: ports.clock });
      stopped ??= await runLine("reply", lines().reply, { call, clock: ports.clock });
      void evidence.ofCall(call, stopped);
      return frames[0] ?? backRefusal(message, stopped);
    },

    async embedded(parent, message) {
      const { signal } = parent;
      const agentSide = { ...parent.agentSide, ask: async () => ANSWERED_LATER };
      const call = backCall(parent, { message, signal, agentSide }, ports);
      const stopped = await runLine("request", lines().request, { call, clock: ports.clock });
      call.reply = undefined;
      void evidence.ofCall(call, stopped);
      return stopped ? undefined : call.request.text;
    },
  };
}

/** The agent answers with its next request, which is a call of its own. */
const ANSWERED_LATER: ResultMessage = {
  kind: "result",
  id: "0",
  result: {},
  text: encodeResult("0", "{}"),
};

function inHand({ method, text, params }: NotificationMessage): EventInHand {
  return { method, payload: { text, value: params } };
}
