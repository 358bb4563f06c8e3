/**
 * An agent of an older revision in front of a server of 2026-07-28. The agent opens a session that only navra knows of, and
 * each of its calls goes to the server with the version and the agent's capabilities in it. What the server then needs is
 * asked of the agent as a request of its own while its call is held; members that the older era does not have are taken
 * out of the result, and codes that changed their number get the old one.
 *
 * Decided: a page to be opened is asked as a request that waits, never as the error −32042: the call is held anyway, and an
 * agent need not make it again. Once the server went on, the agent hears that the page is done with. Pages the agent has
 * said yes to are not asked a second time while the person is still busy there.
 *
 * @see MCP 2026-07-28 · Base protocol · Versioning · Backward compatibility
 */
import type { Call, MutableCall } from "../call.ts";
import { GatewayError } from "../errors.ts";
import { capabilitiesFrom } from "../mcp/client-capabilities.ts";
import { codecFor } from "../mcp/codec.ts";
import { META_LOG_LEVEL, META_PREFIX, META_SERVER, metaOf } from "../mcp/meta.ts";
import { NEWEST_MODERN, vocabularyOf } from "../mcp/revision.ts";
import type { Clock } from "../ports.ts";
import { untilAborted } from "../transports/abortable.ts";
import { encodeNotification, encodeResult } from "../wire/encode.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import type { ErrorMessage, NotificationMessage, Reply, RequestMessage, ResultMessage } from "../wire/message.ts";
import { type Edit, sliceAt, splice } from "../wire/splice.ts";
import { asRequest, isInputRequired } from "./input-required.ts";
import { insistsOnTask, waitFor } from "./newer-task.ts";
import { WITHOUT_TASK } from "./older-task.ts";
import type { Caller } from "./upstream.ts";

/** Who calls, as the server is told. An empty `elicitation` stood for forms, and is said in full. */
export function newerCaller({ principalKey, capabilities }: Call): Caller {
  const { elicitation } = capabilities.value;
  const forms = isObject(elicitation) && Object.keys(elicitation).length === 0 ? { elicitation: { form: {} } } : {};
  const { text } = capabilitiesFrom({ ...capabilities.value, ...forms }, NEWEST_MODERN);
  return { principalKey, revision: NEWEST_MODERN, capabilities: text };
}

export interface OlderCallOptions {
  /** Sends the request with this text; each time with an id of its own. `tasks`: saying that it may become a task. */
  readonly ask: (text: string, tasks: "tasks" | "plain") => Promise<Reply>;
  /** Another request of the same call's, such as about the task it became. */
  readonly request: (method: string, paramsText: string) => Promise<Reply>;
  /** The same, when nobody waits for the answer any more. */
  readonly afterwards: (method: string, paramsText: string) => void;
  /** Asks the agent for the server; gives the whole reply frame. */
  readonly back: (call: MutableCall, message: RequestMessage, ended: AbortSignal) => Promise<string>;
  readonly event: (call: MutableCall, message: NotificationMessage) => void;
  readonly logLevel: string;
  readonly clock: Clock;
}

/** Asks until the server has what it needs. */
export async function callForOlder(call: MutableCall, options: OlderCallOptions): Promise<Reply> {
  const text = splice(call.request.text, [...ownWords(call), WITHOUT_TASK, levelOf(options)]);
  const pages: Pages = { opened: new Map(), waits: 0 };
  let round: readonly Edit[] = [];
  let tasks: "tasks" | "plain" = "plain";
  for (let rounds = 0; rounds <= MOST_ROUNDS + pages.waits; rounds++) {
    let reply = await options.ask(splice(text, round), tasks);
    if (tasks === "plain" && call.message.method === "tools/call" && insistsOnTask(reply)) {
      tasks = "tasks";
      reply = await options.ask(splice(text, round), tasks);
    }
    if (reply.kind === "result" && reply.result.resultType === "task") {
      const ended = await waitForTask(call, reply, { ...options, pages });
      return ended === undefined ? unanswered(call) : finished(call, ended, { ...options, pages });
    }
    if (reply.kind === "error" || !isInputRequired(reply.result)) return finished(call, reply, { ...options, pages });
    const answers = await answersTo(call, reply, { ...options, pages });
    if (answers === undefined) return unanswered(call);
    const state = sliceAt(reply.text, ["result", "requestState"]);
    round = [
      { path: ["params", "inputResponses"], value: answers },
      ...(state === undefined ? [] : [{ path: ["params", "requestState"], value: state }]),
    ];
  }
  throw broken("The server asks for more without end.");
}

