/**
 * Sets the members that are navra's own into messages on their way up and down, and leaves every other byte alone: the id,
 * the progress token, and from 2026-07-28 the protocol's keys in `_meta`. An agent cannot speak for navra there: what it
 * wrote in those keys is overwritten, never merged; only its `clientInfo`, a label for display, is kept. A trace that the
 * agent is in goes on as it is; where there is none one begins.
 *
 * @see MCP 2026-07-28 · Base protocol · `_meta`
 * @see W3C Trace Context · 3.2 traceparent
 * @see MCP 2025-11-25 · Utilities · Progress
 */
import { META_CAPABILITIES, META_CLIENT, META_SUBSCRIPTION, META_VERSION, metaOf } from "../mcp/meta.ts";
import { isModern, type Revision } from "../mcp/revision.ts";
import type { JsonObject, JsonValue } from "../wire/json.ts";
import type { Id, NotificationMessage, Reply, RequestMessage } from "../wire/message.ts";
import { type Edit, sliceAt, splice } from "../wire/splice.ts";
import { subscriptionOf } from "./incoming.ts";

/** The agent's own progress token, as its text and as its value. */
export interface ProgressToken {
  readonly text: string;
  readonly value: JsonValue;
}

export function tokenOf(message: RequestMessage): ProgressToken | undefined {
  const value = metaOf(message.params)?.progressToken;
  if (value === undefined) return undefined;
  const text = sliceAt(message.text, TOKEN_UP);
  return text === undefined ? undefined : { text, value };
}

export interface Outgoing {
  readonly id: Id;
  readonly revision: Revision;
  readonly token: ProgressToken | undefined;
  /** What the agent declared, from 2026-07-28 on. */
  readonly capabilities: string;
  /** The trace that begins here where the agent's request is in none, from 2026-07-28 on. */
  readonly trace: string | undefined;
}

export function toServer(message: RequestMessage, { id, revision, token, capabilities, trace }: Outgoing): string {
  const edits: Edit[] = [{ path: ["id"], value: id }];
  if (token) edits.push({ path: TOKEN_UP, value: id });
  if (isModern(revision)) {
    edits.push({ path: ["params", "_meta", META_VERSION], value: JSON.stringify(revision) });
    edits.push({ path: ["params", "_meta", META_CAPABILITIES], value: capabilities });
    const named = metaOf(message.params)?.[META_CLIENT] !== undefined;
    if (!named) edits.push({ path: ["params", "_meta", META_CLIENT], value: CLIENT_INFO });
    const traced = trace === undefined || metaOf(message.params)?.traceparent !== undefined;
    if (!traced) edits.push({ path: ["params", "_meta", "traceparent"], value: `"${trace}"` });
  }
  return splice(message.text, edits);
}

/** The agent's id of a request, and ours towards the server. */
export interface IdPair {
  readonly id: Id;
  readonly ours: Id;
}

export function toAgent(reply: Reply, { id, ours }: IdPair): Reply {
  const edits: Edit[] = [{ path: ["id"], value: id }];
  if (reply.kind === "error" || subscriptionOf(reply.result) !== ours) {
    return { ...reply, id, text: splice(reply.text, edits) };
  }
  edits.push({ path: ["result", "_meta", META_SUBSCRIPTION], value: id });
  const result = { ...reply.result, _meta: subscribed(reply.result, id) };
  return { ...reply, id, result, text: splice(reply.text, edits) };
}

/** What a subscription tells carries the id of the listen request; the agent knows its own. */
export function noticeToAgent(message: NotificationMessage, { id, ours }: IdPair): NotificationMessage {
  if (subscriptionOf(message.params) !== ours) return message;
  const text = splice(message.text, [{ path: ["params", "_meta", META_SUBSCRIPTION], value: id }]);
  return { ...message, text, params: { ...message.params, _meta: subscribed(message.params, id) } };
}

function subscribed(holder: JsonObject | undefined, id: Id): JsonObject {
  return { ...metaOf(holder), [META_SUBSCRIPTION]: JSON.parse(id) as JsonValue };
}

export function progressToAgent(message: NotificationMessage, token: ProgressToken): NotificationMessage {
  const text = splice(message.text, [{ path: ["params", "progressToken"], value: token.text }]);
  return { ...message, params: { ...message.params, progressToken: token.value }, text };
}

/** Who navra says it is, to servers that ask. */
export const CLIENT_INFO = JSON.stringify({ name: "navra", version: "0.1.0" });

const TOKEN_UP = ["params", "_meta", "progressToken"];
