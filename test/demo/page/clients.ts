/** The official clients over our transport: version 2, which finds out the era by itself, and version 1. */
import { Client as ClientV2, type Transport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport as TransportV1 } from "@modelcontextprotocol/sdk/shared/transport.js";
import { NavraTransport } from "../../../src/agent/transport.ts";

export type Sdk = "v1" | "v2";

export interface ToolCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onprogress?: (progress: { progress: number; total?: number | undefined }) => void;
}

/** What both clients can do, in one shape. */
export interface AgentClient {
  readonly serverVersion: unknown;
  list(): Promise<readonly { readonly name: string }[]>;
  call(call: ToolCall, options: CallOptions): Promise<unknown>;
  close(): Promise<void>;
}

const INFO = { name: "errand", version: "1.0.0" };

/** Generous: a person may have to be asked. */
const TIMEOUT = 150_000;

export async function connectClient(server: string, sdk: Sdk): Promise<AgentClient> {
  return sdk === "v2" ? connectV2(server) : connectV1(server);
}

async function connectV2(server: string): Promise<AgentClient> {
  const client = new ClientV2(INFO, { versionNegotiation: { mode: "auto" } });
  await client.connect(new NavraTransport({ server }) as TransportV2);
  return {
    serverVersion: client.getServerVersion(),
    list: async () => (await client.listTools()).tools,
    call: (call, options) => client.callTool(call, { ...options, timeout: TIMEOUT }),
    close: () => client.close(),
  };
}

async function connectV1(server: string): Promise<AgentClient> {
  const client = new ClientV1(INFO);
  await client.connect(new NavraTransport({ server }) as TransportV1);
  return {
    serverVersion: client.getServerVersion(),
    list: async () => (await client.listTools()).tools,
    call: (call, options) => client.callTool(call, undefined, { ...options, timeout: TIMEOUT }),
    close: () => client.close(),
  };
}
