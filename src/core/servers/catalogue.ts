/**
 * Fetches what a server offers: its name, its instructions and all its tools, each with the exact text it was sent as, so
 * that a pin covers what the server said and not what we understood. Bounded in pages and tools, and a cursor that comes
 * again ends it: a server cannot make navra list for ever. Of two tools with one name only the first exists.
 *
 * @see MCP 2025-11-25 · Utilities · Pagination (the empty string is a valid cursor)
 */
import { GatewayError } from "../errors.ts";
import { metaOf } from "../mcp/meta.ts";
import { paramHeaderProblem } from "../mcp/param-headers.ts";
import { isModern, type Revision } from "../mcp/revision.ts";
import { encodeRequest } from "../wire/encode.ts";
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";
import type { Reply, RequestMessage, ResultMessage } from "../wire/message.ts";
import { itemsAt } from "../wire/splice.ts";
import type { Opened } from "./handshake.ts";
import type { Catalogue, ToolDefinition } from "./server.ts";

export interface CatalogueSource {
  /** Arguments travel as headers too, so their marks must hold. */
  readonly overHttp: boolean;
  readonly serverId: string;
  readonly revision: Revision;
  readonly opened: Opened;
  readonly request: (message: RequestMessage) => Promise<Reply>;
  readonly now: () => number;
}

export const MOST_PAGES = 100;
const MOST_TOOLS = 5_000;

export async function fetchCatalogue(source: CatalogueSource): Promise<Catalogue> {
  const settled = parsed(source.opened.resultText);
  const info = serverInfo(settled);
  const toolless = isObject(settled.capabilities) && settled.capabilities.tools === undefined;
  const { listed, ttlMs } = toolless ? { listed: [], ttlMs: 0 } : await allTools(source);
  const problems = source.overHttp && isModern(source.revision) ? headerProblems(listed) : NO_PROBLEMS;
  return {
    serverId: source.serverId,
    revision: source.revision,
    serverName: label(info.name),
    serverVersion: label(info.version),
    instructions: typeof settled.instructions === "string" ? settled.instructions : "",
    tools: listed.filter((tool) => !problems.has(tool)),
    ...(problems.size === 0 ? {} : { unusable: [...problems].map(([{ name }, problem]) => ({ name, problem })) }),
    ...(ttlMs > 0 ? { ttlMs } : {}),
    fetchedAt: source.now(),
  };
}

/** Such a tool is dropped and said so; the others stay. */
function headerProblems(tools: readonly ToolDefinition[]): ReadonlyMap<ToolDefinition, string> {
  const problems = new Map<ToolDefinition, string>();
  for (const tool of tools) {
    const problem = paramHeaderProblem(tool.value.inputSchema);
    if (problem !== undefined) problems.set(tool, problem);
  }
  return problems;
}

const NO_PROBLEMS: ReadonlyMap<ToolDefinition, string> = new Map();

interface Listed {
  readonly listed: readonly ToolDefinition[];
  /** Of the page that holds the shortest. */
  readonly ttlMs: number;
}

async function allTools({ request }: CatalogueSource): Promise<Listed> {
  let ttlMs = MOST_TTL_MS;
  const tools = new Map<string, ToolDefinition>();
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const reply = await request(listRequest(cursor));
    if (reply.kind === "error") throw refusedList(reply.error.code);
    ttlMs = Math.min(ttlMs, ttlOf(reply.result));
    for (const tool of toolsOf(reply)) if (!tools.has(tool.name) && tools.size < MOST_TOOLS) tools.set(tool.name, tool);
    const next = reply.result.nextCursor;
    if (typeof next !== "string" || seen.has(next)) break;
    seen.add(next);
    cursor = next;
  }
  return { listed: [...tools.values()], ttlMs };
}

/**
 * How long a result holds, in milliseconds: not at all where it does not say so, and never for more than a day.
 *
 * @see MCP 2026-07-28 · Server features · Utilities · Caching
 */
export function ttlOf({ ttlMs }: JsonObject): number {
  return typeof ttlMs === "number" ? Math.min(Math.max(ttlMs, 0), MOST_TTL_MS) : 0;
}

const MOST_TTL_MS = 24 * 60 * 60_000;

function listRequest(cursor: string | undefined): RequestMessage {
  const params = cursor === undefined ? undefined : { cursor };
  const text = encodeRequest("1", "tools/list", params && JSON.stringify(params));
  return { kind: "request", id: "1", method: "tools/list", params, text };
}

function toolsOf({ result, text }: ResultMessage): readonly ToolDefinition[] {
  const values: readonly JsonValue[] = Array.isArray(result.tools) ? result.tools : [];
  const texts = itemsAt(text, ["result", "tools"]) ?? [];
  return values.flatMap((value, at) => {
    const exact = texts[at];
    if (!isObject(value) || typeof value.name !== "string" || exact === undefined) return [];
    return [{ name: value.name, value, text: exact }];
  });
}

/** In the older era a member; in the newer one `_meta`, and in its betas a member too. */
function serverInfo(settled: JsonObject): JsonObject {
  const info = metaOf(settled)?.["io.modelcontextprotocol/serverInfo"] ?? settled.serverInfo;
  return isObject(info) ? info : {};
}

function parsed(resultText: string): JsonObject {
  const value = JSON.parse(resultText) as JsonValue;
  return isObject(value) ? value : {};
}

/** For display only, so it is cut to what fits a line. */
function label(value: JsonValue | undefined): string {
  return typeof value === "string" ? value.slice(0, 200) : "";
}

function refusedList(code: number): GatewayError {
  return new GatewayError(
    "upstream-broken",
    `The server refused to list its tools (error ${code}). Look into its log, then refresh it.`,
  );
}
