/**
 * The HTTP headers that repeat parts of a message for servers and proxies that route without parsing bodies. Values are
 * taken from the message that is sent, never from anywhere else, so header and body cannot disagree. A value that is not
 * plain visible ASCII is carried as Base64 of its UTF-8: a name with a line break can therefore never start a new header.
 *
 * @see MCP 2026-07-28 · Transports · Streamable HTTP · Standard request headers, Value encoding
 * @see MCP 2025-06-18 · Transports · Protocol version header
 */
import type { JsonObject } from "../wire/json.ts";
import { isModern, type Revision, vocabularyOf } from "./revision.ts";

export interface HeaderFacts {
  readonly revision: Revision;
  readonly method?: string;
  readonly params?: JsonObject | undefined;
  /** The session the server gave with `initialize`; only in revisions up to 2025-11-25. */
  readonly sessionId?: string | null;
}

/** The headers of one message after the era is settled. An `initialize` has none of them and does not come here. */
export function protocolHeaders(facts: HeaderFacts): Record<string, string> {
  return isModern(facts.revision) ? modernHeaders(facts) : legacyHeaders(facts);
}

export function encodeHeaderValue(value: string): string {
  const plain = PLAIN.test(value) && !LOOKS_ENCODED.test(value);
  return plain ? value : `=?base64?${base64(new TextEncoder().encode(value))}?=`;
}

function modernHeaders({ revision, method, params }: HeaderFacts): Record<string, string> {
  const headers: Record<string, string> = { "MCP-Protocol-Version": revision };
  if (method === undefined) return headers;
  headers["Mcp-Method"] = encodeHeaderValue(method);
  const member = NAMED_BY.get(method);
  const name = member === undefined ? undefined : params?.[member];
  if (typeof name === "string") headers["Mcp-Name"] = encodeHeaderValue(name);
  return headers;
}

function legacyHeaders({ revision, sessionId }: HeaderFacts): Record<string, string> {
  const headers: Record<string, string> = {};
  if (vocabularyOf(revision).versionHeader) headers["MCP-Protocol-Version"] = revision;
  if (typeof sessionId === "string") headers["Mcp-Session-Id"] = sessionId;
  return headers;
}

/** Which parameter names what a method acts on. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/** Visible ASCII with spaces inside only; the empty value is an empty header. */
const PLAIN = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/;
const LOOKS_ENCODED = /^=\?base64\?.*\?=$/;

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second, third] = bytes.subarray(at, at + 3);
    const group = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    text += digit(group >> 18) + digit(group >> 12);
    text += second === undefined ? "=" : digit(group >> 6);
    text += third === undefined ? "=" : digit(group);
  }
  return text;
}

function digit(bits: number): string {
  return DIGITS.charAt(bits & 63);
}
