/**
 * One agent channel: frames in, frames out. It keeps the session side of the protocol (what `initialize` settled, ids in
 * flight, batches, cancellation) and turns every acceptable request into a call. One channel may carry both eras at once:
 * each message is classified by its body, and a malformed envelope is an error, never taken for the older era.
 *
 * Order of checks: bytes, JSON, envelope, method known, `_meta`, parameters.
 *
 * @see MCP 2025-11-25 · Lifecycle
 * @see MCP 2026-07-28 · Versioning, Transports · Custom transports (stdio rules: cancellation by notification)
 */
import type { AgentSide } from "../call.ts";
import { type FaultName, GatewayError } from "../errors.ts";
import type { GatewayLimits } from "../limits.ts";
import { type ClientCapabilities, capabilitiesFrom, NO_CAPABILITIES } from "../mcp/client-capabilities.ts";
import {
  agentLabel,
  claimsModern,
  META_CAPABILITIES,
  META_CLIENT,
  META_LOG_LEVEL,
  META_VERSION,
  metaOf,
} from "../mcp/meta.ts";
import { AGENT_METHODS, LOG_LEVELS } from "../mcp/methods.ts";
import {
  isLegacyRevision,
  isModern,
  isModernRevision,
  MODERN_REVISIONS,
  NEWEST_LEGACY,
  NEWEST_MODERN,
  type Revision,
  vocabularyOf,
} from "../mcp/revision.ts";
import type { Stop } from "../pipeline/stage.ts";
import { decode, type WireFault } from "../wire/decode.ts";
import { isObject, type JsonValue } from "../wire/json.ts";
import type { Id, Message, NotificationMessage, RequestMessage } from "../wire/message.ts";
import { createAsked } from "./asked.ts";
import { RESUMED_METHOD } from "./directory-methods.ts";
import { refusalFrame } from "./refusal.ts";

/** Resources one channel may be subscribed to. */
const MOST_SUBSCRIBED = 1_000;

export interface FaceCall {
  readonly message: RequestMessage;
  readonly revision: Revision;
  readonly agent: string;
  readonly capabilities: ClientCapabilities;
  readonly signal: AbortSignal;
  readonly agentSide: AgentSide;
}

export interface FaceOptions {
  /** Of them, `openCalls` is how many calls one channel may have open at once; a flood gets `busy`. */
  readonly limits: GatewayLimits;
  readonly post: (frame: string) => void;
  /** Runs one call to its end; posts exactly one reply unless the agent itself cancelled. Never rejects. */
  readonly start: (call: FaceCall) => Promise<void>;
  /** A frame or message that never became a call. */
  readonly rejected: (name: FaultName, method: string) => void;
  /** The session side changed and should survive the worker. */
  readonly changed: (state: SessionSide) => void;
  /** Id tokens that were answered when the channel came back. */
  readonly told: ReadonlySet<string>;
  /** What becomes of a request that this worker never heard of: a fault, or the whole frame that answers it. */
  readonly unheard: (id: Id) => { readonly fault: "not-sent" | "unknown" } | { readonly frame: string };
  readonly restored?: SessionSide;
  readonly randomId: () => string;
}

/** What `initialize` settled on a channel. */
export interface SessionSide {
  readonly revision: Revision | null;
  readonly agent: string;
  /** The agent's capabilities as it wrote them. */
  readonly declared: JsonValue;
  /** Resources whose changes it wants to hear of. */
  readonly subscribed: readonly string[];
}

export interface Face {
  receive(frame: string): void;
  settle(revision: Revision): void;
  /** Ends every open call of this channel with the reason. */
  abort(reason: GatewayError): void;
  /** The negotiated legacy revision, if any. */
  revision(): Revision | null;
  /** Whether a session is being opened, and none stands yet. */
  opening(): boolean;
  /** Whether the session subscribed to this resource, or to one that holds it. */
  wants(uri: string): boolean;
  subscribed(): readonly string[];
  /** The session subscribed to this resource, or left it. */
  follow(uri: string, wanted: boolean): void;
  /** Who would answer a server's request outside any call: the agent of the session, where there is one. */
  session(): Pick<FaceCall, "agent" | "capabilities"> & Pick<AgentSide, "ask">;
  /** Resolves when the agent has taken its session up: before that nothing may be asked of it. */
  readonly ready: Promise<void>;
}

