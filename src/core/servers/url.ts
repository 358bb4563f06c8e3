/**
 * Which addresses a server may have, and their one canonical spelling. Encrypted anywhere, plain only on this machine: a
 * plain connection to another one could be read and changed on the way. No user name or password, because they would end
 * up in lists and records, and no fragment, because it is never sent.
 *
 * @see WHATWG URL · Host parsing (decimal, octal and short IPv4 spellings are already canonical here)
 * @see RFC 6761 section 6.3 (localhost names)
 */

import { GatewayError } from "../errors.ts";
import { isLoopback } from "../loopback.ts";
import type { ServerEntry, TransportKind } from "./server.ts";

export interface ServerAddress {
  readonly url: string;
  readonly transport: TransportKind;
}

/** @throws GatewayError `invalid-params` with a sentence about what is wrong */
export function parseServerUrl(text: string): ServerAddress {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST || !URL.canParse(trimmed)) {
    throw refused("The address is not a URL. Write it in full, like https://example.org/mcp.");
  }
  const url = new URL(trimmed);
  if (url.protocol === LOCAL) return parseLocal(url);
  const scheme = SCHEMES.get(url.protocol);
  if (!scheme) throw refused("The address must begin with https: or wss:, or with http: or ws: on this machine.");
  if (url.username !== "" || url.password !== "") {
    throw refused("The address holds a user name or password. Leave them out.");
  }
  if (trimmed.includes("#")) throw refused("The address has a part after #. Leave it out: it is never sent.");
  if (!scheme.encrypted && !isLoopback(url.hostname)) {
    throw refused("Only servers on this machine may be reached without encryption. Use https: or wss:.");
  }
  return { url: url.href, transport: scheme.transport };
}

/** The one origin that the worker may reach for this server, as the network fence allows it. */
export function serverOrigin(entry: Pick<ServerEntry, "url">): string {
  return new URL(entry.url).origin;
}

/** The entry's name in the native host's list, for a server that it runs. */
export function localEntry(entry: Pick<ServerEntry, "url" | "transport">): string | undefined {
  return entry.transport === "native" ? new URL(entry.url).pathname : undefined;
}

export function localAddress(entryName: string): string {
  return `${LOCAL}${entryName}`;
}

const LONGEST = 2048;
const LOCAL = "local:";
const ENTRY_NAME = /^[A-Za-z0-9._-]{1,64}$/;

function parseLocal(url: URL): ServerAddress {
  if (url.href !== `${LOCAL}${url.pathname}` || !ENTRY_NAME.test(url.pathname)) {
    throw refused("A local server's address is local: and its name in navra-host's list, like local:files.");
  }
  return { url: url.href, transport: "native" };
}

const SCHEMES: ReadonlyMap<string, { readonly transport: TransportKind; readonly encrypted: boolean }> = new Map([
  ["https:", { transport: "streamable-http", encrypted: true }],
  ["http:", { transport: "streamable-http", encrypted: false }],
  ["wss:", { transport: "websocket", encrypted: true }],
  ["ws:", { transport: "websocket", encrypted: false }],
]);

function refused(sentence: string): GatewayError {
  return new GatewayError("invalid-params", sentence);
}
