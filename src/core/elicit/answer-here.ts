/**
 * What a server of 2026-07-28 asks in its result and navra answers itself: the person is asked, and the agent neither sees
 * the question nor the answer. What is left is the agent's.
 *
 * @see MCP 2026-07-28 · Patterns · Multi round-trip requests
 */
import type { MutableCall } from "../call.ts";
import { asRequest } from "../servers/input-required.ts";
import { isObject } from "../wire/json.ts";
import type { RequestMessage, ResultMessage } from "../wire/message.ts";
import { type Edit, sliceAt } from "../wire/splice.ts";
import { whoAnswers } from "./who-answers.ts";

export interface AnsweredHere {
  /** By the server's keys, as JSON text. */
  readonly answers: ReadonlyMap<string, string>;
  /** How many questions are left for the agent. */
  readonly left: number;
}

export async function answerHere(
  call: MutableCall,
  reply: ResultMessage,
  back: (call: MutableCall, message: RequestMessage, ended: AbortSignal) => Promise<string>,
): Promise<AnsweredHere> {
  const requests = reply.result.inputRequests;
  const keys = isObject(requests) ? Object.keys(requests) : [];
  const answers = new Map<string, string>();
  for (const key of keys) {
    const path = ["result", "inputRequests", key];
    const message = isObject(requests) ? asRequest(requests[key], sliceAt(reply.text, [...path, "params"])) : undefined;
    if (!message || whoAnswers({ ...call, message }) !== "navra") continue;
    const frame = await back(call, message, call.signal);
    answers.set(key, answerOf(frame));
  }
  return { answers, left: keys.length - answers.size };
}

/** What the server is given for a whole reply frame, as JSON text. */
export function answerOf(frame: string): string {
  return sliceAt(frame, ["result"]) ?? CANCELLED;
}

/** The next round of the same request, with what was answered. */
export function nextRound(reply: ResultMessage, { answers }: AnsweredHere): readonly Edit[] {
  const state = sliceAt(reply.text, ["result", "requestState"]);
  const given = [...answers].map(([key, answer]) => `${JSON.stringify(key)}:${answer}`);
  return [
    { path: ["params", "inputResponses"], value: `{${given.join(",")}}` },
    { path: ["params", "requestState"], value: state ?? null },
  ];
}

const CANCELLED = '{"action":"cancel"}';
