/**
 * The server behind the rows that compare navra with the official client: a thousand tools in its list, a stream of events
 * as fast as they are read, log messages at a fixed pace on the standing stream, and an echo. What it sends is written
 * before the clock runs where that can be done, so that it costs little.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pause } from "../../drivers/wait.ts";

interface Asked {
  readonly id?: number;
  readonly method: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
  };
}

export interface ClientBenchServer {
  readonly url: string;
  stop(): void;
}

const SCHEMA = {
  type: "object",
  properties: {
    path: { type: "string", description: "Where to look, from the root of the project." },
    limit: { type: "integer", minimum: 1, maximum: 500 },
    deep: { type: "boolean", default: false },
  },
  required: ["path"],
};
const TOOLS = JSON.stringify([
  ...["stream", "burst", "echo"].map((name) => tool(name, { type: "object" })),
  ...Array.from({ length: 1_000 }, (_, index) => tool(`look_${index}`, SCHEMA)),
]);
const FILLER = "The quick brown fox jumps over the lazy dog. ".repeat(40);
const CHUNK = 100;

export async function startClientBenchServer(): Promise<ClientBenchServer> {
  const standing = new Map<string, ServerResponse>();
  const server = createServer(async (request, response) => {
    const session = String(request.headers["mcp-session-id"] ?? "");
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": here\n\n");
      standing.set(session, response);
      return;
    }
    if (request.method !== "POST") {
      response.writeHead(405).end();
      return;
    }
    const asked = JSON.parse(await bodyOf(request)) as Asked;
    if (asked.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const { name, arguments: args = {} } = asked.params ?? {};
    if (asked.method === "tools/call" && name === "stream") await stream(response, asked);
    else if (asked.method === "tools/call" && name === "burst") {
      json(response, asked.id, '{"content":[]}');
      await burst(standing.get(session), { perSecond: Number(args.perSecond), seconds: Number(args.seconds) });
    } else answer(response, asked);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(response: ServerResponse, { id = 0, method, params }: Asked): void {
  if (method === "tools/list") json(response, id, `{"tools":${TOOLS}}`);
  else if (method === "tools/call") {
    json(response, id, JSON.stringify({ content: [{ type: "text", text: params?.arguments?.text }] }));
  } else if (method === "initialize") {
    const serverInfo = { name: "bench", version: "1.0.0" };
    const capabilities = { tools: {}, logging: {} };
    const result = { protocolVersion: params?.protocolVersion, capabilities, serverInfo };
    json(response, id, JSON.stringify(result), { "mcp-session-id": randomUUID() });
  } else {
    const error = { code: -32601, message: "Method not found" };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, error }));
  }
}

async function stream(response: ServerResponse, { id, params }: Asked): Promise<void> {
  const { events, size } = { events: 0, size: 0, ...params?.arguments };
  const message = FILLER.slice(0, size);
  const event = (index: number) =>
    `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"n":${index},"message":"${message}"}}}\n\n`;
  const chunks: string[] = [];
  for (let from = 0; from < events; from += CHUNK) {
    chunks.push(Array.from({ length: CHUNK }, (_, index) => event(from + index)).join(""));
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const chunk of chunks) {
    if (!response.write(chunk)) await new Promise((resolve) => response.once("drain", resolve));
  }
  response.end(
    `event: message\ndata: {"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"done"}]}}\n\n`,
  );
}

async function burst(
  response: ServerResponse | undefined,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<void> {
  const began = performance.now();
  const total = perSecond * seconds;
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * perSecond));
    for (; sent < due; sent++) {
      const data = { at: performance.timeOrigin + performance.now(), n: sent, note: "still at work" };
      const params = { level: "info", data };
      const frame = { jsonrpc: "2.0", method: "notifications/message", params };
      response?.write(`event: message\ndata: ${JSON.stringify(frame)}\n\n`);
    }
    await pause(1);
  }
}

function json(
  response: ServerResponse,
  id: number,
  result: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(200, { "content-type": "application/json", ...headers });
  response.end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
}

function tool(name: string, inputSchema: object): object {
  return {
    name,
    title: `The tool ${name}`,
    description: "Looks at what is there and gives back what it finds, at most as much as it is told to.",
    inputSchema,
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
