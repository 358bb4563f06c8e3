/**
 * What a task asks of the person and navra's own window answers. A person takes minutes and agents look every second, so
 * the question belongs to the task and not to the call that saw it: that call is answered at once, without the question,
 * and the person's answer goes to the server as an update of navra's own. Each is asked once in the task's life. It is
 * withdrawn when the server asks it no longer, when the task is over, and when the person revokes or pauses; the server
 * then hears nothing.
 *
 * INVARIANT: the agent neither sees such a question nor answers it, not even by guessing its key.
 *
 * @see SEP-2663 Tasks · Input requests
 */
import type { MutableCall } from "../call.ts";
import { answerOf } from "../elicit/answer-here.ts";
import { whoAnswers } from "../elicit/who-answers.ts";
import { GatewayError } from "../errors.ts";
import type { OpenCalls } from "../open-calls.ts";
import { isObject, type JsonValue } from "../wire/json.ts";
import type { RequestMessage, ResultMessage } from "../wire/message.ts";
import { type Edit, sliceAt } from "../wire/splice.ts";
import { asRequest, edited } from "./input-required.ts";

export interface TaskQuestions {
  /** Asks what nobody asked before; gives the reply as far as it is the agent's. */
  ask(task: string, seen: { readonly call: MutableCall; readonly reply: ResultMessage }, by: Asking): ResultMessage;
  /** Whether the parameters of the agent's update answer one of these. */
  answeredBy(task: string, inputResponses: JsonValue | undefined): boolean;
  /** Nothing of the task is asked any more. */
  over(task: string): void;
}

export interface Asking {
  readonly calls: Pick<OpenCalls, "add" | "remove">;
  /** Asks the person; gives the reply frame. */
  readonly back: (call: MutableCall, message: RequestMessage, ended: AbortSignal) => Promise<string>;
  /** Sends `tasks/update` with these parameters. */
  readonly update: (paramsText: string, ended: AbortSignal) => Promise<unknown>;
}

/** Of one task, however many a server thinks of. */
const MOST = 64;

export function createTaskQuestions(): TaskQuestions {
  const tasks = new Map<string, Map<string, AbortController>>();

  const askOne = async (
    { call, message, key }: { readonly call: MutableCall; readonly message: RequestMessage; readonly key: string },
    end: AbortController,
    { calls, back, update }: Asking,
  ): Promise<void> => {
    // Open like a call: it keeps the worker alive and ends when the person revokes or pauses.
    const callId = `${call.callId}.${JSON.stringify(key)}`;
    calls.add({ ...call, callId }, (reason) => end.abort(reason));
    try {
      const answer = answerOf(await back(call, message, end.signal));
      end.signal.throwIfAborted();
      const taskId = JSON.stringify(call.message.params?.taskId);
      await update(`{"taskId":${taskId},"inputResponses":{${JSON.stringify(key)}:${answer}}}`, end.signal);
    } finally {
      calls.remove(callId);
    }
  };

  return {
    ask(task, { call, reply }, by) {
      const requests = isObject(reply.result.inputRequests) ? reply.result.inputRequests : {};
      const own = tasks.get(task) ?? new Map<string, AbortController>();
      for (const [key, end] of own) if (!Object.hasOwn(requests, key)) end.abort(WITHDRAWN);
      const path = ["result", "inputRequests"];
      const edits: Edit[] = [];
      for (const [key, request] of Object.entries(requests)) {
        const message = asRequest(request, sliceAt(reply.text, [...path, key, "params"]));
        if (!own.has(key)) {
          if (!message || whoAnswers({ ...call, message }) !== "navra") continue;
          if (own.size === MOST) throw new GatewayError("upstream-broken", TOO_MANY);
          const end = new AbortController();
          own.set(key, end);
          // An answer that did not leave is no answer: the next look asks again.
          askOne({ call, message, key }, end, by).catch(() => own.get(key) === end && own.delete(key));
        }
        edits.push({ path: [...path, key], value: null });
      }
      if (own.size > 0) tasks.set(task, own);
      if (edits.length === 0) return reply;
      if (edits.length < Object.keys(requests).length) return edited(reply, edits);
      return edited(reply, [
        { path, value: null },
        { path: ["result", "status"], value: '"working"' },
      ]);
    },
    answeredBy(task, inputResponses) {
      const own = tasks.get(task);
      return own !== undefined && isObject(inputResponses) && Object.keys(inputResponses).some((key) => own.has(key));
    },
    over(task) {
      for (const end of tasks.get(task)?.values() ?? []) end.abort(WITHDRAWN);
      tasks.delete(task);
    },
  };
}

const WITHDRAWN = new GatewayError("cancelled", "The server's task does not ask this any more.", { by: "server" });
const TOO_MANY =
  "A task of the server asks the person for more without end. Report it to whoever runs the server; the call may have run.";