const MOST_ROUNDS = 10;
/** Pauses before a request that brings nothing new; each is twice the one before, in milliseconds. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
/** While a person is busy in a page. */
const MOST_WAITS = 20;

/** Pages the agent has opened for the server, by what was asked; and how often nothing but them was asked for. */
interface Pages {
  readonly opened: Map<string, string>;
  waits: number;
}

type Answering = OlderCallOptions & { readonly pages: Pages };

/** The protocol's own words of a newer revision are navra's to say. */
function ownWords({ message: { params } }: Call): readonly Edit[] {
  return Object.keys(metaOf(params) ?? {})
    .filter((name) => name.startsWith(META_PREFIX))
    .map((name) => ({ path: ["params", "_meta", name], value: null }));
}

function levelOf({ logLevel }: OlderCallOptions): Edit {
  return { path: ["params", "_meta", META_LOG_LEVEL], value: JSON.stringify(logLevel) };
}

function waitForTask(call: MutableCall, made: ResultMessage, options: Answering): Promise<Reply | undefined> {
  const { clock, request, afterwards } = options;
  return waitFor(made, {
    id: call.message.id,
    clock,
    signal: call.signal,
    request,
    cancel: (paramsText) => afterwards("tasks/cancel", paramsText),
    answer: (reply, keys) => answersTo(call, reply, options, keys),
  });
}

/** The agent's answers as JSON text; nothing where one has no answer but an error. */
async function answersTo(
  call: MutableCall,
  { result, text }: ResultMessage,
  { back, pages, clock }: Answering,
  only?: readonly string[],
): Promise<string | undefined> {
  const requests = result.inputRequests ?? {};
  if (!isObject(requests)) throw broken("The server asked for input in a way that MCP does not have.");
  const answers: string[] = [];
  let asked = 0;
  for (const key of only ?? Object.keys(requests)) {
    const path = ["result", "inputRequests", key];
    const message = asRequest(requests[key], sliceAt(text, [...path, "params"]));
    if (!message) throw broken("The server asked for something that agents do not answer.");
    const page = pageOf(message);
    if (page !== undefined && pages.opened.has(page)) {
      answers.push(`${JSON.stringify(key)}:{"action":"accept"}`);
      continue;
    }
    asked += 1;
    const elicitationId = `${call.callId}-${pages.opened.size + 1}`;
    const frame = await back(call, inSession(message, call, elicitationId), call.signal);
    const answer = sliceAt(frame, ["result"]);
    if (answer === undefined) return undefined;
    if (page !== undefined && sliceAt(answer, ["action"]) === '"accept"') pages.opened.set(page, elicitationId);
    answers.push(`${JSON.stringify(key)}:${answer}`);
  }
  if (asked === 0) await pause(call, pages, clock);
  return `{${answers.join(",")}}`;
}

/** The server has all the agent can give, and is not ready: asking at once would be asking without end. */
async function pause({ signal }: Call, pages: Pages, clock: Clock): Promise<void> {
  const ms = Math.min(FIRST_PAUSE_MS * 2 ** pages.waits, LONGEST_PAUSE_MS);
  if (pages.opened.size > 0 && pages.waits < MOST_WAITS) pages.waits += 1;
  await untilAborted(signal, new Promise<void>((resolve) => void clock.after(ms, resolve)));
}

