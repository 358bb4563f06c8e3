/**
 * Policy as data: rules people write, the facts a decision is made from, and the decision with its reasons. Types only;
 * `parse.ts` makes a policy from unknown input, `decide.ts` judges.
 */

import type { GrantScope } from "../consent/approval.ts";
import type { Confidentiality, Integrity, Labels } from "../flow/labels.ts";
import type { Finding } from "../inspect/finding.ts";
import type { ToolClass } from "../servers/server.ts";
import type { JsonObject, JsonValue } from "../wire/json.ts";
import type { Usage } from "./usage.ts";

export type Phase = "request" | "reply" | "event" | "list";
export type Verdict = "allow" | "ask" | "deny";
/** Where a tool's definition stands: as approved, changed since, never approved, or not a tool at all. */
export type PinFact = "approved" | "changed" | "new" | "none";
export type Era = "legacy" | "modern";
export type Day = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";
/** What kind of network a host is in; `metadata` is where clouds hand out credentials. */
export type Net = "loopback" | "private" | "metadata" | "public";

export interface Range {
  readonly atLeast?: number;
  readonly above?: number;
  readonly atMost?: number;
  readonly below?: number;
}

/** Every member that is given must hold. */
export interface UrlShape {
  /** `https`, `http`, … without the colon. */
  readonly scheme?: readonly string[];
  /** A host, or `*.example.org` for every subdomain of example.org (not example.org itself). */
  readonly host?: readonly string[];
  readonly net?: readonly Net[];
}

/** Folders; a path is inside one when it is the folder or below it. */
export interface PathShape {
  readonly inside: readonly string[];
}

/** One condition on the value at a JSON Pointer; exactly one member. */
export type ArgumentCondition =
  | { readonly equals: JsonValue }
  | { readonly pattern: string }
  | { readonly range: Range }
  | { readonly schema: JsonObject }
  | { readonly url: UrlShape }
  | { readonly path: PathShape }
  | { readonly exists: boolean }
  | { readonly not: ArgumentCondition };

export interface LabelsClause {
  readonly integrity?: Integrity;
  readonly confidentiality?: Confidentiality;
  /** Data of one of these servers is in the session; `other`: data of any server but the one addressed. */
  readonly sources?: "other" | readonly string[];
}

/** What a server says of a tool. Absent hints count as the specification's defaults: destructive, open, not read-only. */
export interface Annotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface SizeClause {
  /** UTF-8 bytes of the message. */
  readonly over?: number;
  readonly under?: number;
}

/** The person's own clock. `from` after `to` spans midnight; with `days` it belongs to the day it began. */
export interface TimeClause {
  readonly days?: readonly Day[];
  /** `HH:MM` */
  readonly from?: string;
  /** `HH:MM`, exclusive. */
  readonly to?: string;
}

/** The site has already made this many calls in the time before. */
export interface RateClause {
  /** `20/min`, `5/10s`, `100/h` */
  readonly over: string;
  /** Which calls count: of the same tool, of the same server, or all of the site's. */
  readonly of: "tool" | "server" | "site";
}

/** An earlier call of the site's that went through, and matches every member given. */
export interface AfterClause {
  readonly server?: readonly string[];
  readonly tool?: readonly string[];
  readonly class?: readonly ToolClass[];
  /** `30min`, `24h` at most. */
  readonly within: string;
}

/** So many refusals (by policy or by the person) in the time before: a cool-down. */
export interface RefusalsClause {
  readonly atLeast: number;
  readonly within: string;
}

export interface When {
  /** Exact origins, `https://*.host` for subdomains of host (not host itself), or loopback http with `:*` for any port. */
  readonly origin?: readonly string[];
  readonly topSite?: readonly string[];
  /** `embedded`: a frame inside another site's page. */
  readonly frame?: "top" | "embedded";
  readonly private?: boolean;
  readonly direction?: "out" | "back";
  readonly era?: Era;
  /** Server ids. */
  readonly server?: readonly string[];
  /** Tool names; `*` stands for any run of characters. */
  readonly tool?: readonly string[];
  readonly prompt?: readonly string[];
  /** Addresses of resources in canonical form; `*` stands for any run of characters. */
  readonly uri?: readonly string[];
  readonly method?: readonly string[];
  readonly class?: readonly ToolClass[];
  /** Only in rules that ask or deny: a server's word may tighten and never widen. */
  readonly annotations?: Annotations;
  readonly pin?: readonly PinFact[];
  /** All pointers must hold. */
  readonly args?: Readonly<Record<string, ArgumentCondition>>;
  readonly labels?: LabelsClause;
  /** A kind (`secret`) or an exact type (`secret.github-token`). Any of the list. */
  readonly findings?: readonly string[];
  readonly size?: SizeClause;
  readonly time?: TimeClause;
  readonly rate?: RateClause;
  readonly after?: AfterClause;
  /** The last so many calls of the site's were all of this tool on this server. */
  readonly inARow?: number;
  readonly refusals?: RefusalsClause;
}