export function createFace(options: FaceOptions): Face {
  const { limits, post, start, rejected, changed } = options;
  const open = new Map<string, AbortController>();
  let revision: Revision | null = options.restored?.revision ?? null;
  let agent = options.restored?.agent ?? "";
  let declared: JsonValue = options.restored?.declared ?? null;
  const subscribed = new Set(options.restored?.subscribed);
  let spokeModern = false;
  let opening = false;
  let takeUp = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    takeUp = resolve;
  });
  if (revision !== null) takeUp();
  const asked = createAsked({ post, randomId: options.randomId });

  const reject = (
    stop: Stop,
    about: { readonly id: string | null; readonly method: string; readonly modern: boolean },
  ): string => {
    rejected(stop.name, about.method);
    return refusalFrame(about, stop);
  };

  /** Gives the reply frame of a message that never becomes a call, or starts the call. */
  const handle = (item: Message | WireFault, reply: (frame: string) => void): Promise<void> | undefined => {
    if (item.kind === "fault") {
      reply(
        reject(fault(item.name, item.detail), { id: item.id, method: "", modern: spokeModern && revision === null }),
      );
      return undefined;
    }
    if (item.kind === "notification") {
      notice(item);
      return undefined;
    }
    if (item.kind !== "request") {
      if (!asked.take(item)) rejected("invalid-request", "");
      return undefined;
    }
    const modern = claimsModern(item.params);
    spokeModern ||= modern;
    const stop = check(item, modern);
    if (stop) {
      reply(reject(stop, { id: item.id, method: item.method, modern }));
      return undefined;
    }
    const controller = new AbortController();
    open.set(item.id, controller);
    if (item.method === "initialize") {
      opening = true;
      agent = agentLabel(item.params?.clientInfo);
      declared = item.params?.capabilities ?? null;
    } else if (!modern && revision !== null) takeUp();
    const spoken = revisionOf(item, modern);
    const call: FaceCall = {
      message: item,
      revision: spoken,
      capabilities: modern
        ? capabilitiesFrom(metaOf(item.params)?.[META_CAPABILITIES], spoken)
        : capabilitiesOf(spoken),
      agent: modern ? agentLabel(metaOf(item.params)?.[META_CLIENT]) : agent,
      signal: controller.signal,
      agentSide: { reply, event: post, ask: asked.ask },
    };
    return start(call).finally(() => {
      open.delete(item.id);
      if (item.method === "initialize") opening = false;
    });
  };

  const check = (message: RequestMessage, modern: boolean): Stop | undefined => {
    if (open.has(message.id))
      return fault("invalid-request", "This id is already in use by an open request. Use another.");
    const row = AGENT_METHODS.get(message.method);
    if (!row || !vocabularyOf(revisionOf(message, modern)).requests.has(message.method)) {
      return fault("method-not-found", "There is no such method in this revision of the protocol.");
    }
    if (modern) {
      const stop = checkMeta(message);
      if (stop) return stop;
    } else if (revision === null && message.method !== "initialize" && message.method !== "ping") {
      return fault("invalid-request", 'Open a session with "initialize" first, or name a protocol version in `_meta`.');
    }
    const wrong = row.check(message.params ?? {});
    if (wrong) return fault("invalid-params", wrong);
    return open.size >= limits.openCalls
      ? fault("busy", "Too many calls are open on this channel. Wait for some to end.")
      : undefined;
  };

  const revisionOf = (message: RequestMessage, modern: boolean): Revision => {
    if (modern) return NEWEST_MODERN;
    if (message.method !== "initialize") return revision ?? NEWEST_LEGACY;
    const asked = message.params?.protocolVersion;
    return isLegacyRevision(asked) ? asked : NEWEST_LEGACY;
  };

  const changedSide = (): void => changed({ revision, agent, declared, subscribed: [...subscribed] });

  const follow: Face["follow"] = (uri, wanted) => {
    const has = subscribed.has(uri);
    if (wanted && subscribed.size < MOST_SUBSCRIBED) subscribed.add(uri);
    if (!wanted) subscribed.delete(uri);
    if (subscribed.has(uri) !== has) changedSide();
  };

  /** A session's capabilities are read once for each revision it is spoken in. */
  let read: { readonly from: JsonValue; readonly revision: Revision; readonly as: ClientCapabilities } | undefined;
  const capabilitiesOf = (spoken: Revision): ClientCapabilities => {
    if (declared === null) return NO_CAPABILITIES;
    if (read?.from !== declared || read.revision !== spoken) {
      read = { from: declared, revision: spoken, as: capabilitiesFrom(declared, spoken) };
    }
    return read.as;
  };

  const notice = ({ method, params }: NotificationMessage): void => {
    if (method === RESUMED_METHOD) answerUnheard(params?.requestIds);
    if (method === "notifications/initialized" && revision !== null) takeUp();
    if (method !== "notifications/cancelled") return;
    const id = params?.requestId;
    if (typeof id !== "string" && typeof id !== "number") return;
    open
      .get(JSON.stringify(id))
      ?.abort(new GatewayError("cancelled", "The agent cancelled this call.", { by: "agent" }));
  };

  const answerUnheard = (ids: JsonValue | undefined): void => {
    if (!Array.isArray(ids)) return;
    for (const raw of ids.slice(0, limits.openCalls)) {
      if (typeof raw !== "string" && typeof raw !== "number") continue;
      const id = JSON.stringify(raw);
      if (open.has(id) || options.told.has(id)) continue;
      const answer = options.unheard(id);
      const modern = spokeModern && revision === null;
      post("frame" in answer ? answer.frame : refusalFrame({ id, method: "", modern }, UNHEARD[answer.fault]));
    }
  };

  return {
    receive(frame) {
      const batches = revision !== null && vocabularyOf(revision).batches;
      const decoded = decode(frame, { limits, batches });
      if (!decoded.batch) {
        const [item] = decoded.items;
        if (item) void handle(item, post);
        return;
      }
      if (decoded.items.some(forbiddenInBatch)) {
        post(
          reject(
            fault("invalid-request", "A batch holds neither `initialize` nor requests of 2026-07-28. Send them alone."),
            { id: null, method: "", modern: false },
          ),
        );
        return;
      }
      receiveBatch(decoded.items, { handle, post });
    },
    settle(settled) {
      if (isModern(settled)) return;
      revision = settled;
      changedSide();
    },
    abort(reason) {
      for (const controller of open.values()) controller.abort(reason);
      asked.abort(reason);
    },
    revision: () => revision,
    opening: () => opening && revision === null,
    ready,
    wants: (uri) =>
      subscribed.has(uri) || [...subscribed].some((one) => uri.startsWith(one.endsWith("/") ? one : `${one}/`)),
    subscribed: () => [...subscribed],
    follow,
    session: () => ({
      agent,
      capabilities: revision === null ? NO_CAPABILITIES : capabilitiesOf(revision),
      ask: asked.ask,
    }),
  };
}

