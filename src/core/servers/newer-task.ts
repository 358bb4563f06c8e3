/**
 * A newer server that makes a task of an older agent's call. The agent has no word for that, so navra waits for it: it asks
 * how the task stands, puts what the task needs to the agent as requests, and gives the result when there is one.
 *
 * Decided: navra says that it can have tasks only where a server insists. Most then answer at once, and what is answered
 * at once cannot be lost with the worker.
 *
 * @see SEP-2663 Tasks · Polling, Input requests, Cancellation
 */
import { GatewayError } from "../errors.ts";
import { TASKS } from "../mcp/extensions.ts";
import type { Clock } from "../ports.ts";
import { untilAborted } from "../transports/abortable.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import type { Id, Reply, ResultMessage } from "../wire/message.ts";
import { sliceAt } from "../wire/splice.ts";

export interface Waiting {
  readonly id: Id;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly request: (method: string, paramsText: string) => Promise<Reply>;
  /** Tells the server that nobody waits any more. */
  readonly cancel: (paramsText: string) => void;
  /** The agent's answers to these keys, as JSON text; nothing where one has no answer but an error. */
  readonly answer: (reply: ResultMessage, keys: readonly string[]) => Promise<string | undefined>;
}

/** The server would only do this as a task. */
export function insistsOnTask(reply: Reply): boolean {
  if (reply.kind !== "error" || reply.error.code !== MISSING_CAPABILITY || !isObject(reply.error.data)) return false;
  const required = reply.error.data.requiredCapabilities;
  return isObject(required) && isObject(required.extensions) && isObject(required.extensions[TASKS]);
}

/** The task's result or error as the reply of the agent's call; nothing where the agent has no answer for it. */
export async function waitFor(made: ResultMessage, waiting: Waiting): Promise<Reply | undefined> {
  const { clock, signal, request, cancel, answer } = waiting;
  const { taskId } = made.result;
  if (typeof taskId !== "string" || taskId === "") throw broken("The server made a task without an identifier.");
  const paramsText = `{"taskId":${JSON.stringify(taskId)}}`;
  const answered = new Set<string>();
  const began = clock.monotonic();
  let stands: JsonObject = made.result;
  try {
    for (;;) {
      if (clock.monotonic() - began > MOST_MS) {
        cancel(paramsText);
        throw new GatewayError("timed-out", "The server's task did not end within an hour, and was cancelled.");
      }
      const pause = Math.min(Math.max(Number(stands.pollIntervalMs) || USUAL_MS, LEAST_MS), LONGEST_MS);
      await untilAborted(signal, new Promise<void>((resolve) => void clock.after(pause, resolve)));
      const reply = await request("tasks/get", paramsText);
      if (reply.kind === "error") return reply;
      stands = reply.result;
      if (ENDED.has(stands.status)) return ended(reply, waiting.id);
      const keys = Object.keys(isObject(stands.inputRequests) ? stands.inputRequests : {});
      const fresh = keys.filter((key) => !answered.has(key));
      if (fresh.length === 0) continue;
      const answers = await answer(reply, fresh);
      if (answers === undefined) {
        cancel(paramsText);
        return undefined;
      }
      for (const key of fresh) answered.add(key);
      await request("tasks/update", `{"taskId":${JSON.stringify(taskId)},"inputResponses":${answers}}`);
    }
  } catch (problem) {
    if (signal.aborted) cancel(paramsText);
    throw problem;
  }
}

const MISSING_CAPABILITY = -32021;
const USUAL_MS = 1_000;
const LEAST_MS = 250;
const LONGEST_MS = 60_000;
/** However long the server would go on. */
const MOST_MS = 60 * 60_000;
/** How a task stands when nothing more comes of it. */
export const ENDED: ReadonlySet<unknown> = new Set(["completed", "failed", "cancelled"]);

function ended({ result, text }: ResultMessage, id: Id): Reply {
  const inner = sliceAt(text, ["result", "result"]);
  if (result.status === "completed" && inner !== undefined && isObject(result.result)) {
    return { kind: "result", id, result: result.result, text: `{"jsonrpc":"2.0","id":${id},"result":${inner}}` };
  }
  const error = sliceAt(text, ["result", "error"]);
  if (result.status === "failed" && error !== undefined && isObject(result.error)) {
    const { code, message, data } = result.error;
    if (typeof code === "number" && typeof message === "string") {
      const told = { code, message, ...(data === undefined ? {} : { data }) };
      return { kind: "error", id, error: told, text: `{"jsonrpc":"2.0","id":${id},"error":${error}}` };
    }
  }
  throw broken("The server ended the task of this call without a result.");
}

function broken(detail: string): GatewayError {
  return new GatewayError("upstream-broken", `${detail} Report it to whoever runs the server; the call may have run.`);
}
