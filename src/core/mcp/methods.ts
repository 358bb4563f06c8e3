/**
 * What MCP's methods mean to the gateway: how they are treated, what their parameters must look like, and what a call of
 * them acts on. A method that is not in this table, or not in the agent's revision, does not exist for an agent (−32601),
 * whatever an upstream server would say.
 *
 * @see MCP 2025-11-25 · Schema reference
 * @see MCP 2026-07-28 · Schema reference (ping, logging/setLevel, resources/subscribe and initialize are gone)
 */
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";
import type { RequestMessage } from "../wire/message.ts";
import { LEGACY_REVISIONS, MODERN_REVISIONS, vocabularyOf } from "./revision.ts";

/** What one call acts on, read from its parameters. */
export interface Action {
  readonly method: string;
  readonly tool?: string;
  readonly prompt?: string;
  readonly uri?: string;
  /** The arguments a policy can look into: `params.arguments` where the method has them. */
  readonly args?: JsonValue;
}

/** How the reply of a method is treated. */
export type MethodKind =
  /** Returns text of the server's that reaches the model and is not pinned: labels rise. */
  | "content"
  /** Returns definitions: pins and list filtering apply. */
  | "list"
  /** Answered by the gateway from what it knows of the session. */
  | "session"
  | "plain";

export interface MethodRow {
  readonly kind: MethodKind;
  /** A sentence about what is wrong, or nothing. */
  readonly check: (params: JsonObject) => string | undefined;
}

/** Requests an agent may send. */
export const AGENT_METHODS: ReadonlyMap<string, MethodRow> = new Map<string, MethodRow>([
  ["initialize", row("session", needs("protocolVersion"))],
  ["ping", row("session")],
  ["server/discover", row("session")],
  ["tools/list", row("list", optionalCursor)],
  ["tools/call", row("content", toolCall)],
  ["resources/list", row("content", optionalCursor)],
  ["resources/templates/list", row("content", optionalCursor)],
  ["resources/read", row("content", needs("uri"))],
  ["resources/subscribe", row("plain", needs("uri"))],
  ["resources/unsubscribe", row("plain", needs("uri"))],
  ["prompts/list", row("content", optionalCursor)],
  ["prompts/get", row("content", namedWithArguments)],
  ["completion/complete", row("content", completion)],
  ["logging/setLevel", row("plain", level)],
  ["subscriptions/listen", row("plain", subscriptions)],
  ["tasks/get", row("content", needs("taskId"))],
  ["tasks/update", row("plain", taskUpdate)],
  ["tasks/cancel", row("plain", needs("taskId"))],
  ["skills/list", row("content", optionalCursor)],
  ["skills/get", row("content", needs("uri"))],
  ["resources/directory/read", row("content", needs("uri"))],
]);

/** Requests of a server that go to an agent; a ping is answered by navra. */
export const SERVER_METHODS: ReadonlySet<string> = new Set([
  "sampling/createMessage",
  "elicitation/create",
  "roots/list",
]);

/** Notifications that may pass from a server to an agent, in one revision or another. */
export const SERVER_NOTIFICATIONS: ReadonlySet<string> = new Set(
  [...LEGACY_REVISIONS, ...MODERN_REVISIONS].flatMap((revision) => [...vocabularyOf(revision).notifications]),
);

export function actionOf(message: Pick<RequestMessage, "method" | "params">): Action {
  const { method, params } = message;
  if (!params) return { method };
  if (method === "tools/call") return { method, tool: text(params.name), args: params.arguments ?? {} };
  if (method === "prompts/get") return { method, prompt: text(params.name), args: params.arguments ?? {} };
  if (method === "completion/complete") return { method, ...completed(params.ref) };
  if (method === "tasks/update") return { method, args: params.inputResponses ?? {} };
  if (typeof params.uri === "string") return { method, uri: params.uri, args: { uri: params.uri } };
  return { method };
}

/** What a completion is for: a prompt by name, or a template by its address. */
function completed(ref: JsonValue | undefined): Pick<Action, "prompt" | "uri"> {
  if (!isObject(ref)) return {};
  if (ref.type === "ref/prompt" && typeof ref.name === "string") return { prompt: ref.name };
  return ref.type === "ref/resource" && typeof ref.uri === "string" ? { uri: ref.uri } : {};
}

function row(kind: MethodKind, check: MethodRow["check"] = nothing): MethodRow {
  return { kind, check };
}

function nothing(): undefined {
  return undefined;
}

function needs(member: string): MethodRow["check"] {
  return (params) => (typeof params[member] === "string" ? undefined : `"${member}" must be a string.`);
}

function optionalCursor(params: JsonObject): string | undefined {
  const { cursor } = params;
  return cursor === undefined || typeof cursor === "string" ? undefined : '"cursor" must be a string.';
}

/** @see RFC 5424 · 6.2.1 PRI (severities) */
export const LOG_LEVELS: ReadonlySet<unknown> = new Set([
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
]);

function level(params: JsonObject): string | undefined {
  return LOG_LEVELS.has(params.level) ? undefined : '"level" must be one of the eight levels of RFC 5424.';
}

function subscriptions(params: JsonObject): string | undefined {
  return isObject(params.notifications) ? undefined : '"notifications" must be an object.';
}

function toolCall(params: JsonObject): string | undefined {
  return namedWithArguments(params);
}

function namedWithArguments(params: JsonObject): string | undefined {
  if (typeof params.name !== "string") return '"name" must be a string.';
  if (params.arguments !== undefined && !isObject(params.arguments)) return '"arguments" must be an object.';
  return undefined;
}

function taskUpdate(params: JsonObject): string | undefined {
  return (
    needs("taskId")(params) ?? (isObject(params.inputResponses) ? undefined : '"inputResponses" must be an object.')
  );
}

function completion(params: JsonObject): string | undefined {
  if (!isObject(params.ref)) return '"ref" must be an object.';
  return isObject(params.argument) ? undefined : '"argument" must be an object.';
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
