/**
 * A server with one resource that changes at a fixed pace, as either era has it: on the standing stream of a session for
 * those who subscribed, or on the stream of `subscriptions/listen`. It gives no event ids, so what is not heard is lost, and
 * it counts how often a stream was opened.
 *
 * @see MCP 2025-11-25 · Resources · Subscriptions
 * @see MCP 2026-07-28 · Utilities · Subscriptions
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Era = "legacy" | "modern";

export interface SentEvent {
  readonly count: number;
  readonly at: number;
  /** Whether a stream stood to carry it. */
  readonly carried: boolean;
}

export interface NewsServer {
  readonly url: string;
  readonly sent: readonly SentEvent[];
  /** Epoch milliseconds of each opening and ending of a stream. */
  readonly opened: readonly number[];
  readonly ended: readonly number[];
  /** One change; goes to the stream that stands. */
  change(): void;
  stop(): Promise<void>;
}

export const NEWS_URI = "news:///latest";

const INFO = { name: "news", version: "1.0.0" };
const CAPABILITIES = { resources: { subscribe: true } };
const META_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

interface Asked {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}

export async function startNewsServer(era: Era): Promise<NewsServer> {
  const sent: SentEvent[] = [];
  const opened: number[] = [];
  const ended: number[] = [];
  let stream: { readonly response: ServerResponse; readonly meta: object } | undefined;

  const stand = (response: ServerResponse, meta: object): void => {
    const mine = { response, meta };
    stream = mine;
    opened.push(Date.now());
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(": here\n\n");
    response.once("close", () => {
      ended.push(Date.now());
      if (stream === mine) stream = undefined;
    });
  };

  const answers: Readonly<Record<Era, (asked: Asked, response: ServerResponse) => void>> = {
    legacy: answerLegacy,
    modern: (asked, response) => answerModern(asked, response, stand),
  };
  const http = createServer(async (request, response) => {
    if (request.method === "GET" && era === "legacy") {
      stand(response, {});
      return;
    }
    if (request.method !== "POST") {
      response.writeHead(request.method === "DELETE" ? 200 : 405).end();
      return;
    }
    const asked = JSON.parse(await bodyOf(request)) as Asked;
    if (asked.id === undefined) response.writeHead(202).end();
    else answers[era](asked, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    sent,
    opened,
    ended,
    change() {
      const count = sent.length + 1;
      sent.push({ count, at: Date.now(), carried: stream !== undefined });
      const params = { uri: NEWS_URI, _meta: { ...stream?.meta, count } };
      stream?.response.write(event({ jsonrpc: "2.0", method: "notifications/resources/updated", params }));
    },
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

function answerLegacy({ id, method, params }: Asked, response: ServerResponse): void {
  const result: Readonly<Record<string, object>> = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: CAPABILITIES, serverInfo: INFO },
    "resources/subscribe": {},
    "resources/list": { resources: [{ uri: NEWS_URI, name: "latest" }] },
    ping: {},
  };
  const known = result[method];
  if (known === undefined) {
    unknown(id, response);
    return;
  }
  const session = method === "initialize" ? { "mcp-session-id": randomUUID() } : {};
  response.writeHead(200, { "content-type": "application/json", ...session });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result: known }));
}

function answerModern(
  { id, method }: Asked,
  response: ServerResponse,
  stand: (response: ServerResponse, meta: object) => void,
): void {
  if (method === "subscriptions/listen") {
    const _meta = { [META_SUBSCRIPTION]: id };
    stand(response, _meta);
    const params = { notifications: { resourceSubscriptions: [NEWS_URI] }, _meta };
    response.write(event({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params }));
    return;
  }
  if (method !== "server/discover") {
    unknown(id, response);
    return;
  }
  const result = {
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: CAPABILITIES,
    ttlMs: 0,
    cacheScope: "private",
    _meta: { "io.modelcontextprotocol/serverInfo": INFO },
  };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

function unknown(id: Asked["id"], response: ServerResponse): void {
  const error = { code: -32601, message: "Method not found" };
  response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, error }));
}

function event(frame: object): string {
  return `event: message\ndata: ${JSON.stringify(frame)}\n\n`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
