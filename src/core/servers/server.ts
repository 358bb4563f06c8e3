/** An upstream server as the person registered it, and what navra last learned of it. */

import type { Revision } from "../mcp/revision.ts";
import type { JsonObject } from "../wire/json.ts";

/** `http-sse` is found out, never asked for: the address of such a server looks like any other. */
export type TransportKind = "streamable-http" | "websocket" | "http-sse" | "native" | "pair";

/** Who answers what a server asks of the person: the site's agent, navra's own window where no agent can, or always that. */
export type QuestionWay = "agent" | "either" | "navra";

export interface ServerEntry {
  /** Random, never reused. Rules, pins and grants store this; people see the name. */
  readonly id: string;
  /** Unique among servers, 1…64 characters of letters, digits, dot, dash, underscore. */
  readonly name: string;
  /**
   * `https:`, `wss:`, or `http:`/`ws:` on loopback; no user, password or fragment. `local:` and the entry's name for a
   * program that the native host runs.
   */
  readonly url: string;
  readonly transport: TransportKind;
  /** Trusted: its `readOnlyHint` counts, and its results do not raise the integrity label. */
  readonly trust: "trusted" | "untrusted";
  readonly enabled: boolean;
  /** Requests leave without the Origin header, because the server refuses the one of a browser extension. */
  readonly hideOrigin?: boolean;
  /** Who answers what it asks of the person; the site's agent, where it says nothing else. */
  readonly questions?: QuestionWay;
  /** Pages may reach it themselves, past navra; where this is not set, a network rule stops them. */
  readonly openToPages?: boolean;
  readonly addedAt: number;
}

/**
 * What a call of a tool does. `read` only where the tool is pinned, its server trusted, and it says `readOnlyHint`;
 * otherwise a write, and `external` unless it says `openWorldHint: false`.
 */
export type ToolClass = "read" | "write" | "external";

export interface ToolDefinition {
  readonly name: string;
  /** The definition as the server sent it, judged value and exact text. */
  readonly value: JsonObject;
  readonly text: string;
}

export interface Catalogue {
  readonly serverId: string;
  readonly revision: Revision;
  readonly serverName: string;
  readonly serverVersion: string;
  readonly instructions: string;
  readonly tools: readonly ToolDefinition[];
  /** How long the server says its lists hold, in milliseconds. */
  readonly ttlMs?: number;
  /** Tools that navra left out, and why. */
  readonly unusable?: readonly { readonly name: string; readonly problem: string }[];
  readonly fetchedAt: number;
}

export type Health =
  | { readonly state: "unknown" }
  | { readonly state: "ok"; readonly at: number; readonly revision: Revision; readonly ms: number }
  | { readonly state: "failing"; readonly at: number; readonly problem: string; readonly hint?: HealthHint };

/** The server refuses navra's Origin; the browser refuses the way to a server nearby. */
export type HealthHint = "origin" | "local-network";
