/** An upstream over fake ports, and small servers of both eras that a test bends into bad ones. */

import { USUAL_LIMITS } from "../../../src/core/limits.ts";
import type { Ports } from "../../../src/core/ports.ts";
import type { ServerEntry } from "../../../src/core/servers/server.ts";
import { createUpstream, type UpstreamCall } from "../../../src/core/servers/upstream.ts";
import { parseServerUrl } from "../../../src/core/servers/url.ts";
import type { JsonObject } from "../../../src/core/wire/json.ts";
import type { NotificationMessage, RequestMessage } from "../../../src/core/wire/message.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { createFakeTables } from "../../fakes/tables.ts";
import {
  createFakeFetch,
  createFakeLocals,
  createFakeSockets,
  type FakeRequest,
  type Handler,
  json,
} from "../transports/fakes.ts";

export const AGENT = JSON.stringify(["https://chat.example", "https://chat.example", "default", false]);
export const OTHER = JSON.stringify(["https://other.example", "https://other.example", "default", false]);
export const PRIVATE = JSON.stringify(["https://chat.example", "https://chat.example", "default", true]);

function serverEntry(url = "https://tools.example/mcp"): ServerEntry {
  return { id: "s1", name: "tools", ...parseServerUrl(url), trust: "untrusted", enabled: true, addedAt: 1 };
}

export interface BenchOptions {
  readonly handler?: Handler;
  /** Answers the standing GET stream; by default there is none, and the asking is not kept. */
  readonly standing?: Handler;
  readonly url?: string;
  readonly tables?: ReturnType<typeof createFakeTables>;
  readonly bytes?: number;
  /** Every wait with jitter takes the longest it can. */
  readonly slow?: true;
  readonly attended?: () => boolean;
}

export function createBench({
  handler = () => json("{}"),
  standing,
  url,
  tables = createFakeTables(),
  bytes,
  slow,
  attended = () => true,
}: BenchOptions = {}) {
  const clock = createFakeClock();
  const posts = createFakeFetch(handler);
  const stands = createFakeFetch(standing ?? (() => new Response(null, { status: 405 })));
  const fetch: Ports["fetch"] = (to, asked) => {
    const isStanding = asked.method === "GET" && asked.headers["Last-Event-ID"] === undefined;
    return (isStanding ? stands : posts).fetch(to, asked);
  };
  const { requests } = posts;
  const { socket, sockets } = createFakeSockets();
  const { local, runs } = createFakeLocals();
  const found: string[] = [];
  const begun: string[] = [];
  const unsolicited: [string, NotificationMessage][] = [];
  let ids = 0;
  const ports: Pick<Ports, "clock" | "randomId" | "fetch" | "socket" | "local" | "tables"> = {
    clock,
    randomId: () => `${slow ? "fffffff" : ""}${String(++ids).padStart(7, "0")}`.padEnd(32, "0"),
    fetch,
    socket,
    local,
    tables,
  };
  const upstream = createUpstream({
    server: serverEntry(url),
    ports,
    limits: { ...USUAL_LIMITS, ...(bytes === undefined ? {} : { bytes }) },
    found: (transport) => found.push(transport),
    ownCapabilities: () => "{}",
    attended,
    begun: (principalKey) => begun.push(principalKey),
    unsolicited: (principalKey, message) => unsolicited.push([principalKey, message]),
    unsolicitedBack: async (_key, { id }) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"no"}}`,
  });
  return {
    upstream,
    clock,
    requests,
    stands: stands.requests,
    found,
    begun,
    sockets,
    runs,
    rows: tables.upstreams.rows,
    unsolicited,
  };
}

/** Parses the text once more, so that a test writes one thing only. */
function request(text: string): RequestMessage {
  const value = JSON.parse(text) as { method: string; params?: JsonObject };
  const id = /"id":\s*("[^"]*"|-?\d+)/.exec(text)?.[1] ?? "";
  return { kind: "request", id, method: value.method, params: value.params, text };
}

export function notification(method: string, params?: JsonObject): NotificationMessage {
  return { kind: "notification", method, params, text: JSON.stringify({ jsonrpc: "2.0", method, params }) };
}

export const CALL = '{"jsonrpc":"2.0","id":"a-1","method":"tools/call","params":{"name":"echo","arguments":{"n":1e2}}}';

export interface Seen {
  sent: number;
  readonly events: NotificationMessage[];
  readonly backs: RequestMessage[];
  readonly call: UpstreamCall;
}

export function call(text = CALL, patch: Partial<UpstreamCall> = {}): Seen {
  const seen: Seen = {
    sent: 0,
    events: [],
    backs: [],
    call: {
      principalKey: AGENT,
      revision: "2025-11-25",
      message: request(text),
      signal: new AbortController().signal,
      sent: () => {
        seen.sent += 1;
      },
      event: (message) => seen.events.push(message),
      back: async (message) => {
        seen.backs.push(message);
        return `{"jsonrpc":"2.0","id":${message.id},"error":{"code":-32601,"message":"no"}}`;
      },
      ...patch,
    },
  };
  return seen;
}

export const MODERN = { revision: "2026-07-28" } as const;

/** Answers the handshake of 2025-11-25; everything else is the test's. */
export function legacyServer(answer: Handler, { version = "2025-11-25", session = "session-1" } = {}): Handler {
  return (seen) => {
    const { method, id } = seen.json;
    if (seen.method !== "POST") return new Response(null, { status: 405 });
    if (method === "server/discover") return json(rpcError(id, -32601), { status: 400 });
    if (method === "initialize") {
      const result = {
        protocolVersion: version,
        capabilities: { tools: {} },
        serverInfo: { name: "old", version: "1" },
      };
      return json(rpcResult(id, result), { headers: { "mcp-session-id": session } });
    }
    if (method === undefined || id === undefined) return new Response(null, { status: 202 });
    return answer(seen);
  };
}

export function modernServer(answer: Handler): Handler {
  return (seen) => {
    if (seen.json.method !== "server/discover") return answer(seen);
    return json(
      rpcResult(seen.json.id, {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
        instructions: "be kind",
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "new", version: "2" } },
      }),
    );
  };
}

export function rpcResult(id: unknown, result: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

export function rpcError(id: unknown, code: number, data?: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: "no", data } });
}

export function methods(requests: readonly FakeRequest[]): readonly string[] {
  return requests.map(({ method, json: body }) => body.method ?? method);
}
