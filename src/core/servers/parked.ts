/**
 * Calls of newer agents that wait inside an older server. Such a server asks while the call runs; the agent learns of it
 * as the result of its call, answers with its next one, and the server's call goes on where it stood. So the call is parked
 * here, under the handle that the agent holds, and is never run a second time.
 *
 * A parked call counts as open: it keeps the worker alive, is shown, and ends when the person revokes or pauses. It ends by
 * itself after a while, and with the worker; then the agent's next call hears that it may have happened.
 *
 * @see MCP 2026-07-28 · Patterns · Multi round-trip requests
 */
import type { MutableCall } from "../call.ts";
import { GatewayError } from "../errors.ts";
import type { OpenCalls } from "../open-calls.ts";
import type { Clock } from "../ports.ts";
import type { Reply, RequestMessage } from "../wire/message.ts";

/** What runs at the server; it outlives the agent's calls. */
export type Run = (hooks: {
  readonly signal: AbortSignal;
  readonly back: (message: RequestMessage, ended: AbortSignal) => Promise<string>;
}) => Promise<Reply>;

export interface Question {
  readonly key: string;
  readonly message: RequestMessage;
  /** Gives the server its whole reply frame. */
  readonly settle: (frame: string) => void;
  /** The parameters as the agent may see them; before that it was not judged. */
  shown?: string;
}

export interface ParkedCall {
  /** What the server asks and nobody answered yet. */
  questions(): readonly Question[];
  /** Resolves when the server asked something, or to the reply when there is one. */
  turn(signal: AbortSignal): Promise<Reply | undefined>;
  end(reason: GatewayError): void;
}

export interface Parking {
  start(run: Run): ParkedCall;
  /** Until the agent's next call comes for it. */
  leave(handle: string, parked: ParkedCall, call: MutableCall): void;
  /** Nothing where it is gone. */
  take(handle: string): ParkedCall | undefined;
}

/** How long the agent may take over one round; the server's call as a whole has its own limit. */
const PARKED_MS = 5 * 60_000;
/** Of one site at one server: each holds a connection there, and browsers open few to one address. The oldest gives way. */
const MOST = 2;

export function createParking({ clock, calls }: { readonly clock: Clock; readonly calls: OpenCalls }): Parking {
  const parked = new Map<string, { readonly of: string; readonly call: ParkedCall; readonly free: () => void }>();

  const take: Parking["take"] = (handle) => {
    const found = parked.get(handle);
    parked.delete(handle);
    found?.free();
    return found?.call;
  };

  return {
    start: startParked,
    leave(handle, call, asked) {
      const callId = `${asked.callId}.parked`;
      const of = JSON.stringify([asked.principalKey, asked.server.id]);
      const mine = [...parked].filter(([, other]) => other.of === of);
      for (const [oldest] of mine.slice(0, Math.max(0, mine.length - MOST + 1))) take(oldest)?.end(TOO_LATE);
      const end = (reason: GatewayError): void => take(handle)?.end(reason);
      const stop = clock.after(PARKED_MS, () => end(TOO_LATE));
      calls.add({ ...asked, callId }, end);
      parked.set(handle, {
        of,
        call,
        free() {
          stop();
          calls.remove(callId);
        },
      });
    },
    take,
  };
}

function startParked(run: Run): ParkedCall {
  const controller = new AbortController();
  const open = new Map<string, Question>();
  let outcome: Reply | undefined;
  let problem: unknown;
  let over = false;
  let count = 0;
  let wake = (): void => undefined;

  const back = (message: RequestMessage, ended: AbortSignal): Promise<string> =>
    new Promise((resolve, reject) => {
      count += 1;
      const key = `input-${count}`;
      const settle = (frame: string): void => {
        if (open.delete(key)) resolve(frame);
      };
      open.set(key, { key, message, settle });
      ended.addEventListener(
        "abort",
        () => {
          open.delete(key);
          reject(ended.reason);
        },
        { once: true },
      );
      wake();
    });

  run({ signal: controller.signal, back })
    .then(
      (reply) => {
        outcome = reply;
      },
      (thrown: unknown) => {
        problem = thrown;
      },
    )
    .finally(() => {
      over = true;
      wake();
    });

  return {
    questions: () => [...open.values()],
    end: (reason) => controller.abort(reason),
    turn: (signal) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (signal.aborted) reject(signal.reason);
          else if (outcome) resolve(outcome);
          else if (over) reject(problem);
          else if (open.size > 0) resolve(undefined);
        };
        wake = look;
        signal.addEventListener("abort", look, { once: true });
        look();
      }),
  };
}

const TOO_LATE = new GatewayError("not-answered", "The agent did not come back with an answer in time.");
