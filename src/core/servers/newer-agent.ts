/**
 * An agent of 2026-07-28 in front of an older server: navra holds the session, the agent sees none. What the server asks
 * during a call becomes the result of the agent's call, under a handle for the state; the call itself stays parked. Members
 * that the newer revision demands are added to the results.
 *
 * Decided: capabilities of an older session are fixed when it is opened, and a newer agent says its own with each call. So
 * there is a session for each set that agents of a site declare, and no agent is asked what it did not declare.
 *
 * @see MCP 2026-07-28 · Base protocol · Versioning · Backward compatibility
 * @see MCP 2026-07-28 · Utilities · Caching
 */
import type { Call, MutableCall } from "../call.ts";
import { GatewayError } from "../errors.ts";
import { backRefusal } from "../face/back-refusal.ts";
import type { Continuations } from "../face/continuations.ts";
import { answers, capabilitiesFrom } from "../mcp/client-capabilities.ts";
import { META_CAPABILITIES, META_CLIENT, META_LOG_LEVEL, META_SERVER, META_VERSION, metaOf } from "../mcp/meta.ts";
import type { Revision } from "../mcp/revision.ts";
import type { Stop } from "../pipeline/stage.ts";
import type { Clock } from "../ports.ts";
import { encodeResult } from "../wire/encode.ts";
import type { JsonObject, JsonValue } from "../wire/json.ts";
import type { ErrorMessage, Reply, RequestMessage, ResultMessage } from "../wire/message.ts";
import { type Edit, sliceAt, splice } from "../wire/splice.ts";
import { MAY_ASK } from "./input-required.ts";
import { type Pages, throughPages } from "./pages.ts";
import type { ParkedCall, Parking, Run } from "./parked.ts";
import type { Caller } from "./upstream.ts";

/** Who calls, as the older server is told; a session of its own for what each agent declared. */
export function olderCaller({ principalKey, capabilities }: Call, revision: Revision): Caller {
  return { principalKey, revision, capabilities: capabilitiesFrom(capabilities.value, revision).text };
}

export interface NewerCallOptions {
  readonly parking: Parking;
  readonly continuations: Continuations;
  readonly clock: Clock;
  /** The handle that the agent brought, where it brought one of this call. */
  readonly handle: string | undefined;
  /** Runs the call at the server, with the text it is given. */
  readonly run: (text: string, hooks: Parameters<Run>[0]) => Promise<Reply>;
  /** Judges one thing the server asks; gives its text as the agent may see it. */
  readonly embedded: (call: MutableCall, message: RequestMessage) => Promise<string | undefined>;
  readonly pages: Pages;
  /** Asks in navra's own window for pages, where that is who answers. */
  readonly own: Parameters<Run>[0]["back"] | undefined;
  /** The JSON text of the server's own name and version. */
  readonly serverInfo: () => Promise<string>;
}

export async function callForNewer(call: MutableCall, options: NewerCallOptions): Promise<Reply> {
  const parked = resume(call, options);
  const missing: Missing = {};
  try {
    for (;;) {
      const reply = await parked.turn(call.signal);
      if (reply) return lacking(newerReply(call, reply, await options.serverInfo()), missing);
      await judge(call, parked, { ...options, missing });
      if (parked.questions().some(({ shown }) => shown !== undefined)) {
        return await leave(call, parked, { ...options, missing });
      }
    }
  } catch (problem) {
    parked.end(problem instanceof GatewayError ? problem : new GatewayError("cancelled", "The call was ended."));
    throw problem;
  }
}

/** Servers that ask several things at once ask them a moment apart, in milliseconds. */
const TOGETHER_MS = 20;

function resume(call: MutableCall, { parking, handle, run, pages, own }: NewerCallOptions): ParkedCall {
  if (handle === undefined) {
    const once: Run = (hooks) => run(olderText(call.request.text), hooks);
    const asks = MAY_ASK.has(call.message.method);
    return parking.start(asks ? throughPages(once, { serverId: call.server.id, pages, own }) : once);
  }
  const parked = parking.take(handle);
  if (!parked) throw new GatewayError("unknown", GONE);
  for (const { key, message, settle } of parked.questions()) {
    const path = ["params", "inputResponses", key];
    const answer = sliceAt(call.request.text, path);
    if (answer?.startsWith("{")) settle(encodeResult(message.id, answer));
  }
  return parked;
}

/** What the server asked for and the agent did not declare. */
type Missing = Record<string, JsonObject>;
type Judging = NewerCallOptions & { readonly missing: Missing };

