/**
 * What waits for the person. An approval is bound to the digest of exactly what is shown; it survives the worker's death;
 * it is answered once. One that comes after the agent gave up becomes a single-use grant for the same digest.
 */
import type { Place, Principal } from "../principal.ts";
import type { ToolClass } from "../servers/server.ts";

interface ApprovalBase {
  readonly id: string;
  readonly principal: Principal;
  readonly place: Place;
  /** The agent's own name for itself; claimed, never proven. */
  readonly agent: string;
  /** SHA-256 hex over exactly what is shown and would be sent. An answer names it. */
  readonly digest: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Whether the asking call still waits for this answer. */
  readonly live: boolean;
}

export interface ConnectApproval extends ApprovalBase {
  readonly kind: "connect";
  /** Whether the person acted in the page just before; without that no window opens by itself. */
  readonly act: boolean;
  readonly servers: readonly {
    readonly id: string;
    readonly name: string;
    readonly host: string;
    readonly tools: readonly ApprovalTool[];
    /** Why the tools could not be listed, as a sentence. */
    readonly problem?: string;
  }[];
}

export interface ApprovalTool {
  readonly name: string;
  /** The server's own title and description: paper, never our voice. */
  readonly title: string;
  readonly description: string;
  readonly class: ToolClass;
}

export interface CallApproval extends ApprovalBase {
  readonly kind: "call";
  readonly callId: string;
  readonly serverId: string;
  readonly serverName: string;
  readonly method: string;
  readonly tool: string;
  readonly class: ToolClass;
  /** The exact JSON text of the arguments that will be sent. */
  readonly argumentsText: string;
  /** Canonical definition of the tool at the time of asking; empty where the method has none. */
  readonly pinText: string;
  /** Sentences of ours, one for each rule or label that asks. */
  readonly reasons: readonly string[];
}

export type Approval = ConnectApproval | CallApproval;

/** How far an allowed call approval reaches. */
export type GrantScope = "once" | "session" | "tool";

export interface Grant {
  readonly id: string;
  readonly principalKey: string;
  readonly serverId: string;
  readonly tool: string;
  /** Canonical text of the pinned definition it was given for; a changed tool suspends it. */
  readonly pinText: string;
  readonly scope: GrantScope;
  /** Only for `once`: the digest it answers, used once, until `expiresAt`. */
  readonly digest?: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

/** A site's connection to one server: the tools left ticked, nothing else. */
export interface Connection {
  readonly principal: Principal;
  readonly serverId: string;
  readonly tools: readonly string[];
  readonly connectedAt: number;
}
