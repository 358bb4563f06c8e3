/**
 * Headers that repeat the body, as a server over HTTP must check them. The face in the page has no headers, so this is the
 * shim's part.
 *
 * @see MCP 2026-07-28 · Transports · Streamable HTTP · Standard request headers, Server validation
 */
import type { IncomingHttpHeaders } from "node:http";
import type { Frame } from "./shim-exchange.ts";

export interface Problem {
  readonly code: number;
  readonly message: string;
}

const MISMATCH = -32020;
const INVALID_PARAMS = -32602;

export function headerProblem(
  headers: IncomingHttpHeaders,
  frame: Frame,
  schemas: ReadonlyMap<string, unknown>,
): Problem | undefined {
  const named = headers["mcp-protocol-version"];
  if (named === undefined) return mismatch("MCP-Protocol-Version is missing.");
  if (frame.id === undefined) return undefined;
  // Only the header says that this is no request of an older session, and the face sees no header.
  if (frame.version === undefined) return { code: INVALID_PARAMS, message: "`_meta` names no protocol version." };
  if (named !== frame.version) return mismatch("MCP-Protocol-Version differs from the body.");
  if (headers["mcp-method"] !== frame.method) return mismatch("Mcp-Method is missing or differs from the body.");
  return nameProblem(headers, frame) ?? parameterProblem(headers, frame, schemas);
}

const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

function nameProblem(headers: IncomingHttpHeaders, { method = "", params }: Frame): Problem | undefined {
  const member = NAMED_BY.get(method);
  if (member === undefined) return undefined;
  const value = decoded(headers["mcp-name"]);
  return value === undefined || value !== params?.[member]
    ? mismatch("Mcp-Name is missing or differs from the body.")
    : undefined;
}

interface Property {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly "x-mcp-header"?: string;
}

function parameterProblem(
  headers: IncomingHttpHeaders,
  { method, params }: Frame,
  schemas: ReadonlyMap<string, unknown>,
): Problem | undefined {
  if (method !== "tools/call") return undefined;
  const schema = schemas.get(String(params?.name)) as Property | undefined;
  for (const [member, property] of Object.entries(schema?.properties ?? {})) {
    const header = property["x-mcp-header"];
    if (header === undefined) continue;
    const given = (params?.arguments as Readonly<Record<string, unknown>> | undefined)?.[member];
    const sent = decoded(headers[`mcp-param-${header.toLowerCase()}`]);
    const wanted = given === undefined || given === null ? undefined : String(given);
    if (sent !== wanted) return mismatch(`Mcp-Param-${header} is missing or differs from the body.`);
  }
  return undefined;
}

const ENCODED = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

/** The value a header stands for; nothing where it is absent or cannot be read. */
function decoded(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  if (!value.startsWith("=?base64?") || !value.endsWith("?=")) return value;
  const coded = ENCODED.exec(value)?.[1];
  return coded === undefined ? undefined : Buffer.from(coded, "base64").toString("utf8");
}

function mismatch(message: string): Problem {
  return { code: MISMATCH, message };
}