async function judge(call: MutableCall, parked: ParkedCall, { embedded, missing }: Judging): Promise<void> {
  for (const question of parked.questions()) {
    if (question.shown !== undefined) continue;
    const { message, settle } = question;
    const text = await embedded(call, message);
    if (text !== undefined) question.shown = sliceAt(text, ["params"]) ?? "{}";
    else if (answers(call.capabilities, message)) settle(backRefusal(message, DENIED));
    else {
      note(missing, message);
      settle(backRefusal(message, UNDECLARED));
    }
  }
}

function note(missing: Missing, { method, params }: RequestMessage): void {
  const [kind = method] = method.split("/");
  const way = params?.mode === "url" ? { url: {} } : { form: {} };
  missing[kind] = kind === "elicitation" ? { ...missing[kind], ...way } : {};
}

/** A call that failed for want of a capability says which, so that the agent can declare it. */
function lacking(reply: Reply, missing: Missing): Reply {
  if (reply.kind !== "error" || Object.keys(missing).length === 0) return reply;
  const data = { requiredCapabilities: missing };
  const edits: Edit[] = [
    { path: ["error", "code"], value: "-32021" },
    { path: ["error", "data"], value: JSON.stringify(data) },
  ];
  return { ...reply, text: splice(reply.text, edits), error: { ...reply.error, code: MISSING_CAPABILITY, data } };
}

async function leave(call: MutableCall, parked: ParkedCall, options: Judging): Promise<ResultMessage> {
  const { continuations, parking, clock } = options;
  await new Promise<void>((resolve) => clock.after(TOGETHER_MS, resolve));
  await judge(call, parked, options);
  const asked = parked
    .questions()
    .map(
      ({ key, message, shown = "{}" }) =>
        `${JSON.stringify(key)}:{"method":${JSON.stringify(message.method)},"params":${shown}}`,
    );
  const handle = await continuations.keep(call, { stateText: undefined, declined: [] });
  parking.leave(handle, parked, call);
  const resultText = `{"resultType":"input_required","inputRequests":{${asked.join(",")}},"requestState":${JSON.stringify(handle)}}`;
  const { id } = call.message;
  return { kind: "result", id, text: encodeResult(id, resultText), result: JSON.parse(resultText) as JsonObject };
}

/** The agent's parameters without what an older server does not know. */
function olderText(text: string): string {
  const meta = [META_VERSION, META_CAPABILITIES, META_CLIENT, META_LOG_LEVEL];
  return splice(text, [
    ...meta.map((key) => ({ path: ["params", "_meta", key], value: null })),
    ...["inputResponses", "requestState", "task"].map((name) => ({ path: ["params", name], value: null })),
  ]);
}

function newerReply({ message: { id, method, params } }: Call, reply: Reply, serverInfo: string): Reply {
  // The call that the server ran may have been an earlier one of the agent's.
  const edits: Edit[] = [{ path: ["id"], value: id }];
  if (reply.kind === "error") return newerError({ ...reply, id }, { method, uri: params?.uri, edits });
  edits.push({ path: ["result", "resultType"], value: '"complete"' });
  if (metaOf(reply.result)?.[META_SERVER] === undefined) {
    edits.push({ path: ["result", "_meta", META_SERVER], value: serverInfo });
  }
  if (CACHEABLE.has(method)) {
    edits.push({ path: ["result", "ttlMs"], value: "0" }, { path: ["result", "cacheScope"], value: '"private"' });
  }
  const text = splice(reply.text, edits);
  return { ...reply, id, text, result: (JSON.parse(text) as { result: JsonObject }).result };
}

const CACHEABLE: ReadonlySet<string> = new Set([
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

const NOT_FOUND_BEFORE = -32002;
const MISSING_CAPABILITY = -32021;
/** Codes that mean something in the newer revision, which an older server cannot mean by them, and one it gave up. */
const MISLEADING: ReadonlySet<number> = new Set([-32020, MISSING_CAPABILITY, -32022, -32042]);

function newerError(
  reply: ErrorMessage,
  { method, uri, edits }: { readonly method: string; readonly uri: JsonValue | undefined; readonly edits: Edit[] },
): ErrorMessage {
  if (method === "resources/read" && reply.error.code === NOT_FOUND_BEFORE) {
    edits.push({ path: ["error", "code"], value: "-32602" });
    edits.push({ path: ["error", "data", "uri"], value: JSON.stringify(uri) });
  }
  if (MISLEADING.has(reply.error.code)) edits.push({ path: ["error", "code"], value: "-32603" });
  const text = splice(reply.text, edits);
  return { ...reply, text, error: (JSON.parse(text) as Pick<ErrorMessage, "error">).error };
}

const DENIED: Stop = { kind: "refused", name: "denied", detail: "Not allowed." };
const UNDECLARED: Stop = { kind: "fault", name: "method-not-found", detail: "Not declared." };

const GONE = "The call that waited for this answer is gone. It may have happened: look before you call again.";
