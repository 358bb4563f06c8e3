/**
 * The fixture on loopback, served by either official package: v1 in sessions; v2 in sessions, or as it comes, where each
 * request decides by its own body between a session and 2026-07-28. What reaches the server is kept as it was posted.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { load } from "../agent/clients/load.ts";
import { CAPABILITIES, FEATURES, INFO, INSTRUCTIONS, type Params, type Speaker } from "./features.ts";

export type ServerKind = "server v1" | "server v2" | "server v2, in sessions";

export interface Posted {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Params;
  readonly error?: Params;
}

export interface OfficialServer {
  readonly url: string;
  /** Every message that was posted, in order; a test empties it. */
  readonly posted: Posted[];
  stop(): Promise<void>;
}

export async function serve(kind: ServerKind): Promise<OfficialServer> {
  const posted: Posted[] = [];
  const handle = await handlerOf(kind);
  const http = createServer((request, response) => {
    answer(request, response, { handle, posted }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    posted,
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

type Handle = (request: Request, body: Posted | undefined) => Promise<Response>;

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { handle, posted }: { readonly handle: Handle; readonly posted: Posted[] },
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  const body = text === "" ? undefined : (JSON.parse(text) as Posted);
  if (body) posted.push(body);
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const { method = "GET", headers, url = "/" } = request;
  const answered = await handle(
    new Request(new URL(url, "http://127.0.0.1"), {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      ),
      ...(text !== "" && { body: text }),
      signal: gone.signal,
    }),
    body,
  );
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.flushHeaders();
  if (answered.body === null) return void response.end();
  const out = Readable.fromWeb(answered.body as ReadableStream);
  out.on("error", () => response.destroy());
  response.on("close", () => out.destroy());
  out.pipe(response);
}

async function handlerOf(kind: ServerKind): Promise<Handle> {
  if (kind === "server v1") return inSessions(await makeV1());
  const { make, modern } = await makeV2();
  const legacy = inSessions(make);
  return kind === "server v2"
    ? (request, body) => (isModern(body) ? modern(request, body) : legacy(request, body))
    : legacy;
}

const META_VERSION = "io.modelcontextprotocol/protocolVersion";

function isModern(body: Posted | undefined): boolean {
  return (body?.params?._meta as Params | undefined)?.[META_VERSION] !== undefined;
}

/** What a session needs of a package. */
interface Made {
  connect(): Promise<SessionTransport>;
}

interface SessionTransport {
  handleRequest(request: Request, options: { readonly parsedBody?: unknown }): Promise<Response>;
}

type MakeSession = (began: (id: string, transport: SessionTransport) => void) => Made;

function inSessions(make: MakeSession): Handle {
  const sessions = new Map<string, SessionTransport>();
  return async (request, body) => {
    const id = request.headers.get("mcp-session-id");
    const known = sessions.get(id ?? "");
    if (id !== null && !known) return refusal(404, "There is no such session.");
    if (!known && (body?.method !== "initialize" || isModern(body))) return refusal(400, "Open a session first.");
    const transport = known ?? (await make((began, one) => sessions.set(began, one)).connect());
    return transport.handleRequest(request, body ? { parsedBody: body } : {});
  };
}

function refusal(status: number, message: string): Response {
  const error = { jsonrpc: "2.0", id: null, error: { code: -32000, message } };
  return new Response(JSON.stringify(error), { status, headers: { "content-type": "application/json" } });
}

interface Options {
  readonly capabilities: object;
  readonly instructions: string;
}

interface TransportOptions {
  readonly sessionIdGenerator: () => string;
  readonly onsessioninitialized: (id: string) => void;
}

type TransportClass = new (options: TransportOptions) => SessionTransport;
type Failure = new (code: number, message: string, data?: unknown) => Error;

function sessionOf(
  Transport: TransportClass,
  began: (id: string, transport: SessionTransport) => void,
  connect: (transport: SessionTransport) => Promise<void>,
): Made {
  return {
    async connect() {
      const transport = new Transport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => began(id, transport),
      });
      await connect(transport);
      return transport;
    },
  };
}

const OPTIONS: Options = { capabilities: CAPABILITIES, instructions: INSTRUCTIONS };

interface ServerV1 {
  connect(transport: SessionTransport): Promise<void>;
  setRequestHandler(
    schema: unknown,
    handler: (request: { params?: Params }, extra: ExtraV1) => Params | Promise<Params>,
  ): void;
  notification(message: { method: string; params?: Params }): Promise<void>;
  isMessageIgnored(level: string, sessionId?: string): boolean;
}

interface ExtraV1 {
  readonly signal: AbortSignal;
  readonly sessionId?: string;
  readonly _meta?: Params;
  sendNotification(message: { method: string; params: Params }): Promise<void>;
  sendRequest(message: { method: string; params: Params }, schema: unknown): Promise<Params>;
}

