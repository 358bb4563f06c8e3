/**
 * One call on its way: who asks, of whom, what was received, and the payload as it stands. Id, method and principal never
 * change. The payload changes only through `replace`, which only the `label` and `redact` stages are given.
 */
import type { Finding } from "./inspect/finding.ts";
import type { ClientCapabilities } from "./mcp/client-capabilities.ts";
import type { Revision } from "./mcp/revision.ts";
import type { Ledger } from "./pipeline/ledger.ts";
import type { Decision } from "./policy/policy.ts";
import type { Place, Principal } from "./principal.ts";
import type { ServerEntry } from "./servers/server.ts";
import type { JsonObject } from "./wire/json.ts";
import type { Reply, RequestMessage } from "./wire/message.ts";

/** A message's text beside the value it was judged by: `params` of a request or notification, result or error of a reply. */
export interface Payload {
  readonly text: string;
  readonly value: JsonObject | undefined;
}

export interface Call {
  readonly callId: string;
  /** `out`: an agent asks a server. `back`: a server asks the agent something. */
  readonly direction: "out" | "back";
  readonly parent?: string;
  readonly principal: Principal;
  readonly principalKey: string;
  readonly place: Place;
  /** Of a server's question: who answers, where the capabilities do not say it. */
  readonly answerer?: "navra";
  /** The page's channel the call came by. */
  readonly channel: string;
  readonly agent: string;
  readonly server: ServerEntry;
  readonly revision: Revision;
  /** What the agent declared that it answers, as it is passed on. */
  readonly capabilities: ClientCapabilities;
  /** As received. */
  readonly message: RequestMessage;
  /** Epoch milliseconds. */
  readonly arrivedAt: number;
  /** Monotonic milliseconds, for durations. */
  readonly startedAt: number;
  /** Aborted with a `GatewayError` that says who ended it. */
  readonly signal: AbortSignal;
  readonly ledger: Ledger;
  readonly agentSide: AgentSide;
  /** What would be sent now. */
  readonly request: Payload;
  /** What came back, once it has. */
  readonly reply: ReplyInHand | undefined;
}

export interface ReplyInHand extends Payload {
  readonly kind: Reply["kind"];
}

/** Hands frames to the agent's channel. A batch collects replies; events go out as they come. */
export interface AgentSide {
  reply(frame: string): void;
  event(frame: string): void;
  /** Asks the agent for a server: gives its reply, with an id of ours. */
  ask(text: string, signal: AbortSignal): Promise<Reply>;
}

/** The same call for those who may change its payload. */
export interface MutableCall extends Call {
  request: Payload;
  reply: ReplyInHand | undefined;
}

/** A notification of a server's on its way to the agent. */
export interface EventInHand {
  readonly method: string;
  payload: Payload;
  findings?: readonly Finding[];
  /** Finding kinds and types to replace before it goes on. */
  redact?: readonly string[];
  /** What policy said of it. */
  decision?: Decision;
}
