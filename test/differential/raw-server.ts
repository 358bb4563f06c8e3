/**
 * A server that is nothing but a socket: it reads HTTP by hand and keeps the bytes of each body as they came. It speaks
 * just enough MCP to be probed and opened, in the era it is made for.
 */
import { createServer, type Socket } from "node:net";

export interface RawServer {
  readonly url: string;
  /** Bodies of what agents asked, without what opens a session and lists tools. */
  readonly bodies: Buffer[];
  /** What it says to the next requests. Of several messages, the last waits until the agent has answered the others. */
  answer: (id: string, method: string) => readonly string[];
  stop(): Promise<void>;
}

export async function serveRaw(modern: boolean): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const raw = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    let rest: Buffer = Buffer.alloc(0);
    socket.on("data", (part) => {
      rest = Buffer.concat([rest, part]);
      for (let request = readRequest(rest); request; request = readRequest(rest)) {
        rest = request.rest;
        respond(request, socket);
      }
    });
  });

  const server: RawServer = {
    url: "",
    bodies: [],
    answer: (id) => [`{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`],
    stop: () =>
      new Promise((resolve) => {
        raw.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };

  let answered = (): void => undefined;

  function respond({ method, body }: RawRequest, socket: Socket): void {
    if (method !== "POST") return void socket.write("HTTP/1.1 405 No\r\ncontent-length: 0\r\n\r\n");
    const frame = JSON.parse(body.toString("utf8")) as { id?: unknown; method?: string };
    const opening = frame.method !== undefined && OPENING.test(frame.method);
    if (!opening) server.bodies.push(body);
    if (frame.id === undefined || frame.method === undefined) {
      socket.write("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n");
      if (frame.method === undefined) answered();
      return;
    }
    const id = JSON.stringify(frame.id);
    const said = opening ? [openingAnswer(id, frame.method, modern)] : server.answer(id, frame.method);
    const last = said.at(-1) ?? "";
    if (said.length === 1) return void socket.write(whole(last));
    socket.write(STREAM + said.slice(0, -1).map(event).join(""));
    answered = () => socket.end(event(last));
  }

  await new Promise<void>((resolve) => raw.listen(0, "127.0.0.1", resolve));
  const { port } = raw.address() as { port: number };
  return Object.assign(server, { url: `http://127.0.0.1:${port}/mcp` });
}

interface RawRequest {
  readonly method: string;
  readonly body: Buffer;
  readonly rest: Buffer;
}

const END_OF_HEAD = "\r\n\r\n";

function readRequest(bytes: Buffer): RawRequest | undefined {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const head = bytes.subarray(0, end).toString("latin1");
  const length = Number(/^content-length: *(\d+)$/im.exec(head)?.[1] ?? 0);
  const from = end + END_OF_HEAD.length;
  if (bytes.length < from + length) return undefined;
  const [method = ""] = head.split(" ");
  return { method, body: bytes.subarray(from, from + length), rest: bytes.subarray(from + length) };
}

function whole(text: string): string {
  const length = `content-length: ${Buffer.byteLength(text)}`;
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${length}${END_OF_HEAD}${text}`;
}

/** Ends with its connection. */
const STREAM = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close${END_OF_HEAD}`;

function event(frame: string): string {
  return `event: message\n${frame.replace(/^/gm, "data: ")}\n\n`;
}

const OPENING = /^(initialize|notifications\/initialized|server\/discover|tools\/list)$/;

function openingAnswer(id: string, method: string | undefined, modern: boolean): string {
  const wrong = method === (modern ? "initialize" : "server/discover");
  if (wrong) return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"No such method."}}`;
  return `{"jsonrpc":"2.0","id":${id},"result":${method === "tools/list" ? TOOLS : OPENED}}`;
}

const TOOLS = `{"resultType":"complete","tools":[{"name":"echo","inputSchema":{"type":"object"}}]}`;
const OPENED = `{"resultType":"complete","supportedVersions":["2026-07-28"],"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{},"resources":{"subscribe":true},"completions":{},"logging":{}},"serverInfo":{"name":"raw","version":"1"}}`;
