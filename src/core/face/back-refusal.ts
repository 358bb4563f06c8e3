/**
 * What a server hears when a request of its was stopped: where MCP has a polite answer (a form that was declined or closed)
 * that one, else an error. It says nothing of policy, rules or the person.
 *
 * @see MCP 2025-11-25 · Elicitation · Response actions, Sampling · Error handling
 */
import type { Stop } from "../pipeline/stage.ts";
import { encodeError, encodeResult } from "../wire/encode.ts";
import type { RequestMessage } from "../wire/message.ts";

export function backRefusal({ id, method }: RequestMessage, stop: Stop | undefined): string {
  if (stop?.name === "method-not-found") return encodeError(id, NOT_DECLARED);
  const declined = stop?.kind === "refused" && stop.name !== "not-answered";
  if (method === "elicitation/create") return encodeResult(id, `{"action":"${declined ? "decline" : "cancel"}"}`);
  return encodeError(id, declined ? REJECTED : UNANSWERED);
}

const NOT_DECLARED = { code: -32601, message: "The client did not declare this capability." };
const REJECTED = { code: -1, message: "The request was rejected." };
const UNANSWERED = { code: -32603, message: "The request could not be answered." };
