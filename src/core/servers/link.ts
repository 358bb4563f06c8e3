/**
 * How requests travel to one server for one principal, whatever the channel below: asked once, answered at most once. Over
 * HTTP every request has its own exchange; over a shared connection replies find their request by id. What belongs to no
 * open request is dropped and counted, never delivered.
 */
import type { GatewayError } from "../errors.ts";
import type { Limits } from "../wire/json.ts";
import type { Id, NotificationMessage, Reply, RequestMessage } from "../wire/message.ts";
import type { Budget } from "./budget.ts";
import type { DropCounter } from "./drops.ts";
import type { Ids } from "./ids.ts";
import type { StandingEnd } from "./standing.ts";

export interface Ask {
  /** Ours, and the progress token where the agent asked for progress. */
  readonly id: Id;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly sent: () => void;
  readonly head?: (get: (header: string) => string | null, status: number) => void;
  /** Progress with this request's token; absent where the agent asked for none. */
  readonly progress?: (message: NotificationMessage) => void;
  readonly event?: (message: NotificationMessage) => void;
  /** Whether a stream that ends early may be taken up again: revisions up to 2025-11-25. */
  readonly resumable?: boolean;
  /** A request of the server's; absent where the revision forbids them. Resolves to the reply's whole frame. */
  readonly back?: (message: RequestMessage, signal: AbortSignal) => Promise<string>;
}

export interface Tell {
  readonly text: string;
  readonly kind: "notification" | "reply";
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface Link {
  /** One connection carries all requests of the principal. */
  readonly shared: boolean;
  /** Resolves to the one reply, with the id we sent. @throws GatewayError */
  ask(ask: Ask): Promise<Reply>;
  tell(tell: Tell): Promise<void>;
  /** Opens the standing stream of a session where the transport has one, until the signal is aborted. Never rejects. */
  stand(headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<StandingEnd>;
  /** Ends the session these headers name, where the transport can say so. */
  end(headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void>;
  close(reason: GatewayError): void;
}

export interface LinkOptions {
  readonly limits: Limits;
  /** Whether the revision in force has batches. */
  readonly batches: () => boolean;
  readonly ids: Ids;
  readonly drops: DropCounter;
  readonly budget: Budget;
  /** A notification of the server's outside any request. */
  readonly unsolicited: (message: NotificationMessage) => void;
  /** A request of the server's that belongs to no one request of ours. */
  readonly unsolicitedBack: (message: RequestMessage, ended: AbortSignal) => Promise<string>;
}
