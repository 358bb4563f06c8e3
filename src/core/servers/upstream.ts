/**
 * One registered server, as the gateway calls it. Each principal has its own session and connection here, so that two
 * sites never share one; navra itself is one more principal, for the probe and the catalogue. A call ends by its reply,
 * its signal, or its time.
 *
 * INVARIANT: the reply of a call carries the agent's id, and nothing else of it was changed.
 */
import { GatewayError } from "../errors.ts";
import type { GatewayLimits } from "../limits.ts";
import { isModern, NEWEST_LEGACY, NEWEST_MODERN, type Revision } from "../mcp/revision.ts";
import type { Ports } from "../ports.ts";
import { abortFault } from "../transports/abortable.ts";
import { StatusFault } from "../transports/http-status.ts";
import type { Subprotocol } from "../transports/websocket.ts";
import type { JsonValue } from "../wire/json.ts";
import type { NotificationMessage, Reply, RequestMessage } from "../wire/message.ts";
import { createBudget } from "./budget.ts";
import { type CatalogueSource, fetchCatalogue } from "./catalogue.ts";
import { createCircuit } from "./circuit.ts";
import { createDeadline, type DeadlineOptions } from "./deadline.ts";
import { createDropCounter, type Drops } from "./drops.ts";
import { DISCOVER, type Opened } from "./handshake.ts";
import { createIds } from "./ids.ts";
import { createPeer, type Peer } from "./peer.ts";
import { type Attempt, judge, type Verdict } from "./probe.ts";
import type { Catalogue, ServerEntry, TransportKind } from "./server.ts";
import { createSessionStore } from "./session-store.ts";

export interface UpstreamCall {
  readonly principalKey: string;
  readonly revision: Revision;
  /** What the agent declared, as JSON text; nothing where absent. */
  readonly capabilities?: string;
  /** Names the call in traces; a new name where absent. */
  readonly trace?: string;
  /** Its text is final; it carries the agent's id and progress token. */
  readonly message: RequestMessage;
  /** Of the tool that is called, as the catalogue holds it. */
  readonly inputSchema?: JsonValue | undefined;
  readonly signal: AbortSignal;
  /** In the task that hands over the bytes; at most once. */
  readonly sent: () => void;
  /** What the server reports while it works: progress with the agent's token, log messages, changes. */
  readonly event: (message: NotificationMessage) => void;
  /** A request of the server's: resolves to the whole reply frame with the server's id. */
  readonly back: (message: RequestMessage, signal: AbortSignal) => Promise<string>;
}

/** For whom something is asked, and in what words. */
export type Caller = Pick<UpstreamCall, "principalKey" | "revision" | "capabilities">;

export interface Upstream {
  /** Settles a session once for each principal, revision and set of capabilities; a discovery for each principal. */
  open(caller: Caller, signal: AbortSignal): Promise<Opened>;
  request(call: UpstreamCall): Promise<Reply>;
  /** For what an agent announces; cancelling is done by aborting the call. */
  notify(caller: Caller, message: NotificationMessage): Promise<void>;
  /** The newest revision in common. */
  probe(signal: AbortSignal): Promise<Revision>;
  catalogue(signal: AbortSignal): Promise<Catalogue>;
  /** Ends one principal's session, or all of them; the next call begins anew. */
  close(principalKey?: string): void;
  /** Whether anybody of this principal looks at what the server says by itself. */
  attend(principalKey: string, attended: boolean): void;
  /** Somebody whose session an earlier worker settled listens again. */
  stand(caller: Caller): void;
  readonly drops: Drops;
}

export interface UpstreamOptions {
  readonly server: ServerEntry;
  readonly ports: Pick<Ports, "clock" | "randomId" | "fetch" | "socket" | "local" | "hosted" | "tables">;
  readonly limits: GatewayLimits;
  /** What navra itself can answer for the server, as JSON text. */
  readonly ownCapabilities: (revision: Revision) => string;
  /** The server was found to speak over another transport than it was registered with. */
  readonly found: (transport: TransportKind) => void;
  /** Whether an agent of the principal is where a person can see it. */
  readonly attended: (principalKey: string) => boolean;
  /** The server has a new session for these callers, and none of what they had asked of the one before. */
  readonly begun: (principalKey: string, isOf: (caller: Caller) => boolean) => void;
  readonly unsolicited: (principalKey: string, message: NotificationMessage) => void;
  readonly unsolicitedBack: (principalKey: string, message: RequestMessage, ended: AbortSignal) => Promise<string>;
}

const PROBE_MS = 10_000;
const LIST_MS = 60_000;
/** How long a verdict of the probe stands; an older server may be replaced by a newer one at any time. */
const VERDICT_MS = 60 * 60_000;
/** Principal keys of agents are JSON, so none can be this one. */
const OURSELVES = "navra";

/** In the newer era every request carries its capabilities, so they do not tell peers apart. */
function isModernName(name: string): boolean {
  return !name.includes(" ");
}

function peerName({ revision, capabilities = "{}" }: Caller): string {
  return isModern(revision) ? revision : `${revision} ${capabilities}`;
}

