/**
 * The agents: clients of either official package, which declare and answer everything, and keep what they hear. Both have
 * the same methods for what the protocol has; the few places where they differ are here.
 */
import { load } from "../agent/clients/load.ts";
import type { Params } from "./features.ts";

export type AgentKind = "client v1" | "client v2" | "client v2, in sessions";

export interface Options {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: Params) => void;
  /** Of the request's own `_meta`. */
  readonly meta?: Params;
}

export interface Client {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  ping(): Promise<Params>;
  complete(params: Params): Promise<Params>;
  setLoggingLevel(level: string): Promise<Params>;
  getPrompt(params: Params): Promise<Params>;
  listPrompts(params?: Params): Promise<Params>;
  listResources(params?: Params): Promise<Params>;
  listResourceTemplates(params?: Params): Promise<Params>;
  listTools(params?: Params): Promise<Params>;
  readResource(params: Params): Promise<Params>;
  subscribeResource(params: Params): Promise<Params>;
  unsubscribeResource(params: Params): Promise<Params>;
  sendRootsListChanged(): Promise<void>;
  getServerCapabilities(): Params | undefined;
  getServerVersion(): Params | undefined;
  getInstructions(): string | undefined;
  callTool(params: Params, ...rest: readonly unknown[]): Promise<Params>;
  request(message: { method: string; params: Params }, ...rest: readonly unknown[]): Promise<Params>;
  setRequestHandler(what: unknown, handler: (request: { method: string; params?: Params }) => Params): void;
  fallbackNotificationHandler?: (notification: { method: string; params?: Params }) => Promise<void>;
  /** Version 2 only. */
  listen?(filter: Params): Promise<{ close(): Promise<void> }>;
  getProtocolEra?(): string | undefined;
}

export interface Agent {
  readonly client: Client;
  readonly modern: () => boolean;
  /** What the server asked of it, and notifications, in the order in which they came. */
  readonly heard: { readonly method: string; readonly params?: unknown }[];
  call(name: string, args?: Params, options?: Options): Promise<Params>;
  /** A request that the package has no method for. */
  ask(method: string, params: Params): Promise<Params>;
  /** The least level of log messages that it names with its calls, where each names its own. */
  level: string | undefined;
  /** What it answers from now on. */
  answers: (method: string) => Params;
}

const CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: { listChanged: true },
};

const INFO = { name: "an official agent", version: "3.2.1" };

export async function makeAgent(kind: AgentKind): Promise<Agent> {
  const v1 = kind === "client v1";
  const { Client: Made } = (await load(
    v1 ? "@modelcontextprotocol/sdk/dist/esm/client/index.js" : "@modelcontextprotocol/client/dist/index.mjs",
  )) as unknown as { Client: new (info: object, options: object) => Client };
  const types = await load("@modelcontextprotocol/sdk/dist/esm/types.js");
  const mode = kind === "client v2" ? "auto" : "legacy";
  const client = new Made(INFO, { capabilities: CAPABILITIES, ...(!v1 && { versionNegotiation: { mode } }) });
  const heard: Agent["heard"][number][] = [];
  const agent: Agent = {
    client,
    modern: () => client.getProtocolEra?.() === "modern",
    heard,
    answers: () => ({}),
    level: undefined,
    call: (name, args, { meta, ...options } = {}) => {
      const _meta = agent.level === undefined ? meta : { ...meta, "io.modelcontextprotocol/logLevel": agent.level };
      const params = { name, ...(args && { arguments: args }), ...(_meta && { _meta }) };
      return v1 ? client.callTool(params, undefined, options) : client.callTool(params, options);
    },
    ask: (method, params) => client.request({ method, params }, types.ResultSchema),
  };
  for (const [method, schema] of Object.entries(ASKED)) {
    client.setRequestHandler(v1 ? types[schema] : method, (request) => {
      heard.push({ method, params: request.params });
      return agent.answers(method);
    });
  }
  client.fallbackNotificationHandler = async ({ method, params }) => void heard.push({ method, params });
  return agent;
}

const ASKED = {
  "elicitation/create": "ElicitRequestSchema",
  "sampling/createMessage": "CreateMessageRequestSchema",
  "roots/list": "ListRootsRequestSchema",
};

/** A transport of the client's own package, straight to the server. */
export async function direct(kind: AgentKind, url: string): Promise<object> {
  const { StreamableHTTPClientTransport: Transport } = (await load(
    kind === "client v1"
      ? "@modelcontextprotocol/sdk/dist/esm/client/streamableHttp.js"
      : "@modelcontextprotocol/client/dist/index.mjs",
  )) as unknown as { StreamableHTTPClientTransport: new (url: URL) => object };
  return new Transport(new URL(url));
}
