/** What both links say about frames of a server's: faults as named errors, and answers to requests it may not make. */
import { GatewayError } from "../errors.ts";
import { META_RELATED_TASK, META_SUBSCRIPTION, metaOf } from "../mcp/meta.ts";
import type { WireFault } from "../wire/decode.ts";
import { encodeError, encodeResult } from "../wire/encode.ts";
import type { JsonObject } from "../wire/json.ts";
import type { NotificationMessage, RequestMessage } from "../wire/message.ts";
import { sliceAt, splice } from "../wire/splice.ts";

/** A frame that is no message, as opposed to a connection that broke: the server did answer. */
export class UnreadableFrame extends GatewayError {}

export function unreadable({ name }: WireFault): GatewayError {
  if (name === "too-large") {
    return new UnreadableFrame(
      "too-large",
      "The server's answer is larger than the limits for one message. Ask for less, or raise the limits in the settings.",
    );
  }
  return new UnreadableFrame(
    "upstream-broken",
    "The server sent something that is not a valid MCP message. The call may have happened: look before you send it again.",
  );
}

export function noAnswer(): GatewayError {
  return new GatewayError(
    "upstream-broken",
    "The server ended its response without an answer. The call may have happened: look before you send it again.",
  );
}

export const PROGRESS = "notifications/progress";

/** Progress tokens are request ids of ours; a server may echo the number as a number only. */
export function progressToken({ params }: NotificationMessage): string {
  const token = params?.progressToken;
  return typeof token === "number" ? String(token) : "";
}

/** The id of the listen request of ours that a message or result of its belongs to. */
export function subscriptionOf(holder: JsonObject | undefined): string {
  const id = metaOf(holder)?.[META_SUBSCRIPTION];
  return typeof id === "number" ? String(id) : "";
}

/** A ping is between navra and the server; anything else that nobody can answer is not supported. */
function answerHere({ id, method }: RequestMessage): string {
  if (method === "ping") return encodeResult(id, "{}");
  return encodeError(id, { code: -32601, message: "navra has no one who could answer this request." });
}

/** The whole reply frame; whatever goes wrong on the way to the agent, the server gets an answer. */
export async function answerBack(
  request: RequestMessage,
  back: ((message: RequestMessage) => Promise<string>) | undefined,
): Promise<string> {
  if (!back || request.method === "ping") return answerHere(request);
  try {
    return related(request, await back(request));
  } catch {
    return encodeError(request.id, { code: -32603, message: "The request could not be answered." });
  }
}

/**
 * An answer to what a task of 2025-11-25 asks names the task. Agents do not: navra has the task, and they know of none.
 *
 * @see MCP 2025-11-25 · Tasks · Associating task-related messages
 */
function related({ params, text }: RequestMessage, frame: string): string {
  if (metaOf(params)?.[META_RELATED_TASK] === undefined || !sliceAt(frame, ["result"])?.startsWith("{")) return frame;
  const value = sliceAt(text, ["params", "_meta", META_RELATED_TASK]) ?? null;
  return splice(frame, [{ path: ["result", "_meta", META_RELATED_TASK], value }]);
}
