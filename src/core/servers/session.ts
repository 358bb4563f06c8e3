/**
 * Opens a session up to 2025-11-25: `initialize`, then `notifications/initialized` once it is accepted, so that no request
 * can overtake it. The session id is taken only from a successful answer and only if it can be a header value.
 *
 * @see MCP 2025-11-25 · Lifecycle · Initialization
 * @see MCP 2025-11-25 · Transports · Session management
 */
import { GatewayError } from "../errors.ts";
import { protocolHeaders } from "../mcp/headers.ts";
import { isLegacyRevision } from "../mcp/revision.ts";
import { INITIALIZED, initializeText, noCommonRevision, type Opened, readInitialized } from "./handshake.ts";
import type { Ids } from "./ids.ts";
import type { Link } from "./link.ts";
import type { SessionName, SessionStore } from "./session-store.ts";

export interface Session {
  readonly opened: Opened;
  readonly sessionId: string | null;
  /** Epoch milliseconds after which it is settled anew. */
  readonly until: number;
}

export interface OpenSession {
  readonly link: Link;
  readonly ids: Ids;
  readonly store: SessionStore;
  readonly name: SessionName;
  readonly signal: AbortSignal;
}

export async function openSession({ link, ids, store, name, signal }: OpenSession): Promise<Session> {
  if (!isLegacyRevision(name.revision)) throw noCommonRevision();
  const id = ids.next();
  let sessionId: string | null = null;
  const reply = await link.ask({
    id,
    text: initializeText(id, name.revision, name.capabilities),
    headers: {},
    signal,
    sent: () => undefined,
    head: (get) => {
      sessionId = get("mcp-session-id");
    },
  });
  const opened = readInitialized(reply);
  const headers = protocolHeaders({ revision: opened.revision, sessionId: usable(sessionId) });
  await link.tell({ text: INITIALIZED, headers, kind: "notification", signal });
  if (!link.shared) {
    const state = { ...opened, sessionId };
    store.put(name, state);
    if (opened.revision !== name.revision) store.put({ ...name, revision: opened.revision }, state);
  }
  return { opened, sessionId, until: Number.POSITIVE_INFINITY };
}

/** What an earlier worker settled; whether the server still knows it, the next request tells. */
export async function restoreSession(store: SessionStore, name: SessionName): Promise<Session | undefined> {
  const state = await store.find(name);
  if (!state || !isLegacyRevision(state.revision)) return undefined;
  const opened = { revision: state.revision, resultText: state.resultText };
  return { opened, sessionId: state.sessionId, until: Number.POSITIVE_INFINITY };
}

function usable(sessionId: string | null): string | null {
  if (sessionId === null || SESSION_ID.test(sessionId)) return sessionId;
  throw new GatewayError(
    "upstream-broken",
    "The server gave a session id that MCP does not allow. Look into its settings.",
  );
}

const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;
