/**
 * What waits for the person. An approval is bound to the digest of exactly what is shown; it survives the worker's death;
 * it is answered once. One that comes after the agent gave up becomes a single-use grant for the same digest.
 */
import type { AskedSecrets } from "../elicit/flagged.ts";
import type { FormField } from "../elicit/form.ts";
import type { ValueKind } from "../flow/distinctive.ts";
import type { Labels } from "../flow/labels.ts";
import type { Finding } from "../inspect/finding.ts";
import type { Place, Principal } from "../principal.ts";
import type { ServerEntry, ToolClass } from "../servers/server.ts";
import type { JsonObject } from "../wire/json.ts";
import type { ArgumentChange } from "./changes.ts";

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
  /** UTF-8 bytes of that text. */
  readonly bytes: number;
  /** SHA-256 hex of that text alone, so that anyone can check it. */
  readonly argumentsDigest: string;
  /** What the session has read so far: how far it can be trusted and how far it may travel. */
  readonly labels: Labels;
  /** The servers it was read from, by the person's own names. */
  readonly sources: readonly DataSource[];
  /** Where values of single arguments stood before; an argument that is not named matched nothing. */
  readonly origins: readonly ArgumentOrigin[];
  /** What detectors saw in the arguments; pointers begin at the arguments. */
  readonly findings: readonly Pick<Finding, "kind" | "type" | "path">[];
  /** Against the last call of this tool that the person approved for this site; absent for the first. */
  readonly since?: SinceApproved;
  /** Canonical definition of the tool at the time of asking; empty where the method has none. */
  readonly pinText: string;
  /** Sentences of ours, one for each rule or label that asks. */
  readonly reasons: readonly string[];
  /** The rules behind the reasons, in the same order; a grant covers these and no others. */
  readonly rules: readonly string[];
  /** The widest answer that policy lets count; absent where it sets no bound. */
  readonly widest?: GrantScope;
}

export interface DataSource {
  readonly name: string;
  readonly trust: ServerEntry["trust"];
}

/** Answers of servers in which values of one argument stood, those of untrusted servers first. */
export interface ArgumentOrigin {
  readonly name: string;
  readonly from: readonly {
    /** The server's name by the person; empty for one that is gone. */
    readonly server: string;
    readonly trust: ServerEntry["trust"];
    readonly tool: string;
    readonly at: number;
    readonly kinds: readonly ValueKind[];
    /** Whether the argument is nothing else. */
    readonly whole: boolean;
  }[];
  /** How many answers are not named. */
  readonly more: number;
}

export interface SinceApproved {
  /** When that call was made. */
  readonly at: number;
  /** One for each argument that is not as it was; absent where one of the two is too long to compare. */
  readonly changes?: readonly ArgumentChange[];
}

/**
 * A server's own question to the person, in navra's window: a form to be filled, or a page to be opened. It lives with the
 * call it belongs to: nobody hears an answer that comes after that, so it is neither stored nor kept.
 */
export interface QuestionApproval extends ApprovalBase {
  readonly kind: "question";
  readonly callId: string;
  readonly serverId: string;
  readonly serverName: string;
  /** The tool whose call is open at the server; empty where it asks outside any. */
  readonly tool: string;
  /** The server's own text. */
  readonly message: string;
  readonly ask: QuestionAsk;
}

export type QuestionAsk =
  | { readonly mode: "form"; readonly fields: readonly FormField[]; readonly secrets: AskedSecrets }
  /** `open`: may it be opened. `after`: it was, and the person says when they are done there. */
  | { readonly mode: "url"; readonly url: string; readonly step: "open" | "after" };

/** What the person answers to a question. */
export interface QuestionReply {
  readonly content?: JsonObject;
  /** Flagged fields that the person chose to answer all the same. */
  readonly confirmed?: readonly string[];
  /** Of a no: not this question is refused, everything it belongs to is given up. */
  readonly cancel?: boolean;
}

/**
 * An answer that is held until the person releases it: the call was made, nothing of it has reached who asked. It ends with
 * its call and never outlives it, because what is held is in the worker's memory and nowhere else.
 */
export interface ReplyApproval extends ApprovalBase {
  readonly kind: "reply";
  readonly callId: string;
  readonly serverId: string;
  readonly serverName: string;
  /** `out`: a server answered the site; `back`: the site answered the server. */
  readonly direction: "out" | "back";
  readonly method: string;
  readonly tool: string;
  /** What would be given on, from its beginning, as JSON text. */
  readonly resultText: string;
  /** There is more of it than is shown. */
  readonly cut: boolean;
  /** UTF-8 bytes of the whole. */
  readonly bytes: number;
  /** What detectors saw in the whole. */
  readonly findings: readonly Pick<Finding, "kind" | "type">[];
  readonly reasons: readonly string[];
  readonly rules: readonly string[];
}

export type Approval = ConnectApproval | CallApproval | ReplyApproval | QuestionApproval;

/** How far an allowed call approval reaches. */
export const GRANT_SCOPES = ["once", "values", "session", "tool"] as const;
export type GrantScope = (typeof GRANT_SCOPES)[number];

/** What the person chose beside the scope; only `tool` and `values` have a choice. */
export interface GrantWish {
  /** For `values`: the arguments that must stay as they are. */
  readonly values?: readonly string[];
  /** Milliseconds it lasts, or null for "until taken back". */
  readonly lastsMs: number | null;
  /** How many calls it answers, or null for any number. */
  readonly uses: number | null;
}

/** Which arguments a grant answers for. */
export interface GrantArguments {
  /** Name to the canonical text of the value it must have. */
  readonly fixed: Readonly<Record<string, string>>;
  /** Every name that was there when it was given; a call with another argument is not covered. */
  readonly names: readonly string[];
}

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
  /** Only for `values`. */
  readonly args?: GrantArguments;
  /** The rules whose question it answers; our default row needs no mention. */
  readonly rules: readonly string[];
  /** Servers the session had read from when it was given. */
  readonly sources: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** How many calls it still answers, or null for any number. */
  readonly usesLeft: number | null;
  readonly used: number;
  readonly usedAt?: number;
}

/** A site's connection to one server: the tools left ticked, nothing else. */
export interface Connection {
  readonly principal: Principal;
  readonly serverId: string;
  readonly tools: readonly string[];
  readonly connectedAt: number;
}
