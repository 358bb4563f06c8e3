/**
 * An MCP server behind the fetch port: enough of Streamable HTTP to be probed, opened, listed and called, in either era.
 * A test replaces `answer` to misbehave in the way it is about; every frame that reaches the server is kept in `received`.
 */

import type { Revision } from "../../src/core/mcp/revision.ts";
import type { FetchRequest, Ports } from "../../src/core/ports.ts";

export interface FakeRequest {
  readonly frame: { readonly id?: unknown; readonly method: string; readonly params?: Record<string, unknown> };
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** A whole HTTP response, or frames of one event stream. */
export type FakeAnswer =
  | { readonly status: number; readonly type?: string; readonly body: string }
  | { readonly frames: readonly string[] }
  | { readonly stream: ReadableStream }
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly [member: string]: unknown } };

export interface FakeServer {
  readonly fetch: Ports["fetch"];
  readonly received: FakeRequest[];
  tools: readonly Record<string, unknown>[];
  /** The one session that it knows; another value, and it has forgotten the one before. */
  session: string;
  /** What it declares; tools only, by default. */
  capabilities?: Record<string, unknown>;
  /** Answers everything that is not session business. May hang until the signal aborts. */
  answer: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>;
  /** Gives the standing GET stream; there is none by default. */
  stand?: () => ReadableStream;
  /** Says something by itself on the connection opened last; only over a socket. */
  say?: (frame: object) => void;
  /** Hears replies to the server's own requests. */
  replied?: (frame: unknown) => void;
}

export const FILE_READ = {
  name: "file_read",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  annotations: { readOnlyHint: true },
};

export function createFakeServer(
  revision: Revision,
  tools: readonly Record<string, unknown>[] = [FILE_READ],
): FakeServer {
  const modern = revision === "2026-07-28";
  const server: FakeServer = {
    received: [],
    tools,
    session: "s1",
    answer: () => ({
      result: { ...(modern ? { resultType: "complete" } : {}), content: [{ type: "text", text: "desktop" }] },
    }),
    async fetch(_url, request) {
      const session = lowerCase(request)["mcp-session-id"] ?? server.session;
      if (session !== server.session) return respond({ status: 404, body: "" }, undefined);
      const standing = request.method === "GET" ? server.stand?.() : undefined;
      if (standing) return respond({ stream: standing }, undefined);
      if (request.method !== "POST") return respond({ status: 405, body: "" }, undefined);
      const text = request.body ?? "";
      const frame = JSON.parse(text);
      const seen: FakeRequest = { frame, text, headers: lowerCase(request), signal: request.signal };
      server.received.push(seen);
      request.signal.throwIfAborted();
      if (frame.method === undefined) server.replied?.(frame);
      if (frame.id === undefined || frame.method === undefined) return respond({ status: 202, body: "" }, undefined);
      const known = sessionAnswer(server, frame, revision);
      const answer = known ?? (await abortable(Promise.resolve(server.answer(seen)), request.signal));
      return respond(answer, frame.id, frame.method === "initialize" ? { "mcp-session-id": server.session } : {});
    },
  };
  return server;
}

function sessionAnswer(server: FakeServer, frame: FakeRequest["frame"], revision: Revision): FakeAnswer | undefined {
  const modern = revision === "2026-07-28";
  const serverInfo = { name: "fake", version: "1.0.0" };
  if (frame.method === "server/discover") {
    if (!modern) return { error: { code: -32601, message: "Method not found" } };
    return {
      result: {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: server.capabilities ?? { tools: {} },
        ttlMs: 0,
        cacheScope: "private",
        _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
      },
    };
  }
  if (frame.method === "initialize") {
    if (modern) return { error: { code: -32601, message: "Method not found" } };
    const asked = frame.params?.protocolVersion;
    return {
      result: {
        protocolVersion: asked ?? revision,
        capabilities: server.capabilities ?? { tools: { listChanged: true } },
        serverInfo,
      },
    };
  }
  if (frame.method === "tools/list") {
    return {
      result: { ...(modern ? { resultType: "complete", ttlMs: 0, cacheScope: "private" } : {}), tools: server.tools },
    };
  }
  return undefined;
}

function respond(answer: FakeAnswer, id: unknown, headers: Record<string, string> = {}): Response {
  if ("status" in answer) {
    const type: Record<string, string> = answer.type ? { "content-type": answer.type } : {};
    return new Response(answer.status === 202 || answer.status === 204 ? null : answer.body, {
      status: answer.status,
      headers: { ...type, ...headers },
    });
  }
  if ("stream" in answer) {
    return new Response(answer.stream, { status: 200, headers: { "content-type": "text/event-stream", ...headers } });
  }
  if ("frames" in answer) {
    const body = answer.frames.map((frame) => `event: message\ndata: ${frame}\n\n`).join("");
    return new Response(body, { status: 200, headers: { "content-type": "text/event-stream", ...headers } });
  }
  return new Response(JSON.stringify({ jsonrpc: "2.0", id, ...answer }), {
    status: 200,
    headers: { "content-type": "application/json", ...headers },
  });
}

function abortable<Value>(work: Promise<Value>, signal: FetchRequest["signal"]): Promise<Value> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
  ]);
}

function lowerCase(request: FetchRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
}
