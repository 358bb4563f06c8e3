/**
 * Policy as data: rules people write, the facts a decision is made from, and the decision with its reasons. Types only;
 * `parse.ts` makes a policy from unknown input, `decide.ts` judges.
 */

import type { Confidentiality, Integrity, Labels } from "../flow/labels.ts";
import type { Finding } from "../inspect/finding.ts";
import type { ToolClass } from "../servers/server.ts";
import type { JsonValue } from "../wire/json.ts";

export type Phase = "request" | "reply" | "event" | "list";
export type Verdict = "allow" | "ask" | "deny";

/** One condition on the value at a JSON Pointer; exactly one member. */
export type ArgumentCondition =
  | { readonly equals: JsonValue }
  | { readonly pattern: string }
  | { readonly exists: boolean }
  | { readonly not: ArgumentCondition };

export interface When {
  /** Exact origins, or `https://*.host` for subdomains of host (not host itself). Any of the list. */
  readonly origin?: readonly string[];
  readonly topSite?: readonly string[];
  /** Server ids. */
  readonly server?: readonly string[];
  /** Tool names; `*` stands for any run of characters. */
  readonly tool?: readonly string[];
  readonly method?: readonly string[];
  readonly class?: readonly ToolClass[];
  /** All pointers must hold. */
  readonly args?: Readonly<Record<string, ArgumentCondition>>;
  readonly labels?: { readonly integrity?: Integrity; readonly confidentiality?: Confidentiality };
  /** A kind (`secret`) or an exact type (`secret.github-token`). Any of the list. */
  readonly findings?: readonly string[];
}

export interface Obligations {
  /** Finding kinds or types to replace before the payload goes on. */
  readonly redact?: readonly string[];
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
  readonly note?: string;
}

export interface Facts {
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
  readonly tool?: string;
  readonly class?: ToolClass;
  readonly args?: JsonValue;
  /** Absent in the list phase. */
  readonly findings?: readonly Finding[];
  readonly labels?: Labels;
  readonly pin: "approved" | "changed" | "new" | "none";
  readonly bytes: number;
}

/** Why a verdict came out: a rule of the person's, or a row of ours. */
export interface Reason {
  /** Rule id, a row of ours (`default:read`, `flow:untrusted-write`, … in `baseline.ts`), or `error:<rule id>`. */
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
  /** What the deciding rule wants said to the agent. */
  readonly say?: string;
}