async function makeV1(): Promise<MakeSession> {
  const { Server } = (await load("@modelcontextprotocol/sdk/dist/esm/server/index.js")) as unknown as {
    Server: new (info: object, options: Options) => ServerV1;
  };
  const { WebStandardStreamableHTTPServerTransport: Transport } = (await load(
    "@modelcontextprotocol/sdk/dist/esm/server/webStandardStreamableHttp.js",
  )) as unknown as { WebStandardStreamableHTTPServerTransport: TransportClass };
  const types = await load("@modelcontextprotocol/sdk/dist/esm/types.js");
  const McpError = types.McpError as Failure;

  return (began) => {
    const server = new Server(INFO, OPTIONS);
    const subscribed = new Set<unknown>();
    for (const [method, feature] of Object.entries(FEATURES)) {
      server.setRequestHandler(types[SCHEMAS_V1[method] ?? ""], ({ params = {} }, extra) => {
        const { signal, _meta, sessionId } = extra;
        const speaker: Speaker = {
          signal,
          token: _meta?.progressToken,
          notify: (name, about) => extra.sendNotification({ method: name, params: about }),
          // The package's own function for this tells it outside the request.
          async log(level, data) {
            if (server.isMessageIgnored(level, sessionId)) return;
            await extra.sendNotification({
              method: "notifications/message",
              params: { level, data, logger: "fixture" },
            });
          },
          ask: (name, about) => extra.sendRequest({ method: name, params: about }, types.ResultSchema),
          subscribed,
          announce: (name, about) =>
            void server.notification({ method: name, ...(about && { params: about }) }).catch(() => undefined),
          fail(code, message, data) {
            throw new McpError(code, message, data);
          },
        };
        return feature(params, speaker);
      });
    }
    return sessionOf(Transport, began, (transport) => server.connect(transport));
  };
}

const SCHEMAS_V1: Readonly<Record<string, string>> = {
  "tools/list": "ListToolsRequestSchema",
  "tools/call": "CallToolRequestSchema",
  "prompts/list": "ListPromptsRequestSchema",
  "prompts/get": "GetPromptRequestSchema",
  "resources/list": "ListResourcesRequestSchema",
  "resources/templates/list": "ListResourceTemplatesRequestSchema",
  "resources/read": "ReadResourceRequestSchema",
  "resources/subscribe": "SubscribeRequestSchema",
  "resources/unsubscribe": "UnsubscribeRequestSchema",
  "completion/complete": "CompleteRequestSchema",
};

interface ServerV2 {
  connect(transport: SessionTransport): Promise<void>;
  setRequestHandler(
    method: string,
    handler: (request: { params?: Params }, context: ContextV2) => Params | Promise<Params>,
  ): void;
  notification(message: { method: string; params?: Params }): Promise<void>;
}

interface ContextV2 {
  readonly mcpReq: {
    readonly signal: AbortSignal;
    readonly _meta?: Params;
    readonly inputResponses?: Readonly<Record<string, Params>>;
    notify(message: { method: string; params: Params }): Promise<void>;
    log(level: string, data: unknown, logger: string): Promise<void>;
  };
}

interface PackageV2 {
  readonly Server: new (info: object, options: Options) => ServerV2;
  readonly WebStandardStreamableHTTPServerTransport: TransportClass;
  readonly ProtocolError: Failure;
  readonly inputRequired: (spec: { readonly inputRequests: Readonly<Record<string, Params>> }) => Params;
  readonly createMcpHandler: (
    make: () => ServerV2,
    options: object,
  ) => {
    fetch(request: Request, options: { readonly parsedBody?: unknown }): Promise<Response>;
    readonly notify: Readonly<Record<"toolsChanged" | "promptsChanged" | "resourcesChanged", () => void>> & {
      resourceUpdated(uri: string): void;
    };
  };
}

const SEEN_TO: Speaker["subscribed"] = { add: () => new Set(), delete: () => true, has: () => true };

/** What a handler needs before it can go on; it runs again with the answer. */
class Needs extends Error {
  readonly method: string;
  readonly params: Params;

  constructor(method: string, params: Params) {
    super(method);
    this.method = method;
    this.params = params;
  }
}

async function makeV2(): Promise<{ readonly make: MakeSession; readonly modern: Handle }> {
  const loaded = (await load("@modelcontextprotocol/server/dist/index.mjs")) as unknown as PackageV2;
  const { Server, ProtocolError, WebStandardStreamableHTTPServerTransport: Transport } = loaded;

  const build = (session: boolean): ServerV2 => {
    const server = new Server(INFO, OPTIONS);
    const subscribed = session ? new Set<unknown>() : SEEN_TO;
    const announce: Speaker["announce"] = (method, params) => {
      if (session) server.notification({ method, ...(params && { params }) }).catch(() => undefined);
      else if (method === "notifications/resources/updated") handler.notify.resourceUpdated(String(params?.uri));
      else if (method === "notifications/tools/list_changed") handler.notify.toolsChanged();
      else if (method === "notifications/prompts/list_changed") handler.notify.promptsChanged();
      else if (method === "notifications/resources/list_changed") handler.notify.resourcesChanged();
    };
    for (const [method, feature] of Object.entries(FEATURES)) {
      // These two are gone from the newer revision, and the package would not have them there.
      if (!session && /subscribe$/.test(method)) continue;
      server.setRequestHandler(method, async ({ params = {} }, { mcpReq }) => {
        const speaker: Speaker = {
          signal: mcpReq.signal,
          token: mcpReq._meta?.progressToken,
          notify: (name, about) => mcpReq.notify({ method: name, params: about }),
          log: (level, data) => mcpReq.log(level, data, "fixture"),
          async ask(name, about) {
            const answer = mcpReq.inputResponses?.it;
            if (answer === undefined) throw new Needs(name, about);
            return answer;
          },
          subscribed,
          announce,
          fail(code, message, data) {
            throw new ProtocolError(code, message, data);
          },
        };
        try {
          return await feature(params, speaker);
        } catch (problem) {
          if (!(problem instanceof Needs)) throw problem;
          const { method: asked, params: about } = problem;
          return loaded.inputRequired({ inputRequests: { it: { method: asked, params: about } } });
        }
      });
    }
    return server;
  };

  const handler = loaded.createMcpHandler(() => build(false), { legacy: "reject", keepAliveMs: 0 });
  return {
    make: (began) => {
      const server = build(true);
      return sessionOf(Transport, began, (transport) => server.connect(transport));
    },
    modern: (request, body) => handler.fetch(request, { parsedBody: body }),
  };
}
