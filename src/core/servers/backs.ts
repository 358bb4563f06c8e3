/**
 * Requests that one server has open towards the agent. The server may withdraw each; when the exchange they belong to is
 * over, all of them are, because nobody would hear the answers.
 *
 * @see MCP 2025-11-25 · Utilities · Cancellation
 */
import { GatewayError } from "../errors.ts";
import type { Id, NotificationMessage, RequestMessage } from "../wire/message.ts";
import { answerBack } from "./incoming.ts";
import type { Ask } from "./link.ts";

export interface Backs {
  /** The whole reply frame; nothing where the server withdrew its request meanwhile. */
  answer(request: RequestMessage, back: Ask["back"]): Promise<string | undefined>;
  /** Whether the notification withdraws requests, and so is not for the agent. */
  cancels(message: NotificationMessage): boolean;
  end(): void;
}

export function createBacks(): Backs {
  const open = new Map<Id, AbortController>();
  const withdrawn = new WeakSet<AbortController>();
  return {
    async answer(request, back) {
      const controller = new AbortController();
      open.set(request.id, controller);
      try {
        const frame = await answerBack(request, back && ((message) => back(message, controller.signal)));
        return withdrawn.has(controller) ? undefined : frame;
      } finally {
        if (open.get(request.id) === controller) open.delete(request.id);
      }
    },
    cancels({ method, params }) {
      if (method !== "notifications/cancelled") return false;
      const controller = open.get(JSON.stringify(params?.requestId));
      if (controller) withdrawn.add(controller);
      controller?.abort(over("The server withdrew its request."));
      return true;
    },
    end() {
      for (const controller of open.values()) controller.abort(over("The call this request belongs to is over."));
    },
  };
}

function over(detail: string): GatewayError {
  return new GatewayError("cancelled", detail, { by: "server" });
}