export function createUpstream({
  server,
  ports,
  limits,
  found,
  ownCapabilities,
  attended,
  begun,
  unsolicited,
  unsolicitedBack,
}: UpstreamOptions): Upstream {
  const { clock } = ports;
  const ids = createIds(ports.randomId);
  const drops = createDropCounter();
  // The native host answers at once, holds back by itself what crashes, and says what a person must do: nothing to wait for.
  const circuit = server.transport === "native" ? undefined : createCircuit(ports);
  const budget = createBudget(clock);
  const subprotocol: Subprotocol = { offered: true };
  const store = createSessionStore(ports.tables.upstreams, server.id);
  const peers = new Map<string, Map<string, Peer>>();
  let transport = server.transport;
  let verdict: { readonly revision: Revision; readonly until: number } | undefined;
  /** Catalogues being fetched. A program that only they use is ended when the last of them is there. */
  let looking = 0;
  let listChanged = false;

  return {
    open,
    request,
    notify,
    probe,
    catalogue,
    close,
    attend,
    stand,
    get drops() {
      return drops.read();
    },
  };

  function ourselves(revision: Revision): Caller {
    return { principalKey: OURSELVES, revision, capabilities: ownCapabilities(revision) };
  }

  async function open(caller: Caller, signal: AbortSignal): Promise<Opened> {
    if (signal.aborted) throw abortFault(signal);
    const peer = peerOf(caller);
    const opened = await guarded(caller, () => peer.open(signal));
    // The server may have settled on an older revision; calls will name that one.
    const settled = peersOf(caller.principalKey);
    const older = peerName({ ...caller, revision: opened.revision });
    if (settled.get(peerName(caller)) === peer && !settled.has(older)) settled.set(older, peer);
    return opened;
  }

  function request(call: UpstreamCall): Promise<Reply> {
    // A subscription lasts until somebody ends it.
    if (call.message.method === "subscriptions/listen") return guarded(call, () => peerOf(call).request(call));
    return within(timeOf(limits), call.signal, (signal, alive) =>
      guarded(call, () => peerOf(call).request({ ...call, ...lively(call, alive), signal })),
    );
  }

  /** Whatever the server says of the call, and the time in which it waits for the agent, is a sign of life. */
  function lively({ event, back }: UpstreamCall, alive: () => void): Pick<UpstreamCall, "event" | "back"> {
    return {
      event(message) {
        alive();
        event(message);
      },
      back(message, signal) {
        alive();
        return back(message, signal).finally(alive);
      },
    };
  }

  /** What the person asks navra itself to look at is always tried. */
  async function guarded<T>({ principalKey }: Caller, work: () => Promise<T>): Promise<T> {
    if (circuit && principalKey !== OURSELVES) return circuit.through(work);
    const value = await work();
    circuit?.reached();
    return value;
  }

  async function notify(caller: Caller, message: NotificationMessage): Promise<void> {
    if (OURS_TO_SEND.has(message.method)) return;
    await within({ ms: PROBE_MS }, undefined, (signal) => peerOf(caller).notify(message, signal));
  }

  async function probe(signal: AbortSignal): Promise<Revision> {
    if (verdict && verdict.until > clock.now()) return verdict.revision;
    let era = await ask("first", signal);
    if (era.kind === "again") era = await ask("second", signal);
    if (era.kind === "failed") throw era.problem;
    if (era.kind === "legacy") retire(ourselves(NEWEST_MODERN));
    const revision = era.kind === "modern" ? era.revision : await legacyRevision(signal);
    if (era.kind === "modern" && transport === "http-sse") use("streamable-http");
    verdict = { revision, until: clock.now() + VERDICT_MS };
    return revision;
  }

  /** What refuses POST where a session would begin may be a server of 2024-11-05, with two endpoints. */
  async function legacyRevision(signal: AbortSignal): Promise<Revision> {
    if (transport === "http-sse") use("streamable-http");
    try {
      return (await open(ourselves(NEWEST_LEGACY), signal)).revision;
    } catch (problem) {
      const refused = problem instanceof StatusFault && NO_POST.has(problem.status);
      if (transport !== "streamable-http" || !refused) throw problem;
      use("http-sse");
      try {
        return (await open(ourselves(NEWEST_LEGACY), signal)).revision;
      } catch {
        use("streamable-http");
        throw problem;
      }
    }
  }

  function use(kind: TransportKind): void {
    if (transport === kind) return;
    transport = kind;
    const reason = new GatewayError("cancelled", "This server is reached in another way from now on.");
    for (const [key, known] of peers) {
      for (const [name, peer] of known) {
        if (isModernName(name)) continue;
        peer.close(reason);
        peers.get(key)?.delete(name);
      }
    }
    found(kind);
  }

  async function ask(turn: Attempt["turn"], signal: AbortSignal): Promise<Verdict> {
    const peer = peerOf(ourselves(NEWEST_MODERN));
    let status = 0;
    const keep = (seen: number) => {
      status = seen;
    };
    const answer = await within({ ms: PROBE_MS }, signal, (bound) =>
      peer.request({ message: DISCOVER, signal: bound, status: keep }),
    ).catch(asFault);
    return judge({ turn, shared: peer.shared, status, answer });
  }

  async function catalogue(signal: AbortSignal): Promise<Catalogue> {
    looking += 1;
    try {
      const revision = await probe(signal);
      return await within({ ms: LIST_MS }, signal, async (bound) => {
        const source: CatalogueSource = {
          serverId: server.id,
          overHttp: transport === "streamable-http",
          revision,
          opened: await open(ourselves(revision), bound),
          request: (message) => peerOf(ourselves(revision)).request({ ...ourselves(revision), message, signal: bound }),
          now: clock.now,
        };
        listChanged = false;
        const listed = await fetchCatalogue(source);
        // Once more and not as often as it says so: some servers say it at each start, and for them this was one.
        return listChanged ? await fetchCatalogue(source) : listed;
      });
    } finally {
      looking -= 1;
      if (looking === 0 && server.transport === "native") close(OURSELVES);
    }
  }

  /**
   * The probe's own connection. A server of the older era may have hung up on it, or be left in a state that `initialize`
   * does not begin in; a program would go on running beside the one that is used.
   */
  function retire(caller: Caller): void {
    const known = peers.get(caller.principalKey);
    const peer = known?.get(peerName(caller));
    if (!peer?.shared) return;
    known?.delete(peerName(caller));
    peer.close(new GatewayError("cancelled", "The connection to this server was closed."));
  }

  function close(principalKey?: string): void {
    const reason = new GatewayError("cancelled", "The connection to this server was closed.");
    const leaving = principalKey === undefined ? [...peers.keys()] : [principalKey];
    if (principalKey === undefined) verdict = undefined;
    for (const key of leaving) {
      for (const peer of new Set(peers.get(key)?.values())) peer.close(reason);
      peers.delete(key);
    }
    store.clear(principalKey);
  }

  function attend(principalKey: string, attended: boolean): void {
    for (const peer of new Set(peers.get(principalKey)?.values())) {
      if (attended) peer.attend();
      else peer.rest();
    }
  }

  /** What cannot be taken up again is by the next request. */
  function stand(caller: Caller): void {
    peerOf(caller)
      .stand()
      .catch(() => undefined);
  }

  function peerOf(caller: Caller): Peer {
    const { principalKey, revision, capabilities = "{}" } = caller;
    const known = peersOf(principalKey);
    const name = peerName(caller);
    const found = known.get(name);
    if (found) return found;
    const peer = createPeer({
      // The newer era never had the older pair of endpoints.
      server: { ...server, transport: isModern(revision) && transport === "http-sse" ? "streamable-http" : transport },
      ports,
      limits,
      ids,
      drops,
      budget,
      subprotocol,
      store,
      name: { principalKey, revision, capabilities },
      // What servers say outside calls is for agents; navra itself listens to nothing.
      attended: () => principalKey !== OURSELVES && attended(principalKey),
      begun() {
        const isOf = (one: Caller): boolean => peersOf(principalKey).get(peerName(one)) === peer;
        if (principalKey !== OURSELVES) begun(principalKey, isOf);
      },
      unsolicited: (message) => (principalKey === OURSELVES ? heard(message) : unsolicited(principalKey, message)),
      unsolicitedBack: (message, ended) => unsolicitedBack(principalKey, message, ended),
    });
    known.set(name, peer);
    return peer;
  }

  /** What a server says to navra itself is news for no agent, and no reason to start it anew. */
  function heard({ method }: NotificationMessage): void {
    if (method === "notifications/tools/list_changed") listChanged = true;
  }

  function peersOf(principalKey: string): Map<string, Peer> {
    const known = peers.get(principalKey) ?? new Map<string, Peer>();
    peers.set(principalKey, known);
    return known;
  }

  async function within<T>(
    time: DeadlineOptions,
    signal: AbortSignal | undefined,
    run: (bound: AbortSignal, alive: () => void) => Promise<T>,
  ): Promise<T> {
    if (signal?.aborted) throw abortFault(signal);
    const limit = createDeadline(clock, { ...time, ...(signal && { signal }) });
    try {
      return await run(limit.signal, limit.alive);
    } finally {
      limit.stop();
    }
  }
}

/** From one sign of life to the next, and in all. */
function timeOf({ callSeconds, callMostSeconds }: GatewayLimits): DeadlineOptions {
  return { ms: callSeconds * 1_000, mostMs: callMostSeconds * 1_000 };
}

/** @see MCP 2025-11-25 · Transports · Backwards compatibility */
const NO_POST: ReadonlySet<number> = new Set([400, 404, 405]);

/** The session is opened here, and an agent's cancellation names an id that the server has never seen. */
const OURS_TO_SEND: ReadonlySet<string> = new Set(["notifications/initialized", "notifications/cancelled"]);

function asFault(problem: unknown): GatewayError {
  if (problem instanceof GatewayError) return problem;
  return new GatewayError("internal-error", "navra could not ask the server. Try again.");
}
