/**
 * The official packages, loaded by path: they lie in this folder's own `node_modules` (`npm ci` here), never in the root.
 * Where they are not installed the tests say so and are skipped.
 */
import { existsSync } from "node:fs";

interface Caller {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(
    params: { name: string; arguments?: object },
    ...rest: readonly unknown[]
  ): Promise<{ content: { text?: string }[]; isError?: boolean }>;
  setNotificationHandler(...what: readonly unknown[]): void;
  getServerVersion(): { name: string } | undefined;
}

interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number }) => void;
  readonly timeout?: number;
}

export interface ClientKind {
  readonly title: string;
  readonly make: () => Promise<Caller>;
  readonly call: (client: Caller, name: string, options?: RequestOptions) => ReturnType<Caller["callTool"]>;
  /** What the server should see first. */
  readonly opening: string;
}

export interface ServerTransport {
  onmessage?: (message: object) => void;
  onclose?: () => void;
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
}

interface ToolContext {
  readonly mcpReq: {
    readonly signal: AbortSignal;
    readonly _meta?: { readonly progressToken?: unknown };
    notify(notification: object): Promise<void>;
  };
}

export interface ServerPackage {
  readonly McpServer: new (
    info: object,
    options?: object,
  ) => {
    registerTool(name: string, definition: object, run: (...received: readonly never[]) => Promise<object>): void;
  };
  readonly serveStdio: (factory: () => object, options: { transport: ServerTransport }) => { close(): Promise<void> };
}
export type { Caller, ToolContext };

const MODULES = new URL("./node_modules/", import.meta.url);

export const installed = existsSync(new URL("@modelcontextprotocol/client/package.json", MODULES));
if (!installed) console.warn("The official clients are not installed in test/agent/clients; their tests are skipped.");

/** A module of the official packages, by its path in them. */
export const load = (path: string): Promise<Record<string, unknown>> => import(new URL(path, MODULES).href);

export async function serverPackage(): Promise<ServerPackage> {
  const main = await load("@modelcontextprotocol/server/dist/index.mjs");
  const stdio = await load("@modelcontextprotocol/server/dist/stdio.mjs");
  return { ...main, ...stdio } as unknown as ServerPackage;
}

const INFO = { name: "a test agent", version: "1.0.0" };

async function makeV2(mode: unknown): Promise<Caller> {
  const { Client } = await load("@modelcontextprotocol/client/dist/index.mjs");
  return new (Client as new (info: object, options: object) => Caller)(INFO, { versionNegotiation: { mode } });
}

const callV2: ClientKind["call"] = (client, name, options = {}) => client.callTool({ name, arguments: {} }, options);

export const CLIENTS: readonly ClientKind[] = [
  {
    title: "client v1",
    make: async () => {
      const { Client } = await load("@modelcontextprotocol/sdk/dist/esm/client/index.js");
      return new (Client as new (info: object) => Caller)(INFO);
    },
    call: (client, name, options = {}) => client.callTool({ name, arguments: {} }, undefined, options),
    opening: "initialize",
  },
  { title: "client v2, legacy", make: () => makeV2("legacy"), call: callV2, opening: "initialize" },
  { title: "client v2, auto", make: () => makeV2("auto"), call: callV2, opening: "server/discover" },
  {
    title: "client v2, pinned to 2026-07-28",
    make: () => makeV2({ pin: "2026-07-28" }),
    call: callV2,
    opening: "server/discover",
  },
];
