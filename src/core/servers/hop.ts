/**
 * Errors of a newer server that are about what navra sent, not about what the agent asked: headers that do not fit, a
 * version it no longer speaks, a capability it was not told of. The agent did none of that and could mend none of it, so it
 * hears what it can do; a capability that it can declare is named in its own terms.
 *
 * @see MCP 2026-07-28 · Base protocol · Error codes
 */
import { GatewayError } from "../errors.ts";
import { capabilitiesFrom } from "../mcp/client-capabilities.ts";
import { NEWEST_MODERN } from "../mcp/revision.ts";
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";
import type { ErrorMessage } from "../wire/message.ts";
import { splice } from "../wire/splice.ts";

export const HEADER_MISMATCH = -32020;
const MISSING_CAPABILITY = -32021;
const UNSUPPORTED_VERSION = -32022;

/** @throws GatewayError where the error is about this hop alone */
export function refuseOwnFaults({ error }: ErrorMessage): void {
  if (error.code === HEADER_MISMATCH) {
    throw new GatewayError(
      "upstream-broken",
      "The server finds that navra's headers do not say what the message says, and did nothing. Refresh the server in navra's dashboard, or report it to whoever runs it.",
    );
  }
  if (error.code === UNSUPPORTED_VERSION) {
    throw new GatewayError(
      "era-mismatch",
      "The server no longer speaks the protocol revision that navra found there, and did nothing. Refresh the server in navra's dashboard, then try again.",
    );
  }
}

/** What an agent of the same era hears of a capability that was missing. */
export function inAgentsTerms(reply: ErrorMessage, declared: JsonObject): ErrorMessage {
  if (reply.error.code !== MISSING_CAPABILITY) return reply;
  const required = isObject(reply.error.data) ? reply.error.data.requiredCapabilities : undefined;
  const { value } = capabilitiesFrom(required, NEWEST_MODERN);
  const missing = Object.entries(value).filter(([name, wanted]) => lacks(declared[name], wanted));
  if (missing.length === 0) {
    throw new GatewayError(
      "withheld",
      "The server needs a capability that navra does not carry, so it did nothing. Do without it, or tell the person.",
    );
  }
  const data = { requiredCapabilities: Object.fromEntries(missing) };
  if (JSON.stringify(required) === JSON.stringify(data.requiredCapabilities)) return reply;
  return {
    ...reply,
    text: splice(reply.text, [{ path: ["error", "data"], value: JSON.stringify(data) }]),
    error: { ...reply.error, data },
  };
}

function lacks(declared: JsonValue | undefined, wanted: JsonValue): boolean {
  if (!isObject(declared)) return true;
  return (
    isObject(wanted) && Object.keys(wanted).some((name) => declared[name] === undefined && !isPlainForm(name, declared))
  );
}

/** An empty `elicitation` stands for forms. */
function isPlainForm(name: string, declared: JsonObject): boolean {
  return name === "form" && Object.keys(declared).length === 0;
}
