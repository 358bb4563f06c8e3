/**
 * Everything the gateway needs from outside, as arguments. A composition root (the worker, a test) makes one of these; the
 * core itself reads no clock, draws no random number, opens no connection and touches no storage.
 */
import type { Approval, Connection, Grant } from "./consent/approval.ts";
import type { PauseState } from "./consent/pause.ts";
import type { Refusals } from "./consent/silence.ts";
import type { GatewayError } from "./errors.ts";
import type { Labels } from "./flow/labels.ts";
import type { SetLimits } from "./limits.ts";
import type { Pin } from "./pins/pin.ts";
import type { PolicyHead, RuleEvent } from "./policy/history.ts";
import type { Rule } from "./policy/policy.ts";
import type { UsageRow } from "./policy/usage.ts";
import type { RecordBody, RecordEntry } from "./recorder/entry.ts";
import type { Catalogue, ServerEntry } from "./servers/server.ts";
import type { SessionRow, Sites } from "./sessions.ts";
import type { Channel, ChannelEvents } from "./transports/channel.ts";
import type { JsonValue } from "./wire/json.ts";

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back, for durations. */
  monotonic(): number;
  /** Minutes local time is ahead of UTC now (60 for UTC+1): a rule's last day ends by the person's own calendar. */
  utcOffsetMinutes(): number;
  /** Calls back once after `ms`; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** A small typed table that outlives the worker. A write resolves when it is durable enough to survive the worker. */
export interface Table<Row> {
  all(): Promise<readonly Row[]>;
  put(key: string, row: Row): Promise<void>;
  /** In one write, however many. */
  remove(...keys: readonly string[]): Promise<void>;
}

export interface RecordTable {
  append(entries: readonly RecordEntry[]): Promise<void>;
  last(): Promise<RecordEntry | undefined>;
  /** Newest first, `seq` below `before`. */
  page(query: { readonly before?: number; readonly limit: number }): Promise<readonly RecordEntry[]>;
  /** Oldest first from `from`. */
  range(from: number, limit: number): Promise<readonly RecordEntry[]>;
}

/** A call that was admitted and has no outcome yet; what is left of it after a worker's death decides `not-sent` or `unknown`. */
export interface JournalEntry {
  readonly callId: string;
  readonly documentId: string;
  readonly channel: string;
  /** The agent's id token, to answer it after the worker came back. */
  readonly rpcId: string;
  readonly phase: "admitted" | "sent";
  readonly at: number;
  /** Enough to write the record: the body without reply, outcome and times. */
  readonly record: RecordBody;
}

/** A page channel's protocol state, kept so that a worker's death does not end a session. */
export interface FaceState {
  readonly channel: string;
  readonly documentId: string;
  /** The server's name as the page addressed it. */
  readonly server: string;
  /** What `initialize` settled; null before it, or for a channel that only speaks 2026-07-28. */
  readonly revision: string | null;
  readonly agent: string;
  /** The capabilities the agent declared with `initialize`. */
  readonly declared?: JsonValue;
  /** Resources whose changes it wants to hear of. */
  readonly subscribed?: readonly string[];
  /** Epoch milliseconds of the last change. */
  readonly at: number;
}

/** An upstream session, kept for the same reason. */
export interface UpstreamState {
  readonly key: string;
  readonly sessionId: string | null;
  readonly revision: string;
  /** The JSON text of the server's initialize or discover result. */
  readonly resultText: string;
}

/** A server's `requestState` that an agent holds a handle for. */
export interface Continuation {
  readonly handle: string;
  readonly principalKey: string;
  readonly serverId: string;
  readonly method: string;
  /** Of the parameters it belongs to. */
  readonly digest: string;
  /** The server's state as its JSON text; absent where it gave none. */
  readonly stateText?: string;
  /** Keys of what the server asked and navra answers with a refusal. */
  readonly declined: readonly string[];
  readonly expiresAt: number;
}

/** Whose a server's task is. */
export interface TaskOwner {
  readonly principalKey: string;
  readonly serverId: string;
  readonly taskId: string;
  readonly expiresAt: number;
}

/** What must outlive the worker in a private window too, in memory that is gone with the browser's run. */
export type PrivateTables = Pick<Tables, "labels" | "usage" | "sessions">;

export interface Tables {
  readonly servers: Table<ServerEntry>;
  readonly catalogues: Table<Catalogue>;
  readonly connections: Table<Connection>;
  readonly rules: Table<Rule>;
  readonly ruleHistory: Table<RuleEvent>;
  readonly policyHead: Table<PolicyHead>;
  readonly usage: Table<UsageRow>;
  readonly sessions: Table<SessionRow>;
  readonly grants: Table<Grant>;
  readonly pins: Table<Pin>;
  readonly approvals: Table<Approval>;
  readonly journal: Table<JournalEntry>;
  readonly labels: Table<{ readonly principalKey: string; readonly labels: Labels }>;
  readonly faces: Table<FaceState>;
  readonly upstreams: Table<UpstreamState>;
  readonly continuations: Table<Continuation>;
  readonly tasks: Table<TaskOwner>;
  readonly pause: Table<PauseState>;
  readonly refusals: Table<Refusals>;
  /** One row. */
  readonly limits: Table<SetLimits>;
  readonly records: RecordTable;
}

export interface FetchRequest {
  readonly method: "POST" | "GET" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface SocketEvents {
  readonly open: () => void;
  readonly text: (data: string) => void;
  /** A binary message: always a fault of the server's. */
  readonly binary: () => void;
  readonly close: (reason: string) => void;
}

export interface Socket {
  send(text: string): void;
  close(): void;
}

export interface LocalEvents {
  /** The program runs. */
  readonly open: () => void;
  /** One line of its output that is a message, whole. */
  readonly text: (frame: string) => void;
  /** It could not be started, or it is gone; said once, in a sentence of ours with the remedy. */
  readonly close: (problem: GatewayError) => void;
}

export interface LocalLine {
  send(frame: string): void;
  close(): void;
}

export interface Ports {
  readonly clock: Clock;
  /** 128 random bits as 32 hex digits. */
  readonly randomId: () => string;
  /** SHA-256 of the UTF-8 of the text, as 64 hex digits. */
  readonly digest: (text: string) => Promise<string>;
  /** No cookies, no redirects to another origin. */
  readonly fetch: (url: string, request: FetchRequest) => Promise<Response>;
  readonly socket: (url: string, protocols: readonly string[], events: SocketEvents) => Socket;
  /**
   * A run of its own of one entry of the native host's list. What the entry's name stands for is decided on the machine;
   * all runs share one port to the host.
   */
  readonly local: (entryName: string, events: LocalEvents) => LocalLine;
  /** A channel to a server that has no address on the net, such as one in this process; nothing where the host has none. */
  readonly hosted?: (server: ServerEntry, events: ChannelEvents) => Channel | undefined;
  readonly tables: Tables;
  /** Absent where the host keeps nothing beside a disk: then these fall with the worker. */
  readonly privateTables?: PrivateTables;
  readonly sites: Sites;
  /** Something changed that a person may be looking at. */
  readonly changed: (topic: Topic) => void;
  /** Approvals to show, oldest first; empty when none waits. The host opens one window at a time, or a badge. */
  readonly showApprovals: (waiting: readonly Approval[]) => void;
  /** How many calls are open and streams stand; above zero the host keeps the worker alive. */
  readonly busy: (reasons: number) => void;
}

export type Topic =
  | "servers"
  | "rules"
  | "connections"
  | "approvals"
  | "records"
  | "pins"
  | "pause"
  | "calls"
  | "local"
  | "limits";
