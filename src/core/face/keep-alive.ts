/**
 * Progress while a person is asked. Agents give a call up when they hear nothing for a while (a minute is usual), and people
 * take longer than that. An agent that asked to hear of progress is told, now and then, that somebody is being asked.
 *
 * Decided: the numbers grow by next to nothing, so that the server's own mean what they say; one of the server's that would
 * not be larger than the last is left out, because progress only ever grows.
 *
 * @see MCP 2025-11-25 · Utilities · Progress
 */
import type { Call } from "../call.ts";
import { vocabularyOf } from "../mcp/revision.ts";
import type { Clock } from "../ports.ts";
import { encodeNotification } from "../wire/encode.ts";
import type { NotificationMessage } from "../wire/message.ts";
import { sliceAt } from "../wire/splice.ts";

export interface KeepAlive {
  /** From now until the returned function is called. */
  watch(call: Call): () => void;
  /** While this goes on, the person or the agent is asked something for the call. */
  during<T>(call: Call, work: Promise<T>): Promise<T>;
  /** Whether a report of the server's is larger than the last the agent heard. */
  passes(call: Call, message: NotificationMessage): boolean;
}

interface Watched {
  asking: number;
  last: number | undefined;
  /** Whether any of what the agent heard was ours. */
  ours: boolean;
}

/** Well within the minute that common clients wait, in milliseconds. */
const EVERY_MS = 15_000;

export function createKeepAlive(clock: Clock): KeepAlive {
  const watched = new Map<string, Watched>();
  return {
    watch(call) {
      const token = sliceAt(call.message.text, ["params", "_meta", "progressToken"]);
      if (token === undefined) return () => undefined;
      const state: Watched = { asking: 0, last: undefined, ours: false };
      watched.set(call.callId, state);
      let stop = clock.after(EVERY_MS, tick);
      function tick(): void {
        stop = clock.after(EVERY_MS, tick);
        if (state.asking === 0 && call.ledger.current !== "consent") return;
        state.last = state.last === undefined ? 0 : after(state.last);
        state.ours = true;
        call.agentSide.event(report(call, token ?? "", state.last));
      }
      return () => {
        stop();
        watched.delete(call.callId);
      };
    },
    async during(call, work) {
      const state = watched.get(call.callId);
      if (!state) return work;
      state.asking += 1;
      try {
        return await work;
      } finally {
        state.asking -= 1;
      }
    },
    passes({ callId }, { method, params }) {
      const state = watched.get(callId);
      const progress = params?.progress;
      if (!state || method !== "notifications/progress" || typeof progress !== "number") return true;
      if (state.ours && state.last !== undefined && progress <= state.last) return false;
      state.last = progress;
      return true;
    },
  };
}

function after(last: number): number {
  return last + Math.max(1e-6, Math.abs(last) * 1e-12);
}

function report({ revision }: Call, token: string, progress: number): string {
  const worded = vocabularyOf(revision).progress.has("message");
  const message = worded ? `,"message":"Waiting for the person to answer."` : "";
  return encodeNotification("notifications/progress", `{"progressToken":${token},"progress":${progress}${message}}`);
}
