/**
 * What is said before the first call, and how the server's answer is read: `initialize` up to 2025-11-25,
 * `server/discover` from 2026-07-28. A server that settles on a revision navra does not know is left alone.
 *
 * @see MCP 2025-11-25 · Lifecycle · Version negotiation
 * @see MCP 2026-07-28 · Server discovery
 */
import { GatewayError } from "../errors.ts";
import { isLegacyRevision, type LegacyRevision, type Revision } from "../mcp/revision.ts";
import { encodeNotification, encodeRequest } from "../wire/encode.ts";
import type { JsonObject } from "../wire/json.ts";
import type { Id, Reply, RequestMessage } from "../wire/message.ts";
import { sliceAt } from "../wire/splice.ts";
import { CLIENT_INFO } from "./rewrite.ts";

/** What a server answered, settled. */
export interface Opened {
  readonly revision: Revision;
  /** The exact JSON text of the result. */
  readonly resultText: string;
}

/** `capabilities` is what the agents behind this session declared, as JSON text. */
export function initializeText(id: Id, revision: LegacyRevision, capabilities: string): string {
  const params = `{"protocolVersion":"${revision}","capabilities":${capabilities},"clientInfo":${CLIENT_INFO}}`;
  return encodeRequest(id, "initialize", params);
}

export const INITIALIZED = encodeNotification("notifications/initialized");

/** Sent through the same rewriting as an agent's requests, which sets `_meta`. */
export const DISCOVER: RequestMessage = {
  kind: "request",
  id: "1",
  method: "server/discover",
  params: undefined,
  text: encodeRequest("1", "server/discover"),
};

/** @throws GatewayError where the server refused, or settled on a revision navra does not know */
export function readInitialized(reply: Reply): Opened {
  const result = resultOf(reply);
  const revision = result.protocolVersion;
  if (!isLegacyRevision(revision)) throw noCommonRevision();
  return { revision, resultText: resultText(reply) };
}

/** @throws GatewayError where the server refused, or does not speak this revision */
export function readDiscovered(reply: Reply, revision: Revision): Opened {
  if (!supportedVersions(resultOf(reply)).includes(revision)) throw noCommonRevision();
  return { revision, resultText: resultText(reply) };
}

/** The versions of a valid discovery; empty for anything else a server may have answered. */
export function supportedVersions(result: JsonObject): readonly string[] {
  const versions = result.supportedVersions;
  if (!Array.isArray(versions)) return [];
  return versions.every((version): version is string => typeof version === "string") ? versions : [];
}

export function noCommonRevision(): GatewayError {
  return new GatewayError(
    "era-mismatch",
    "The server and navra have no protocol revision in common. Update one of them.",
  );
}

function resultOf(reply: Reply): JsonObject {
  if (reply.kind === "result") return reply.result;
  if (reply.error.code === UNSUPPORTED_VERSION) throw noCommonRevision();
  throw new GatewayError(
    "upstream-broken",
    `The server refused to begin a session (error ${reply.error.code}). Check its address, and look into its log.`,
  );
}

const UNSUPPORTED_VERSION = -32022;

function resultText(reply: Reply): string {
  return sliceAt(reply.text, ["result"]) ?? "{}";
}
