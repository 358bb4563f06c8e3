/**
 * A server of 2026-07-28 that needs something from the agent says so in its result. Each thing it asks is judged as a
 * request of the server's; one that is stopped is taken out of what the agent sees and answered by navra when the agent
 * calls again: a declined form has an answer, anything else ends the call, because there is no way to say no to it.
 *
 * @see MCP 2026-07-28 · Patterns · Multi round-trip requests
 */
import type { MutableCall } from "../call.ts";
import { GatewayError } from "../errors.ts";
import type { Continuations } from "../face/continuations.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import type { RequestMessage, ResultMessage } from "../wire/message.ts";
import { type Edit, sliceAt, splice } from "../wire/splice.ts";

export interface InputRequiredOptions {
  readonly continuations: Continuations;
  /** Runs the request line for one thing the server asks; gives its text as judged, or nothing where it was stopped. */
  readonly embedded: (call: MutableCall, message: RequestMessage) => Promise<string | undefined>;
  /** What navra answered itself, by key; the agent does not see these. */
  readonly own?: ReadonlyMap<string, string>;
}

export async function passInputRequired(
  call: MutableCall,
  reply: ResultMessage,
  { continuations, embedded, own = NONE }: InputRequiredOptions,
): Promise<ResultMessage> {
  if (!MAY_ASK.has(call.message.method)) throw broken("The server asked for input where MCP has none.");
  const state = reply.result.requestState;
  if (state !== undefined && typeof state !== "string") throw unreadable();
  const judged = await judgeQuestions(call, reply, { embedded, own });
  const edits = [...judged.edits];
  const declined = [...judged.declined, ...own.keys()];
  if (state !== undefined || declined.length > 0) {
    const stateText = state === undefined ? undefined : sliceAt(reply.text, ["result", "requestState"]);
    const handle = await continuations.keep(call, { stateText, declined, answers: own });
    edits.push({ path: ["result", "requestState"], value: JSON.stringify(handle) });
  }
  return edited(reply, edits);
}

const NONE: ReadonlyMap<string, string> = new Map();

export interface JudgeOptions extends Pick<InputRequiredOptions, "embedded" | "own"> {
  /** By its text: a question that was judged before and may be seen as it is. */
  readonly known?: (question: string) => boolean;
}

export interface Judged {
  readonly edits: Edit[];
  /** Forms that were stopped; the agent does not see them. */
  readonly declined: readonly string[];
  /** Texts of the questions that may be seen as they are. */
  readonly clean: readonly string[];
}

/** Judges each thing that a result asks. @throws GatewayError where there is no way to say no */
export async function judgeQuestions(
  call: MutableCall,
  reply: ResultMessage,
  { embedded, known, own = NONE }: JudgeOptions,
): Promise<Judged> {
  const requests = reply.result.inputRequests ?? {};
  if (!isObject(requests)) throw unreadable();
  const edits: Edit[] = [];
  const declined: string[] = [];
  const clean: string[] = [];
  for (const key of Object.keys(requests)) {
    const path = ["result", "inputRequests", key];
    if (own.has(key)) {
      edits.push({ path, value: null });
      continue;
    }
    const question = `${JSON.stringify(key)}:${sliceAt(reply.text, path)}`;
    if (known?.(question)) {
      clean.push(question);
      continue;
    }
    const message = asRequest(requests[key], sliceAt(reply.text, [...path, "params"]));
    if (!message) throw broken("The server asked for something that agents do not answer.");
    const judged = await embedded(call, message);
    if (judged === undefined && message.method !== "elicitation/create") throw unanswered();
    if (judged === undefined) {
      declined.push(key);
      edits.push({ path, value: null });
    } else if (judged !== message.text) {
      edits.push({ path: [...path, "params"], value: sliceAt(judged, ["params"]) ?? null });
    } else clean.push(question);
  }
  return { edits, declined, clean };
}

export function edited(reply: ResultMessage, edits: readonly Edit[]): ResultMessage {
  if (edits.length === 0) return reply;
  const text = splice(reply.text, edits);
  return { ...reply, text, result: (JSON.parse(text) as { result: JsonObject }).result };
}

export function isInputRequired(result: JsonObject): boolean {
  return result.resultType === "input_required";
}

/** One thing asked in a result, as the request that it would be in a session. */
export function asRequest(value: unknown, paramsText: string | undefined): RequestMessage | undefined {
  const entry = value as JsonObject | undefined;
  if (!isObject(entry) || typeof entry.method !== "string" || !ASKED.has(entry.method)) return undefined;
  const params = isObject(entry.params) ? entry.params : undefined;
  const text = `{"jsonrpc":"2.0","id":0,"method":${JSON.stringify(entry.method)}${params && paramsText !== undefined ? `,"params":${paramsText}` : ""}}`;
  return { kind: "request", id: "0", method: entry.method, params, text };
}

/** Methods in whose results a server may ask for something. */
export const MAY_ASK: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);
const ASKED: ReadonlySet<string> = new Set(["elicitation/create", "sampling/createMessage", "roots/list"]);

function unreadable(): GatewayError {
  return broken("The server asked for input in a way that MCP does not have.");
}

function broken(detail: string): GatewayError {
  return new GatewayError("upstream-broken", `${detail} Report it to whoever runs the server.`);
}

export function unanswered(): GatewayError {
  return new GatewayError(
    "withheld",
    "The server asked something back that the agent did not declare or policy does not allow, so the call ends here. Tell the person if it is needed.",
  );
}
