/** The smallest MCP server that a page may also call directly (with CORS), so that both ways end at the same place. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface EchoServer {
  readonly url: string;
  /** Epoch milliseconds, with fractions, at which the last `tools/call` arrived. */
  lastCallAt(): number;
  stop(): void;
}

const TOOL = {
  name: "echo",
  description: "Gives back what it is given.",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

export async function startEcho(): Promise<EchoServer> {
  let lastCallAt = 0;
  const server = createServer(async (request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*");
    response.setHeader("access-control-max-age", "600");
    if (request.method !== "POST") return void response.writeHead(request.method === "OPTIONS" ? 204 : 405).end();
    const arrived = performance.timeOrigin + performance.now();
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(parts).toString());
    if (id === undefined) return void response.writeHead(202).end();
    if (method === "tools/call") lastCallAt = arrived;
    const known = result(method, params);
    const body = known
      ? { jsonrpc: "2.0", id, result: known }
      : { jsonrpc: "2.0", id, error: { code: -32601, message: "No" } };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    lastCallAt: () => lastCallAt,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function result(method: string, params: { arguments?: { text?: string }; protocolVersion?: string } = {}): unknown {
  if (method === "tools/list") return { tools: [TOOL] };
  if (method === "tools/call") return { content: [{ type: "text", text: params.arguments?.text ?? "" }] };
  if (method !== "initialize") return undefined;
  const serverInfo = { name: "echo", version: "1.0.0" };
  return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
}
