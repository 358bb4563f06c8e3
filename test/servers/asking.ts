/**
 * A server in the test's own process that asks before it answers: a form, or a page to be opened, as the test says. It
 * speaks Streamable HTTP of 2025-11-25, keeps every answer it got as it came, and serves the page that it wants opened,
 * counting who looked at it.
 *
 * @see MCP 2025-11-25 · Elicitation
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface AskingServer {
  readonly url: string;
  /** The page it may want opened. */
  readonly pageUrl: string;
  /** Parameters of `elicitation/create` in the next call. */
  ask(params: Readonly<Record<string, unknown>>): void;
  /** What it got for its questions, in order. */
  readonly answers: readonly { readonly result?: unknown; readonly error?: unknown }[];
  /** What was declared to it by the client of its last session. */
  readonly declared: unknown;
  /** How often somebody got the page. */
  readonly pageViews: number;
  /** The page is done: tells so, and ends the call that waits for it. */
  finish(): void;
  stop(): Promise<void>;
}

const TOOL = {
  name: "book",
  description: "Books a room.",
  inputSchema: { type: "object", properties: {} },
  annotations: { readOnlyHint: true, openWorldHint: false },
};
const ELICITATION_ID = "page-1";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly capabilities?: unknown };
  readonly result?: unknown;
  readonly error?: unknown;
}

export async function startAsking(): Promise<AskingServer> {
  const script = new Asking();
  const http = createServer((request, response) => void script.handle(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return Object.assign(script, {
    url: `http://127.0.0.1:${port}/mcp`,
    pageUrl: `http://127.0.0.1:${port}/page?state=1`,
    stop: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  });
}

class Asking {
  readonly answers: Message[] = [];
  declared: unknown;
  pageViews = 0;
  finish = (): void => undefined;
  #params: Readonly<Record<string, unknown>> = {};
  #answered: ((message: Message) => void) | undefined;
  #asked = 0;

  ask(params: Readonly<Record<string, unknown>>): void {
    this.#params = params;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith("/page")) {
      if (request.method === "GET") this.pageViews += 1;
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<!doctype html><title>Page</title><h1>Sign in</h1>");
      return;
    }
    if (request.method !== "POST") {
      response.writeHead(request.method === "DELETE" ? 200 : 405).end();
      return;
    }
    const message = JSON.parse(await bodyText(request)) as Message;
    if (message.id === undefined || message.method === undefined) {
      response.writeHead(202).end();
      if (message.method === undefined) this.#take(message);
      return;
    }
    this.#reply(message, response);
  }

  #take(message: Message): void {
    this.answers.push(message);
    this.#answered?.(message);
  }

  #reply({ id, method, params }: Message, response: ServerResponse): void {
    const say = (result: unknown): void => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    };
    if (method === "initialize") {
      this.declared = params?.capabilities;
      const serverInfo = { name: "asking", version: "1.0.0" };
      say({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo });
    } else if (method === "tools/list") say({ tools: [TOOL] });
    else if (method === "tools/call") void this.#call(id ?? 0, response);
    else {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }));
    }
  }

  async #call(id: number | string, response: ServerResponse): Promise<void> {
    const write = (message: object): void => {
      response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
    };
    response.writeHead(200, { "content-type": "text/event-stream" });
    const answer = new Promise<Message>((resolve) => {
      this.#answered = resolve;
    });
    const page = this.#params.mode === "url";
    this.#asked += 1;
    const params = page ? { ...this.#params, elicitationId: ELICITATION_ID } : this.#params;
    write({ id: `asked-${this.#asked}`, method: "elicitation/create", params });
    const { result } = await answer;
    const { action } = (result ?? {}) as { action?: string };
    if (page && action === "accept") {
      await new Promise<void>((resolve) => {
        this.finish = resolve;
      });
      write({ method: "notifications/elicitation/complete", params: { elicitationId: ELICITATION_ID } });
    }
    write({ id, result: { content: [{ type: "text", text: `booked: ${action}` }] } });
    response.end();
  }
}

async function bodyText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
