/**
 * One record: who asked for what, why it ended as it did, and when. Every field is covered by the hash chain, so a later
 * edit of any bit shows. Payload text is stored masked and capped beside the digest of the whole.
 */

import type { FaultName } from "../errors.ts";
import type { Labels } from "../flow/labels.ts";
import type { Finding } from "../inspect/finding.ts";
import type { Revision } from "../mcp/revision.ts";
import type { Decision } from "../policy/policy.ts";
import type { Place, Principal } from "../principal.ts";
import type { ToolClass } from "../servers/server.ts";

/** Payload text as evidence keeps it. */
export interface Excerpt {
  /** Secrets masked, cut at the cap. */
  readonly text: string;
  readonly cut: boolean;
  /** UTF-8 bytes of the whole. */
  readonly bytes: number;
  /** SHA-256 hex of the whole, unmasked text. */
  readonly digest: string;
  readonly findings: readonly Finding[];
}

export type Outcome =
  /** A result or error of the server's reached the asker. */
  | { readonly kind: "answered"; readonly error: boolean }
  /** A decision stopped it before anything was sent. */
  | { readonly kind: "refused"; readonly name: FaultName; readonly stage: string }
  /** The wire, the server, a timeout, a cancellation, or navra itself. */
  | { readonly kind: "fault"; readonly name: FaultName; readonly stage: string }
  /** A notification went on, or was dropped. */
  | { readonly kind: "delivered" }
  | { readonly kind: "dropped"; readonly name: FaultName; readonly stage: string };

export interface StageTime {
  readonly stage: string;
  /** Milliseconds since the call arrived. */
  readonly at: number;
  readonly ms: number;
}

/** How a person answered, where one was asked. */
export interface Answered {
  readonly answer: "allowed" | "denied" | "expired" | "grant";
  readonly waitedMs: number;
  readonly scope?: string;
}

export interface RecordBody {
  readonly callId: string;
  readonly parent?: string;
  /** `act`: something a person did in navra itself. */
  readonly direction: "out" | "back" | "event" | "act";
  /** Epoch milliseconds at arrival. */
  readonly at: number;
  readonly ms: number;
  readonly principal: Principal;
  readonly place: Place;
  readonly agent: string;
  readonly serverId: string;
  /** Name at the time of the call. */
  readonly serverName: string;
  readonly revision: Revision | null;
  readonly method: string;
  readonly tool?: string;
  /** What the tool was taken to do. */
  readonly class?: ToolClass;
  readonly request: Excerpt;
  readonly reply?: Excerpt;
  readonly decisions: readonly Decision[];
  readonly answered?: Answered;
  /** The same for the reply, where it was held until the person released it. */
  readonly released?: Answered;
  readonly labels?: Labels;
  readonly pin?: string;
  readonly stages: readonly StageTime[];
  readonly outcome: Outcome;
  /** More than one for a burst of refusals that were counted, not recorded one by one. */
  readonly count: number;
}

export interface RecordEntry extends RecordBody {
  /** 1, 2, 3, … without gaps. */
  readonly seq: number;
  /** Hash of the entry before; 64 zeros for the first. */
  readonly prev: string;
  /** SHA-256 hex over `prev`, a newline, and the canonical form of all other members. */
  readonly hash: string;
}
