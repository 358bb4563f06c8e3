/**
 * What an agent says it can do for a server, and what of it navra passes on: only capabilities whose requests navra carries
 * and judges. Everything else (other extensions, experiments) is left out, because a declaration that goes through is a
 * promise that the requests it invites are policed. The text is always spelled the same way, so that it can name a session.
 *
 * @see MCP 2025-11-25 · Lifecycle · Capability negotiation
 * @see MCP 2026-07-28 · Base protocol · `_meta` (clientCapabilities of each request)
 */
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";
import { carriedExtensions } from "./extensions.ts";
import { type Revision, vocabularyOf } from "./revision.ts";

export interface ClientCapabilities {
  readonly value: JsonObject;
  readonly text: string;
}

export const NO_CAPABILITIES: ClientCapabilities = Object.freeze({ value: Object.freeze({}), text: "{}" });

export function capabilitiesFrom(declared: JsonValue | undefined, revision: Revision): ClientCapabilities {
  if (!isObject(declared)) return NO_CAPABILITIES;
  const { elicitation, sampling, roots } = declared;
  const value: Record<string, JsonObject> = {};
  const ways = vocabularyOf(revision).elicitation;
  if (isObject(elicitation) && ways.size > 0) value.elicitation = picked(elicitation, [...ways]);
  if (isObject(sampling)) value.sampling = picked(sampling, ["context", "tools"]);
  // A list that changes is announced by a notification, which is not carried.
  if (isObject(roots)) value.roots = {};
  const extensions = carriedExtensions(declared.extensions, revision);
  if (extensions) value.extensions = extensions;
  return { value, text: JSON.stringify(value) };
}

/** Whether an agent of these capabilities said that it answers such a request. */
export function answers(
  { value }: ClientCapabilities,
  { method, params }: { readonly method: string; readonly params: JsonObject | undefined },
): boolean {
  if (method === "roots/list") return value.roots !== undefined;
  if (method === "sampling/createMessage") return answersSampling(value.sampling, params);
  if (method !== "elicitation/create" || !isObject(value.elicitation)) return false;
  if (params?.mode === "url") return value.elicitation.url !== undefined;
  // An empty object stands for forms: it is how they were declared before there was anything else.
  return value.elicitation.form !== undefined || value.elicitation.url === undefined;
}

/** Tools of the server's own for the model need a declaration of their own. */
function answersSampling(sampling: JsonValue | undefined, params: JsonObject | undefined): boolean {
  if (!isObject(sampling)) return false;
  return sampling.tools !== undefined || (params?.tools === undefined && params?.toolChoice === undefined);
}

function picked(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => isObject(from[name])).map((name) => [name, {}]));
}
