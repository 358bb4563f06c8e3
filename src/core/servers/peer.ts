/**
 * One server as one principal sees it in one revision: its link, and what was settled on it. Up to 2025-11-25 that is a
 * session, opened before the first request and kept across a worker's death; from 2026-07-28 each request stands alone and
 * only the discovery is kept for its time.
 *
 * INVARIANT: a request is sent again only where the server says that it did not look at it: after an HTTP 404 to its session
 * id, or an error that refuses the protocol version; and then once.
 *
 * @see MCP 2025-11-25 · Transports · Session management
 */
import { GatewayError } from "../errors.ts";
import { protocolHeaders } from "../mcp/headers.ts";
import { paramHeaders } from "../mcp/param-headers.ts";
import { isModern, type Revision, vocabularyOf } from "../mcp/revision.ts";
import { untilAborted } from "../transports/abortable.ts";
import { type Backoff, backoffMs, randomFraction } from "../transports/backoff.ts";
import { encodeNotification, encodeRequest } from "../wire/encode.ts";
import { isObject, type JsonValue } from "../wire/json.ts";
import type { ErrorMessage, Id, NotificationMessage, Reply, RequestMessage } from "../wire/message.ts";
import { pause } from "./budget.ts";
import { ttlOf } from "./catalogue.ts";
import { type ConnectOptions, connect } from "./connect.ts";
import { createDeadline } from "./deadline.ts";
import { DISCOVER, type Opened, readDiscovered } from "./handshake.ts";
import { createKept } from "./kept.ts";
import type { Ask, Link } from "./link.ts";
import { createProgressGate } from "./progress.ts";
import { isTransient } from "./resume.ts";
import { noticeToAgent, progressToAgent, toAgent, tokenOf, toServer } from "./rewrite.ts";
import { openSession, restoreSession, type Session } from "./session.ts";
import type { SessionName, SessionStore } from "./session-store.ts";

export interface PeerCall {
  readonly message: RequestMessage;
  readonly signal: AbortSignal;
  readonly sent?: () => void;
  readonly event?: (message: NotificationMessage) => void;
  readonly back?: (message: RequestMessage, signal: AbortSignal) => Promise<string>;
  /** What the agent declared, for revisions where each request says so. */
  readonly capabilities?: string;
  /** 32 hex digits that name this call wherever it goes, where the agent did not begin a trace of its own. */
  readonly trace?: string;
  /** Of the tool that is called; some arguments are repeated as headers by it. */
  readonly inputSchema?: JsonValue | undefined;
  /** The HTTP status of the response, where there is one. */
  readonly status?: (status: number) => void;
}

export interface Peer {
  readonly shared: boolean;
  open(signal: AbortSignal): Promise<Opened>;
  request(call: PeerCall): Promise<Reply>;
  /** Somebody looks again: what the server says by itself is listened to, where there was a session before. */
  attend(): void;
  /** Nobody looks any more: the standing stream is closed, and a lost connection stays lost until the next request. */
  rest(): void;
  /** A channel came back: opens the standing stream of a session that is known, and begins none. */
  stand(): Promise<void>;
  notify(message: NotificationMessage, signal: AbortSignal): Promise<void>;
  close(reason: GatewayError): void;
}

export type PeerOptions = Omit<ConnectOptions, "batches" | "replyHeaders" | "lost" | "backs" | "beat"> & {
  readonly name: SessionName;
  /** Whether anybody looks at what the server says outside calls. */
  readonly attended: () => boolean;
  /** A session was opened at the server; it knows nothing of the one before. */
  readonly begun: () => void;
  readonly store: SessionStore;
};

/** An initialize or discovery that takes longer has failed. */
const HANDSHAKE_MS = 30_000;
const NOTICE_MS = 10_000;
const RECONNECT: Backoff = { firstMs: 1_000, mostMs: 60_000 };
/** Connections in a row that did not last; a server that drops each at once is not asked for ever. */
const MOST_LOSSES = 8;
const LONG_MS = 30_000;

