/**
 * The four kinds of JSON-RPC 2.0 message as the gateway handles them. Each carries its own text, so that everything the
 * gateway does not own is forwarded byte for byte, and its parsed value, so that it can be judged. The wire room knows
 * nothing of MCP beyond the id rule (never null, integer or string).
 *
 * @see JSON-RPC 2.0 specification, sections 4 and 5
 * @see MCP 2025-11-25 · Base protocol · Messages
 */
import type { JsonObject, JsonValue } from "./json.ts";

/**
 * A message id as its canonical JSON token: `42`, `-1`, `9007199254740993`, `"abc"`. A token compares by text and keeps
 * type and digits, so ids beyond 2^53 and `"1"` beside `1` stay distinct. It is spliced into frames as it is.
 */
export type Id = string;

export interface RequestMessage {
  readonly kind: "request";
  readonly id: Id;
  readonly method: string;
  /** `undefined` when the message has no `params`. Arrays are refused by decode. */
  readonly params: JsonObject | undefined;
  readonly text: string;
}

export interface NotificationMessage {
  readonly kind: "notification";
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly text: string;
}

export interface ResultMessage {
  readonly kind: "result";
  readonly id: Id;
  readonly result: JsonObject;
  readonly text: string;
}

export interface ErrorMessage {
  readonly kind: "error";
  /** `null` only where the sender could not read the id of what it answers. */
  readonly id: Id | null;
  readonly error: { readonly code: number; readonly message: string; readonly data?: JsonValue };
  readonly text: string;
}

export type Message = RequestMessage | NotificationMessage | ResultMessage | ErrorMessage;
export type Reply = ResultMessage | ErrorMessage;
