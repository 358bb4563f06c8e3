/**
 * The `_meta` members that carry protocol from 2026-07-28 on, and ours. A request is modern exactly when it brings a
 * protocol version in `_meta`; a malformed envelope is an error, never taken for an older session.
 *
 * @see MCP 2026-07-28 · Base protocol · `_meta`
 */
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";

export const META_VERSION = "io.modelcontextprotocol/protocolVersion";
export const META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
export const META_LOG_LEVEL = "io.modelcontextprotocol/logLevel";
/** Of 2025-11-25: the task that a message belongs to. */
export const META_RELATED_TASK = "io.modelcontextprotocol/related-task";
export const META_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
export const META_SERVER = "io.modelcontextprotocol/serverInfo";
export const META_CLIENT = "io.modelcontextprotocol/clientInfo";
/** Of the protocol itself. */
export const META_PREFIX = "io.modelcontextprotocol/";
export const META_REFUSAL = "io.github.navra/refusal";

export function metaOf(params: JsonObject | undefined): JsonObject | undefined {
  const meta = params?._meta;
  return isObject(meta) ? meta : undefined;
}

export function claimsModern(params: JsonObject | undefined): boolean {
  const meta = metaOf(params);
  return meta !== undefined && Object.hasOwn(meta, META_VERSION);
}

/** `name version` of a clientInfo value, cut to what fits a line. */
export function agentLabel(info: JsonValue | undefined): string {
  if (!isObject(info)) return "";
  const name = typeof info.name === "string" ? info.name : "";
  const version = typeof info.version === "string" ? info.version : "";
  return `${name} ${version}`.trim().slice(0, 80);
}
