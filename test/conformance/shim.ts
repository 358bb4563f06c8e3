/**
 * HTTP in front of the page, so that the suite's own client can speak to navra's face, which lives on a channel of the page
 * and knows no HTTP. The shim owns everything that is HTTP and nothing that is MCP: who may connect, sessions, event
 * streams, headers that repeat the body, statuses. Frames pass through it as they are.
 *
 * Scenarios that test only what is decided here: `dns-rebinding-protection`, `http-header-validation`,
 * `http-custom-header-server-validation`, `server-session-lifecycle`, and in `server-stateless` the checks of missing
 * `_meta` members, of header mismatch and of HTTP statuses.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { PageSide } from "./join.ts";
import { errorFrame, type Frame, parseFrame, serveOnce, statusOf } from "./shim-exchange.ts";
import { headerProblem } from "./shim-headers.ts";
import { createSessions } from "./shim-sessions.ts";

export interface Shim {
  readonly url: string;
  stop(): Promise<void>;
}

export async function openShim(page: PageSide, server: string): Promise<Shim> {
  const sessions = createSessions(page, server);
  const schemas = new Map<string, unknown>();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isLocal(request)) return void response.writeHead(403).end();
    if (request.method !== "POST") return sessions.handle(request, response);
    const text = await readBody(request);
    const frame = parseFrame(text);
    if (!frame) return answer(response, { id: null, code: -32700, message: "This is not JSON." });
    if (!claimsModern(request, frame)) return sessions.post(request, response, { text, frame });
    const problem = headerProblem(request.headers, frame, schemas);
    if (problem) return answer(response, { id: frame.id ?? null, ...problem });
    return serveOnce({ page, server, response, text, frame, schemas });
  };

  const http = createServer((request, response) => {
    handle(request, response).catch((problem: unknown) => {
      console.error("The shim failed:", problem);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    stop: () =>
      new Promise((resolve) => {
        sessions.close();
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

const FIRST_MODERN = "2026-07-28";
const SESSION_METHODS: ReadonlySet<string> = new Set(["initialize"]);

/** By the body, or by the header where the body is no `initialize` and brings no session. */
function claimsModern({ headers }: IncomingMessage, frame: Frame): boolean {
  if (frame.version !== undefined) return true;
  if (headers["mcp-session-id"] !== undefined || SESSION_METHODS.has(frame.method ?? "")) return false;
  const named = headers["mcp-protocol-version"];
  return typeof named === "string" && (named >= FIRST_MODERN || !/^\d/.test(named));
}

const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

function isLocal({ headers: { host = "", origin } }: IncomingMessage): boolean {
  return LOCAL.test(host) && (origin === undefined || LOCAL.test(origin.replace(/^https?:\/\//, "")));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function answer(
  response: ServerResponse,
  error: {
    readonly id: string | number | null;
    readonly code: number;
    readonly message: string;
    readonly data?: object;
  },
): void {
  response.writeHead(statusOf(error.code), { "content-type": "application/json" }).end(errorFrame(error));
}
