/**
 * One request of 2026-07-28: a channel of its own for as long as its response lasts, so that ids of clients that know
 * nothing of each other cannot meet. A response that begins with the reply is one JSON document with its status; one that
 * begins with a notification is an event stream. A client that goes away cancels.
 */
import type { ServerResponse } from "node:http";
import type { PageSide } from "./join.ts";

/** What the shim reads of a message. */
export interface Frame {
  readonly id?: string | number;
  readonly method?: string;
  readonly version?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

export interface Exchange {
  readonly page: PageSide;
  readonly server: string;
  readonly response: ServerResponse;
  readonly text: string;
  readonly frame: Frame;
  /** Input schemas by tool, as the last listing had them. */
  readonly schemas: Map<string, unknown>;
}

const META_VERSION = "io.modelcontextprotocol/protocolVersion";

export function parseFrame(text: string): Frame | undefined {
  try {
    const value = JSON.parse(text) as Frame;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const meta = value.params?._meta as Frame["meta"];
    return { ...value, ...(meta && { meta, version: meta[META_VERSION] }) };
  } catch {
    return undefined;
  }
}

export function errorFrame({ id, ...error }: { readonly id: string | number | null; readonly code: number }): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}

/** @see MCP 2026-07-28 · Base protocol · Error codes (their HTTP statuses) */
export function statusOf(code: number | undefined): number {
  if (code === undefined) return 200;
  if (code === -32601) return 404;
  return CLIENT_FAULTS.has(code) ? 400 : 200;
}

const CLIENT_FAULTS: ReadonlySet<number> = new Set([-32700, -32600, -32602, -32020, -32021, -32022]);

export function serveOnce({ page, server, response, text, frame, schemas }: Exchange): void {
  const channel = page.open(server, {
    frame: (reply) => take(reply),
    lost: () => response.destroy(),
  });
  if (frame.id === undefined) {
    channel.send(text);
    response.writeHead(202).end();
    setTimeout(() => channel.close(), 1000);
    return;
  }
  let streaming = false;
  response.on("close", () => {
    if (!response.writableFinished && frame.id !== undefined) channel.send(cancellation(frame.id));
    channel.close();
  });
  channel.send(text);

  function take(reply: string): void {
    if (response.writableEnded) return;
    const said = parseFrame(reply);
    if (said?.method === undefined) {
      remember(said, schemas);
      if (streaming) return void response.end(event(reply));
      response.writeHead(statusOf(said?.error?.code), { "content-type": "application/json" }).end(reply);
      return;
    }
    if (!streaming) response.writeHead(200, EVENT_STREAM);
    streaming = true;
    response.write(event(reply));
  }
}

export const EVENT_STREAM = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
} as const;

export function event(frame: string, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: message\ndata: ${frame}\n\n`;
}

function cancellation(requestId: string | number): string {
  return JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
}

/** A server that checks `Mcp-Param-*` headers must know the schemas that name them. */
function remember(said: Frame | undefined, schemas: Map<string, unknown>): void {
  const tools = (said?.result as { tools?: unknown } | undefined)?.tools;
  if (!Array.isArray(tools)) return;
  for (const { name, inputSchema } of tools as { name: string; inputSchema: unknown }[]) schemas.set(name, inputSchema);
}
