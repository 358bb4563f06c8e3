/**
 * Requests of servers that an agent has to answer on one channel. Each gets an id of ours, because servers number theirs
 * freely; a reply counts only for an id that is open, once, and one that nobody waits for is told to the agent.
 *
 * @see MCP 2025-11-25 · Base protocol · Requests, Utilities · Cancellation
 */
import type { GatewayError } from "../errors.ts";
import { createIds } from "../servers/ids.ts";
import { abortFault } from "../transports/abortable.ts";
import { encodeNotification } from "../wire/encode.ts";
import type { Id, Reply } from "../wire/message.ts";
import { splice } from "../wire/splice.ts";

export interface Asked {
  /** Resolves to the agent's reply, with our id. Rejects when the signal is aborted, and tells the agent so. */
  ask(text: string, signal: AbortSignal): Promise<Reply>;
  /** Whether somebody waited for this reply. */
  take(reply: Reply): boolean;
  /** The channel is gone, and with it whoever would answer. */
  abort(reason: GatewayError): void;
}

export function createAsked(options: {
  readonly post: (frame: string) => void;
  readonly randomId: () => string;
}): Asked {
  const ids = createIds(options.randomId);
  const open = new Map<
    Id,
    { readonly settle: (reply: Reply) => void; readonly reject: (reason: GatewayError) => void }
  >();
  return {
    ask(text, signal) {
      return new Promise<Reply>((resolve, reject) => {
        if (signal.aborted) {
          reject(abortFault(signal));
          return;
        }
        const id = ids.next();
        const stop = (): void => {
          if (!open.delete(id)) return;
          options.post(encodeNotification("notifications/cancelled", `{"requestId":${id}}`));
          reject(abortFault(signal));
        };
        const settle = (reply: Reply): void => {
          signal.removeEventListener("abort", stop);
          resolve(reply);
        };
        open.set(id, { settle, reject });
        signal.addEventListener("abort", stop, { once: true });
        options.post(splice(text, [{ path: ["id"], value: id }]));
      });
    },
    take(reply) {
      const waiting = reply.id === null ? undefined : open.get(reply.id);
      if (!waiting || reply.id === null) return false;
      open.delete(reply.id);
      waiting.settle(reply);
      return true;
    },
    abort(reason) {
      for (const { reject } of open.values()) reject(reason);
      open.clear();
    },
  };
}
