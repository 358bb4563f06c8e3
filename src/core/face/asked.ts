/**
 * Requests of servers that an agent has to answer on one channel. Each gets an id of ours, because servers number theirs
 * freely; a reply counts only for an id that is open, once, and one that nobody waits for is told to the agent.
 *
 * @see MCP 2025-11-25 · Base protocol · Requests, Utilities · Cancellation
 */
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
}

export function createAsked(options: {
  readonly post: (frame: string) => void;
  readonly randomId: () => string;
}): Asked {
  const ids = createIds(options.randomId);
  const open = new Map<Id, (reply: Reply) => void>();
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
        open.set(id, (reply) => {
          signal.removeEventListener("abort", stop);
          resolve(reply);
        });
        signal.addEventListener("abort", stop, { once: true });
        options.post(splice(text, [{ path: ["id"], value: id }]));
      });
    },
    take(reply) {
      const settle = reply.id === null ? undefined : open.get(reply.id);
      if (!settle || reply.id === null) return false;
      open.delete(reply.id);
      settle(reply);
      return true;
    },
  };
}