/** Answers a batch with one array once every request in it has its reply; events go out as they come. */
function receiveBatch(
  items: readonly (Message | WireFault)[],
  {
    handle,
    post,
  }: {
    readonly handle: (item: Message | WireFault, reply: (frame: string) => void) => Promise<void> | undefined;
    readonly post: (frame: string) => void;
  },
): void {
  const replies: string[] = [];
  const calls = items.map((item) => handle(item, (frame) => void replies.push(frame)));
  void Promise.all(calls).then(() => {
    if (replies.length > 0) post(`[${replies.join(",")}]`);
  });
}

const UNHEARD = {
  "not-sent": {
    ...fault("not-sent", "The browser stopped navra before this request reached it. It is safe to try again."),
    // Tells it from a call that navra had and did not send: this one nobody has ever seen.
    data: { unheard: true },
  },
  unknown: fault("unknown", "The browser stopped navra while this request was open. It may have happened; look first."),
} as const;

function forbiddenInBatch(item: Message | WireFault): boolean {
  return item.kind === "request" && (item.method === "initialize" || claimsModern(item.params));
}

function checkMeta(message: RequestMessage): Stop | undefined {
  const meta = metaOf(message.params) ?? {};
  const version = meta[META_VERSION];
  if (typeof version !== "string") return fault("invalid-params", `"${META_VERSION}" must be a string.`);
  if (!isModernRevision(version)) {
    return {
      ...fault("unsupported-version", "This protocol version is not supported. Use one of those listed."),
      data: { supported: MODERN_REVISIONS, requested: version.slice(0, 64) },
    };
  }
  const level = meta[META_LOG_LEVEL];
  if (level !== undefined && !LOG_LEVELS.has(level)) {
    return fault("invalid-params", `"${META_LOG_LEVEL}" must be one of the eight levels of RFC 5424.`);
  }
  return isObject(meta[META_CAPABILITIES])
    ? undefined
    : fault("invalid-params", `"${META_CAPABILITIES}" must be an object; it may be empty.`);
}

function fault(name: FaultName, detail: string): Stop {
  return { kind: "fault", name, detail };
}
