/**
 * An agent of an older revision in front of a server of 2026-07-28. The agent opens a session that only navra knows of, and
 * each of its calls goes to the server with the version and the agent's capabilities in it. What the server then needs is
 * asked of the agent as a request of its own while its call is held; members that the older revision does not have are
 * taken out of the result, and codes that changed their number get the old one.
 *
 * Not here: subscriptions and changed lists are not carried across, so they are not offered; a `structuredContent` that is
 * no object goes through as it is.
 *
 * @see MCP 2026-07-28 · Base protocol · Versioning · Backward compatibility
 */
import type { Call, MutableCall } from "../call.ts";
import { GatewayError } from "../errors.ts";
import { capabilitiesFrom } from "../mcp/client-capabilities.ts";
import { META_LOG_LEVEL, META_SERVER } from "../mcp/meta.ts";
import { MODERN_REVISIONS, type Revision } from "../mcp/revision.ts";
import type { Stop } from "../pipeline/stage.ts";
import { encodeResult } from "../wire/encode.ts";
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";
import type { ErrorMessage, Reply, RequestMessage, ResultMessage } from "../wire/message.ts";
import { type Edit, sliceAt, splice } from "../wire/splice.ts";
import { asRequest, isInputRequired } from "./input-required.ts";
import type { Caller } from "./upstream.ts";

/** Who calls, as the server is told. */
export function newerCaller({ principalKey, capabilities }: Call): Caller {
  const [revision] = MODERN_REVISIONS;
  return { principalKey, revision, capabilities: capabilitiesFrom(capabilities.value, revision).text };
}

/** What `initialize` answers, from the server's discovery; both as JSON text. */
export function initializeResult(
  discoveryText: string,
  { revision, server }: Pick<Call, "revision" | "server">,
): string {
  const named =
    sliceAt(discoveryText, ["_meta", META_SERVER]) ??
    sliceAt(discoveryText, ["serverInfo"]) ??
    JSON.stringify({ name: server.name, version: "unknown" });
  const instructions = sliceAt(discoveryText, ["instructions"]);
  const members = [
    `"protocolVersion":"${revision}"`,
    `"capabilities":${olderCapabilities(sliceAt(discoveryText, ["capabilities"]) ?? "{}", revision)}`,
    `"serverInfo":${named}`,
    ...(instructions === undefined ? [] : [`"instructions":${instructions}`]),
  ];
  return `{${members.join(",")}}`;
}

/** What of the older era has nothing on the other side. */
export function notCarried({ message: { method } }: Call): Stop | undefined {
  return method === "resources/subscribe" || method === "resources/unsubscribe" ? NO_SUBSCRIPTIONS : undefined;
}

export interface OlderCallOptions {
  /** Sends the request with this text; each time with an id of its own. */
  readonly ask: (text: string) => Promise<Reply>;
  /** Asks the agent for the server; gives the whole reply frame. */
  readonly back: (call: MutableCall, message: RequestMessage, ended: AbortSignal) => Promise<string>;
  readonly logLevel: string;
}

/** Asks until the server has what it needs. */
export async function callForOlder(call: MutableCall, options: OlderCallOptions): Promise<Reply> {
  const { method } = call.message;
  const text = splice(call.request.text, [
    { path: ["params", "_meta", META_LOG_LEVEL], value: JSON.stringify(options.logLevel) },
  ]);
  let round: readonly Edit[] = [];
  for (let rounds = 0; rounds <= MOST_ROUNDS; rounds++) {
    const reply = await options.ask(splice(text, round));
    if (reply.kind === "error") return olderError(reply, method);
    if (!isInputRequired(reply.result)) return olderResult(reply);
    const answers = await answersTo(call, reply, options);
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

/** The agent's answers as JSON text; nothing where one has no answer but an error. */
async function answersTo(
  call: MutableCall,
  { result, text }: ResultMessage,
  { back }: OlderCallOptions,
): Promise<string | undefined> {
  const requests = result.inputRequests ?? {};
  if (!isObject(requests)) throw broken("The server asked for input in a way that MCP does not have.");
  const answers: string[] = [];
  for (const key of Object.keys(requests)) {
    const path = ["result", "inputRequests", key];
    const message = asRequest(requests[key], sliceAt(text, [...path, "params"]));
    if (!message) throw broken("The server asked for something that agents do not answer.");
    const frame = await back(call, inSession(message, call, key), call.signal);
    const answer = sliceAt(frame, ["result"]);
    if (answer === undefined) return undefined;
    answers.push(`${JSON.stringify(key)}:${answer}`);
  }
  return `{${answers.join(",")}}`;
}

/** With 2025-11-25 a page to be opened has an identifier; the newer revision does without. */
function inSession(message: RequestMessage, { callId }: Call, key: string): RequestMessage {
  if (message.params?.mode !== "url") return message;
  const elicitationId = `${callId}-${key}`;
  const text = splice(message.text, [{ path: ["params", "elicitationId"], value: JSON.stringify(elicitationId) }]);
  return { ...message, text, params: { ...message.params, elicitationId } };
}

function olderResult(reply: ResultMessage): ResultMessage {
  const { resultType = "complete" } = reply.result;
  if (resultType !== "complete") throw broken("The server gave a kind of result that navra does not know.");
  const meta = isObject(reply.result._meta) ? Object.keys(reply.result._meta) : [];
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
const NOT_FOUND_BEFORE = "-32002";
const INTERNAL = "-32603";

function olderError(reply: ErrorMessage, method: string): ErrorMessage {
  const { code, data } = reply.error;
  if (method === "resources/read" && code === INVALID_PARAMS && isObject(data) && typeof data.uri === "string") {
    return withError(reply, [{ path: ["error", "code"], value: NOT_FOUND_BEFORE }]);
  }
  // The capabilities it names are of the next hop; an agent of a session cannot change them any more.
  if (code !== MISSING_CAPABILITY) return reply;
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

function olderCapabilities(text: string, revision: Revision): string {
  const capabilities = JSON.parse(text) as JsonValue;
  if (!isObject(capabilities)) return "{}";
  const edits: Edit[] = [{ path: ["extensions"], value: null }];
  if (revision < "2025-03-26") edits.push({ path: ["completions"], value: null });
  for (const [name, settings] of Object.entries(capabilities)) {
    if (!isObject(settings)) continue;
    for (const member of ["listChanged", "subscribe"]) {
      if (settings[member] !== undefined) edits.push({ path: [name, member], value: null });
    }
  }
  return splice(text, edits);
}

function unanswered({ message: { id, method } }: Call): ResultMessage {
  if (method !== "tools/call") throw new GatewayError("withheld", LACKS);
  const result = { content: [{ type: "text", text: LACKS }], isError: true };
  return { kind: "result", id, text: encodeResult(id, JSON.stringify(result)), result };
}

const LACKS =
  "The server needs something of you that you did not declare or that was not allowed, so the call ends here. Tell the person if it is needed.";

const NO_SUBSCRIPTIONS: Stop = {
  kind: "fault",
  name: "method-not-found",
  detail: "navra does not carry subscriptions to a server of a newer revision. Read the resource again instead.",
};

function broken(detail: string): GatewayError {
  return new GatewayError("upstream-broken", `${detail} Report it to whoever runs the server; the call may have run.`);
}