export function createPeer(options: PeerOptions): Peer {
  const { name, store, ids, ports } = options;
  const { clock } = ports;
  const modern = isModern(name.revision);
  const life = new AbortController();
  let link: Link | undefined;
  let restored = false;
  let used = false;
  let losses = 0;
  /** Since when there is a session on this connection; since ever, where an earlier worker opened it. */
  let stoodAt: number | undefined;
  let standing: { readonly session: Session; readonly controller: AbortController } | undefined;
  /** The session whose stream was asked for last. */
  let tried: Session | undefined;
  const sessions = createKept<Session>({ make: begin, fresh: (session) => session.until > clock.now() });

  return { shared: options.server.transport !== "streamable-http", open, request, attend, rest, stand, notify, close };

  async function open(signal: AbortSignal): Promise<Opened> {
    const session = await untilAborted(signal, sessions.get());
    if (!modern) standFor(session, ready());
    return session.opened;
  }

  async function request(call: PeerCall): Promise<Reply> {
    // Closing the peer closes its link, which ends every request on it; no signal of ours is needed here.
    const bound = { ...call, sent: once(call.sent) };
    let reply = (await attempt(bound)) ?? (await attempt(bound));
    // Refused before it was looked at, by a server that says it does speak this version: once more.
    const refused = modern && reply?.kind === "error" && namesVersion(reply, name.revision);
    if (refused && call.message !== DISCOVER) reply = await attempt(bound);
    if (reply) return reply;
    throw new GatewayError("upstream-broken", "The server ends each session at once. Restart it, then try again.");
  }

  /** Nothing where the server no longer knew the session, and so did nothing. */
  async function attempt(call: PeerCall): Promise<Reply | undefined> {
    const { message, signal } = call;
    const session = modern ? undefined : (sessions.current() ?? (await untilAborted(signal, sessions.get())));
    const line = ready();
    standFor(session, line);
    const id = ids.next();
    const headers = {
      ...headersOf(session, message),
      ...(modern ? paramHeaders(call.inputSchema, message.params?.arguments) : {}),
    };
    const seen = { status: 0, sent: false };
    const forgotten = () => seen.status === 404 && typeof session?.sessionId === "string";
    try {
      const reply = await line.ask(toAsk(call, { id, headers, seen }));
      if (forgotten()) return forget(session);
      // Some servers say "bad request" to an unknown session: the next call begins a new one.
      if (seen.status === 400 && reply.kind === "error" && reply.error.code === -32000) forget(session);
      return toAgent(reply, { id: message.id, ours: id });
    } catch (problem) {
      if (forgotten() && !signal.aborted) return forget(session);
      if (seen.sent && signal.aborted && (session || line.shared)) cancel(line, { id, headers });
      throw problem;
    }
  }

  function toAsk(call: PeerCall, { id, headers, seen }: { id: Id; headers: Headers; seen: Seen }): Ask {
    const { message, signal, event, back, capabilities = "{}", trace = ports.randomId() } = call;
    const token = tokenOf(message);
    const passes = createProgressGate(clock);
    const span = ports.randomId().slice(0, 16);
    return {
      id,
      text: toServer(message, { id, revision: name.revision, token, capabilities, trace: `00-${trace}-${span}-01` }),
      headers,
      signal,
      sent: () => {
        seen.sent = true;
        call.sent?.();
      },
      head: (_get, status) => {
        seen.status = status;
        call.status?.(status);
      },
      ...(token &&
        event && {
          progress: (progress) => {
            if (passes(progress.params)) event(progressToAgent(progress, token));
            else options.drops.add("stray");
          },
        }),
      ...(event && { event: (notice) => event(noticeToAgent(notice, { id: message.id, ours: id })) }),
      ...(back && !modern && { back }),
      resumable: !modern,
    };
  }

  /** One standing stream for each session that has calls, while somebody in sight hears it. */
  function standFor(session: Session | undefined, line: Link): void {
    if (!session || standing?.session === session || !options.attended()) return;
    rest();
    const controller = new AbortController();
    standing = { session, controller };
    const first = tried !== session && stoodAt !== undefined && clock.monotonic() - stoodAt < LONG_MS;
    tried = session;
    void line.stand(headersOf(session), AbortSignal.any([controller.signal, life.signal])).then((end) => {
      // The next request, or who looks next, may try again.
      if (end === "lost" && standing?.controller === controller) standing = undefined;
      if (end === "forgotten" || (end === "refused" && !first)) void lookFor(session);
    });
  }

  /** Servers say the same of a stream they do not have and of a session they forgot. A request tells which it is. */
  async function lookFor(session: Session): Promise<void> {
    if (session.sessionId === null || sessions.current() !== session || !options.budget.take()) return;
    const limit = createDeadline(clock, { ms: NOTICE_MS, signal: life.signal });
    const { signal } = limit;
    try {
      await request({ message: PING, signal });
      if (!sessions.current() && options.attended()) await open(signal);
    } catch {
      // It is not there now; the next request finds out.
    } finally {
      limit.stop();
    }
  }

  async function stand(): Promise<void> {
    if (modern || life.signal.aborted) return;
    // A shared connection that is gone took its session with it.
    const session = sessions.current() ?? (options.server.transport === "streamable-http" ? await kept() : undefined);
    if (session && !life.signal.aborted) standFor(session, ready());
  }

  /** The session that an earlier worker settled, without asking the server for one. */
  async function kept(): Promise<Session | undefined> {
    return (await restoreSession(store, name)) && sessions.get();
  }

  function attend(): void {
    if (!modern && used) open(life.signal).catch(() => undefined);
  }

  function rest(): void {
    standing?.controller.abort();
    standing = undefined;
  }

  async function notify({ method, params, text }: NotificationMessage, signal: AbortSignal): Promise<void> {
    const session = modern ? undefined : await untilAborted(signal, sessions.get());
    const headers = headersOf(session, { method, params });
    await ready().tell({ text, headers, kind: "notification", signal });
  }

  function close(reason: GatewayError): void {
    const session = sessions.current();
    const leaving = link;
    rest();
    forget(session);
    life.abort(reason);
    if (typeof session?.sessionId === "string" && leaving) {
      const limit = createDeadline(clock, { ms: NOTICE_MS });
      leaving.end(headersOf(session), limit.signal).then(limit.stop, limit.stop);
    }
    leaving?.close(reason);
  }

  async function begin(): Promise<Session> {
    const limit = createDeadline(clock, { ms: HANDSHAKE_MS, signal: life.signal });
    const { signal } = limit;
    try {
      if (modern) return await discover(signal);
      const earlier = restored || ready().shared ? undefined : await restoreSession(store, name);
      restored = true;
      const session = earlier ?? (await openSession({ link: ready(), ids, store, name, signal }));
      stoodAt = earlier ? Number.NEGATIVE_INFINITY : clock.monotonic();
      used = true;
      if (!earlier) options.begun();
      return session;
    } finally {
      limit.stop();
    }
  }

  async function discover(signal: AbortSignal): Promise<Session> {
    const reply = await request({ message: DISCOVER, signal });
    const opened = readDiscovered(reply, name.revision);
    const ttlMs = reply.kind === "result" ? ttlOf(reply.result) : 0;
    return { opened, sessionId: null, until: clock.now() + ttlMs };
  }

  function ready(): Link {
    life.signal.throwIfAborted();
    link ??= connect({
      ...options,
      batches: () => hasBatches(sessions.current()),
      replyHeaders: () => headersOf(sessions.current()),
      backs: !modern,
      beat: (id) =>
        modern
          ? toServer(DISCOVER, { id, revision: name.revision, token: undefined, capabilities: "{}", trace: undefined })
          : encodeRequest(id, "ping"),
      lost: () => {
        link = undefined;
        sessions.forget(sessions.current());
        losses = stoodAt !== undefined && clock.monotonic() - stoodAt >= LONG_MS ? 1 : losses + 1;
        stoodAt = undefined;
        if (standing) void reconnect();
      },
    });
    return link;
  }

  /** A connection that an agent listens on is made anew by itself; any other by the next request. */
  async function reconnect(): Promise<void> {
    if (losses > MOST_LOSSES || !options.budget.take()) return;
    const wait = backoffMs(losses, RECONNECT, randomFraction(ports.randomId));
    const slept = await pause(clock, wait, life.signal).catch(() => false);
    if (life.signal.aborted || !standing || sessions.current()) return;
    if (slept) losses = 1;
    const before = losses;
    try {
      const session = await sessions.get();
      standFor(session, ready());
    } catch (problem) {
      // A connection that was lost again has counted itself; one that never came to be has not.
      if (losses !== before || !isTransient(problem)) return;
      losses += 1;
      await reconnect();
    }
  }

  function headersOf(session: Session | undefined, message?: Pick<RequestMessage, "method" | "params">): Headers {
    const revision = session?.opened.revision ?? name.revision;
    return protocolHeaders({ revision, sessionId: session?.sessionId ?? null, ...message });
  }

  function cancel(line: Link, { id, headers }: { id: Id; headers: Headers }): void {
    const limit = createDeadline(clock, { ms: NOTICE_MS });
    const text = encodeNotification("notifications/cancelled", `{"requestId":${id}}`);
    line.tell({ text, headers, kind: "notification", signal: limit.signal }).then(limit.stop, limit.stop);
  }

  function forget(session: Session | undefined): undefined {
    // A late 404 about an earlier session must not end the one that replaced it.
    if (!session || modern || sessions.current() !== session) return;
    sessions.forget(session);
    if (standing?.session === session) rest();
    store.remove(name);
    store.remove({ ...name, revision: session.opened.revision });
  }
}

/** The server supports the revision that it just refused. */
function namesVersion({ error }: ErrorMessage, revision: Revision): boolean {
  const supported = isObject(error.data) ? error.data.supported : undefined;
  return error.code === -32022 && Array.isArray(supported) && supported.includes(revision);
}

const PING: RequestMessage = {
  kind: "request",
  id: "1",
  method: "ping",
  params: undefined,
  text: encodeRequest("1", "ping"),
};

type Headers = Readonly<Record<string, string>>;

interface Seen {
  status: number;
  sent: boolean;
}

function hasBatches(session: Session | undefined): boolean {
  const revision = session?.opened.revision;
  return revision !== undefined && vocabularyOf(revision).batches;
}

function once(run: (() => void) | undefined): () => void {
  let left = run;
  return () => {
    const now = left;
    left = undefined;
    now?.();
  };
}
