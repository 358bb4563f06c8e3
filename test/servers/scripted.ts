/**
 * A server in the test's own process that behaves as the test says: well by default, and badly on demand. It speaks
 * Streamable HTTP of 2025-11-25 with a session, answers as JSON or as an event stream, can change a tool's definition while
 * it runs, and remembers every message that reached it, so that a test can show that one did not.
 *
 * @see MCP 2025-11-25 · Base protocol · Transports · Streamable HTTP
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Behaviour =
  /** As the specification has it. */
  | "well"
  /** The same, as an event stream. */
  | "stream"
  /** Two replies to one request. */
  | "twice"
  /** A reply to an id that nobody asked with, then the right one. */
  | "foreign"
  /** The stream ends in the middle of the reply. */
  | "half"
  /** No reply while the server runs. */
  | "never"
  /** A page for people instead of a reply. */
  | "html"
  /** A reply of `hugeBytes`. */
  | "huge"
  /** Sent to another origin. */
  | "redirect"
  /** Bytes that are not UTF-8. */
  | "invalid-utf8";

export interface ToolText {
  readonly name: string;
  readonly description: string;
  readonly [member: string]: unknown;
}

export interface ReceivedMessage {
  readonly method: string;
  readonly id?: string | number;
  readonly params?: unknown;
}

export interface ScriptedServer {
  readonly url: string;
  readonly received: readonly ReceivedMessage[];
  /** How `tools/call` is answered from now on. */
  behave(how: Behaviour): void;
  /** What `tools/list` says from now on. */
  setTools(tools: readonly ToolText[]): void;
  /** Where `redirect` leads. */
  setRedirect(url: string): void;
  /** Every session is unknown from now on. */
  forgetSessions(): void;
  hugeBytes: number;
  /** Refuses whatever a browser extension sends, by its Origin header. */
  refusesExtensions: boolean;
  /** Requests of any kind that arrived, whoever sent them. */
  reached: number;
  /** How many calls wait under `never`. */
  readonly waiting: number;
  stop(): Promise<void>;
}

export const SCRIPTED_TOOL: ToolText = {
  name: "note",
  title: "Write a note",
  description: "Keeps a note.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

export async function startScripted(): Promise<ScriptedServer> {
  const script = new Script();
  const http = createServer((request, response) => void script.answer(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return Object.assign(script, {
    url: `http://127.0.0.1:${port}/mcp`,
    stop: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  });
}

class Script {
  readonly received: ReceivedMessage[] = [];
  hugeBytes = 40 * 1024 * 1024;
  waiting = 0;
  refusesExtensions = false;
  reached = 0;
  #how: Behaviour = "well";
  #tools: readonly ToolText[] = [SCRIPTED_TOOL];
  #redirect = "http://127.0.0.1:9/";
  readonly #sessions = new Set<string>();

  behave(how: Behaviour): void {
    this.#how = how;
  }

  setTools(tools: readonly ToolText[]): void {
    this.#tools = tools;
  }

  setRedirect(url: string): void {
    this.#redirect = url;
  }

  forgetSessions(): void {
    this.#sessions.clear();
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.reached += 1;
    if (this.refusesExtensions && /^[a-z-]*extension:/.test(request.headers.origin ?? "")) {
      response.writeHead(403, { "content-type": "text/plain" }).end("Invalid Origin");
      return;
    }
    if (request.method !== "POST") {
      response.writeHead(405, { allow: "POST" }).end();
      return;
    }
    const text = await bodyText(request);
    if (!text.startsWith("{")) {
      response.writeHead(400).end();
      return;
    }
    const message = JSON.parse(text) as ReceivedMessage;
    this.received.push(message);
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const session = request.headers["mcp-session-id"];
    switch (message.method) {
      case "initialize":
        this.#initialize(message, response);
        return;
      case "tools/list":
      case "tools/call":
        if (typeof session !== "string" || !this.#sessions.has(session)) {
          response.writeHead(404).end();
          return;
        }
        if (message.method === "tools/call") this.#call(message, response);
        else json(response, replyText(message.id, { tools: this.#tools }));
        return;
      case "ping":
        json(response, replyText(message.id, {}));
        return;
      default:
        json(response, errorText(message.id, -32601, "Method not found"));
    }
  }

  #initialize(message: ReceivedMessage, response: ServerResponse): void {
    const session = randomUUID();
    this.#sessions.add(session);
    const result = {
      protocolVersion: "2025-11-25",
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "scripted", version: "1.0.0" },
    };
    json(response, replyText(message.id ?? 0, result), { "mcp-session-id": session });
  }

  #call({ id = 0, params }: ReceivedMessage, response: ServerResponse): void {
    const text = `noted ${JSON.stringify((params as { arguments?: unknown }).arguments)}`;
    const reply = replyText(id, { content: [{ type: "text", text }] });
    if (this.#how === "never") {
      this.waiting += 1;
      response.once("close", () => {
        this.waiting -= 1;
      });
      return;
    }
    ANSWERS[this.#how]({ id, reply, response, redirect: this.#redirect, hugeBytes: this.hugeBytes });
  }
}

interface Call {
  readonly id: string | number;
  /** What a good server would say. */
  readonly reply: string;
  readonly response: ServerResponse;
  readonly redirect: string;
  readonly hugeBytes: number;
}

const ANSWERS: Readonly<Record<Exclude<Behaviour, "never">, (call: Call) => void>> = {
  well: ({ response, reply }) => json(response, reply),
  stream: ({ response, reply }) => stream(response, [reply]),
  twice: ({ response, reply }) => stream(response, [reply, reply]),
  foreign: ({ response, reply }) => stream(response, [replyText("nobody-asked-this", { content: [] }), reply]),
  half({ response, reply }) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`event: message\ndata: ${reply.slice(0, reply.length / 2)}`);
    response.end();
  },
  html({ response }) {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><h1>Sign in</h1>");
  },
  huge({ response, id, hugeBytes }) {
    json(response, replyText(id, { content: [{ type: "text", text: "x".repeat(hugeBytes) }] }));
  },
  redirect({ response, redirect }) {
    response.writeHead(307, { location: redirect }).end();
  },
  "invalid-utf8"({ response, reply }) {
    const bytes = Buffer.from(reply);
    bytes[reply.indexOf("noted")] = 0xff;
    response.writeHead(200, { "content-type": "application/json" }).end(bytes);
  },
};

function json(response: ServerResponse, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(text);
}

function stream(response: ServerResponse, messages: readonly string[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const message of messages) response.write(`event: message\ndata: ${message}\n\n`);
  response.end();
}

function replyText(id: string | number, result: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

function errorText(id: string | number, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}

async function bodyText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
