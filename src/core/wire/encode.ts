/**
 * The envelopes navra writes itself. Ids are canonical tokens and payloads are JSON texts, so both are set in as they are:
 * no digit and no key order is lost on the way.
 *
 * @see JSON-RPC 2.0 · 4 Request object · 5 Response object
 */
import type { JsonValue } from "./json.ts";
import type { Id } from "./message.ts";

export function encodeResult(id: Id, resultText: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${resultText}}`;
}

export function encodeError(
  id: Id | null,
  error: { readonly code: number; readonly message: string; readonly data?: JsonValue },
): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`;
}

export function encodeRequest(id: Id, method: string, paramsText?: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${paramsMember(paramsText)}}`;
}

export function encodeNotification(method: string, paramsText?: string): string {
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${paramsMember(paramsText)}}`;
}

function paramsMember(paramsText: string | undefined): string {
  return paramsText === undefined ? "" : `,"params":${paramsText}`;
}