export interface Obligations {
  /** Finding kinds or types to replace before the payload goes on. */
  readonly redact?: readonly string[];
  /** `5/min`: further calls that this rule matches are denied, per site and server. */
  readonly rate?: string;
  /** The widest grant that an answer to this question may leave behind. */
  readonly grant?: GrantScope;
  /** Seconds the server has to answer. */
  readonly timeout?: number;
  /** A sentence for the agent with the refusal. */
  readonly say?: string;
}

export interface Rule {
  readonly id: string;
  readonly verdict: Verdict;
  /** Higher goes first; −1000…1000. */
  readonly priority: number;
  readonly on: readonly Phase[];
  readonly when: When;
  readonly do?: Obligations;
  readonly mode: "enforce" | "audit" | "off";
  /** Last day it holds, `YYYY-MM-DD`. */
  readonly expires?: string;
  /** Why it is there, for example the call it was made from. */
  readonly note?: string;
}

/** What decides where no rule speaks; the last, always visible row. */
export interface DefaultRow {
  /** Tools that only read. */
  readonly read: Verdict;
  /** Every other tool. */
  readonly other: Verdict;
}

/** A whole policy as it is written, shared and kept. */
export interface PolicyDocument {
  readonly version: 1;
  /** The preset or profile it began as. */
  readonly profile?: string;
  readonly default: DefaultRow;
  readonly rules: readonly Rule[];
}

/** What an organisation sets. It has no default row: where none of its rules match, it has no opinion. */
export interface ManagedDocument {
  readonly version: 1;
  readonly rules: readonly Rule[];
}

/** `unreadable`: there is a managed policy and nobody can tell what it wants; then nothing passes. */
export type ManagedLayer = ManagedDocument | "unreadable";

export type Layer = "managed" | "person";

export interface Facts {
  /** A server's form, on its way to the agent, asks for what servers may not ask for in a form. */
  readonly asksSecret?: boolean;
  readonly phase: Phase;
  /** Epoch milliseconds. The only clock a decision knows. */
  readonly now: number;
  /** Minutes local time is ahead of UTC (60 for UTC+1), for the day a rule expires; 0 when absent. */
  readonly utcOffsetMinutes?: number;
  readonly direction: "out" | "back";
  readonly origin: string;
  readonly topSite: string;
  readonly private: boolean;
  readonly serverId: string;
  readonly method: string;
  readonly era?: Era;
  readonly tool?: string;
  readonly prompt?: string;
  readonly uri?: string;
  readonly class?: ToolClass;
  readonly annotations?: Annotations;
  readonly args?: JsonValue;
  /** Absent in the list phase. */
  readonly findings?: readonly Finding[];
  readonly labels?: Labels;
  readonly pin: PinFact;
  readonly bytes: number;
  /** What this site did before, oldest first. Only in the request phase. */
  readonly usage?: Usage;
}

/** Why a verdict came out: a rule of the person's or of the managed policy, or a row of ours. */
export interface Reason {
  /** Rule id, `managed:<id>`, `rate:<rule>`, `error:<rule>`, or a row of ours (`default:read`, … in `baseline.ts`). */
  readonly rule: string;
  readonly verdict: Verdict;
  readonly priority: number;
  readonly mode: "enforce" | "audit";
  /** A sentence of ours for the person. Never sent to a page. */
  readonly sentence: string;
}

export interface Decision {
  readonly phase: Phase;
  readonly verdict: Verdict;
  /** The deciding reasons first, then what else matched. Never empty. */
  readonly reasons: readonly Reason[];
  /** Union of what every matching enforced rule wants replaced. */
  readonly redact: readonly string[];
  /** The asker's lists do not show what it asks for, so it hears what it would hear of something that is not there. */
  readonly hidden?: true;
  /** What the deciding rule wants said to the agent. */
  readonly say?: string;
  /** The narrowest of what the rules that ask allow to be remembered. */
  readonly grant?: GrantScope;
  /** The shortest time any matching enforced rule gives the server, in seconds. */
  readonly timeout?: number;
  /** Matching enforced rules that count their calls; noted with the call once it passes. */
  readonly rated?: readonly string[];
}