function pageOf({ params }: RequestMessage): string | undefined {
  return params?.mode === "url" && typeof params.url === "string" ? params.url : undefined;
}

/** In the words of the agent's revision; a page to be opened has an identifier there. */
function inSession(message: RequestMessage, { revision }: Call, elicitationId: string): RequestMessage {
  const { method, params } = message;
  let text = codecFor(revision, NEWEST_MODERN)?.request({ text: message.text, value: params }, method) ?? message.text;
  if (params?.mode === "url") {
    text = splice(text, [{ path: ["params", "elicitationId"], value: JSON.stringify(elicitationId) }]);
  }
  return text === message.text ? message : { ...message, text, params: parsedParams(text) };
}

function parsedParams(text: string): JsonObject | undefined {
  return (JSON.parse(text) as { readonly params?: JsonObject }).params;
}

function finished(call: MutableCall, reply: Reply, { pages, event }: Answering): Reply {
  const method = "notifications/elicitation/complete";
  if (vocabularyOf(call.revision).notifications.has(method)) {
    for (const elicitationId of pages.opened.values()) {
      const params = { elicitationId };
      event(call, { kind: "notification", method, params, text: encodeNotification(method, JSON.stringify(params)) });
    }
  }
  return reply.kind === "error" ? olderError(call, reply) : olderResult(reply);
}

function olderResult(reply: ResultMessage): ResultMessage {
  const { resultType = "complete" } = reply.result;
  if (resultType !== "complete") throw broken("The server gave a kind of result that navra does not know.");
  const meta = Object.keys(metaOf(reply.result) ?? {});
  const edits: Edit[] = NEW_MEMBERS.map((name) => ({ path: ["result", name], value: null }));
  // Where nothing else is in it, an older server would not have written it.
  if (meta.includes(META_SERVER)) {
    edits.push({ path: meta.length === 1 ? ["result", "_meta"] : ["result", "_meta", META_SERVER], value: null });
  }
  const text = splice(reply.text, edits);
  return { ...reply, text, result: (JSON.parse(text) as { result: JsonObject }).result };
}

const NEW_MEMBERS = ["resultType", "ttlMs", "cacheScope"];

const INVALID_PARAMS = -32602;
const MISSING_CAPABILITY = -32021;
const INTERNAL = "-32603";

function olderError(call: Call, reply: ErrorMessage): Reply {
  const { method } = call.message;
  const { code, data } = reply.error;
  if (method === "resources/read" && code === INVALID_PARAMS && isObject(data) && typeof data.uri === "string") {
    return withError(reply, [{ path: ["error", "code"], value: String(vocabularyOf(call.revision).notFound) }]);
  }
  // The capabilities it names are of the next hop; an agent of a session cannot change them any more.
  if (code !== MISSING_CAPABILITY) return reply;
  if (method === "tools/call") return unanswered(call);
  return withError(reply, [
    { path: ["error", "code"], value: INTERNAL },
    { path: ["error", "message"], value: JSON.stringify(LACKS) },
    { path: ["error", "data"], value: null },
  ]);
}

function withError(reply: ErrorMessage, edits: readonly Edit[]): ErrorMessage {
  const text = splice(reply.text, edits);
  return { ...reply, text, error: (JSON.parse(text) as Pick<ErrorMessage, "error">).error };
}

function unanswered({ message: { id, method } }: Call): ResultMessage {
  if (method !== "tools/call") throw new GatewayError("withheld", LACKS);
  const result = { content: [{ type: "text", text: LACKS }], isError: true };
  return { kind: "result", id, text: encodeResult(id, JSON.stringify(result)), result };
}

const LACKS =
  "The server needs something of you that you did not declare or that was not allowed, so the call ends here. Tell the person if it is needed.";

function broken(detail: string): GatewayError {
  return new GatewayError("upstream-broken", `${detail} Report it to whoever runs the server; the call may have run.`);
}
