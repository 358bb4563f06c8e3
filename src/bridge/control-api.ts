/**
 * What navra's own pages may ask of the worker: one typed map, and for each door the part of it that it needs. The worker
 * checks both the door and the method; a page of ours that is not listed for a method cannot call it.
 */
import type { Approval, Connection, Grant, GrantScope } from "../core/consent/approval.ts";
import type { Pin } from "../core/pins/pin.ts";
import type { Rule, Verdict } from "../core/policy/policy.ts";
import type { RuleProblem } from "../core/policy/problem.ts";
import type { Topic } from "../core/ports.ts";
import type { Principal } from "../core/principal.ts";
import type { ChainState } from "../core/recorder/chain.ts";
import type { Outcome, RecordEntry } from "../core/recorder/entry.ts";
import type { Catalogue, Health, ServerEntry, ToolClass } from "../core/servers/server.ts";
import type { ControlDoor } from "./doors.ts";

/** Open-ended or timed pause; calls are refused while it lasts. */
export interface Pause {
  /** Epoch milliseconds, or null for "until switched on". */
  readonly until: number | null;
  readonly since: number;
}

export interface ToolView {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly class: ToolClass;
  readonly ticked: boolean;
  readonly pin: "approved" | "changed" | "new";
  /** What the policy says of calling it from this site now, before arguments are known. */
  readonly verdict: Verdict;
}

export interface SiteServerView {
  readonly id: string;
  readonly name: string;
  readonly health: Health;
  readonly connected: boolean;
  readonly tools: readonly ToolView[];
}

export interface CallView {
  readonly callId: string;
  /** 0 while open. */
  readonly seq: number;
  readonly at: number;
  readonly ms: number;
  readonly origin: string;
  readonly serverName: string;
  readonly method: string;
  readonly tool?: string;
  readonly verdict: Verdict | null;
  readonly outcome: Outcome | { readonly kind: "open"; readonly stage: string };
  /** Why, as a sentence. */
  readonly why: string;
  readonly count: number;
}

export interface SiteView {
  /** Absent where no agent can connect: browser pages, plain http, `file:`. */
  readonly principal?: Principal;
  readonly tabUrl: string;
  /** Whether the browser lets navra work on this site. */
  readonly access: boolean;
  readonly pause: Pause | null;
  readonly servers: readonly SiteServerView[];
  readonly rules: readonly Rule[];
  /** Newest first, at most 20. */
  readonly calls: readonly CallView[];
  readonly approvals: readonly Approval[];
  /** Since midnight, local time. */
  readonly counts: { readonly allowed: number; readonly asked: number; readonly denied: number };
  /** Server id to name, for rules. */
  readonly serverNames: Readonly<Record<string, string>>;
  /** Whether records and rules can be saved right now; a sentence when not. */
  readonly trouble?: string;
}

export interface ServerView {
  readonly server: ServerEntry;
  readonly health: Health;
  readonly catalogue?: Catalogue;
  readonly connections: readonly Connection[];
  readonly pins: readonly Pin[];
}

export interface ServerDraft {
  readonly name: string;
  readonly url: string;
  readonly trust: "trusted" | "untrusted";
}

export interface OverviewView {
  readonly pause: Pause | null;
  readonly servers: number;
  readonly connections: readonly Connection[];
  readonly grants: readonly Grant[];
  readonly approvals: readonly Approval[];
  readonly changedTools: readonly Pin[];
  readonly calls: readonly CallView[];
  readonly trouble?: string;
}

/** Every control method: what it takes and gives. */
export interface ControlApi {
  "site.read": (p: { readonly tabId: number }) => SiteView;
  "site.connect": (p: {
    readonly principal: Principal;
    readonly serverId: string;
    readonly tools: readonly string[];
  }) => null;
  "site.disconnect": (p: { readonly principal: Principal; readonly serverId: string }) => null;
  /** Labels of this site's session go back to clean; recorded. */
  "site.new-task": (p: { readonly principal: Principal }) => null;
  "rule.save": (p: { readonly rule: unknown }) => { readonly problems: readonly RuleProblem[] };
  "rule.delete": (p: { readonly id: string }) => null;
  /** The person's whole rule list as JSON text with server names, and back. */
  "rules.read": (p: null) => {
    readonly rules: readonly Rule[];
    readonly text: string;
    readonly serverNames: Readonly<Record<string, string>>;
  };
  "rules.write": (p: { readonly text: string }) => { readonly problems: readonly RuleProblem[] };
  "pause.set": (p: { readonly pause: { readonly until: number | null } | null }) => null;
  "approvals.read": (p: null) => { readonly approvals: readonly Approval[] };
  "approval.open": (p: { readonly id: string }) => null;
  "approval.read": (p: { readonly id: string }) => {
    readonly approval: Approval | null;
    readonly waiting: number;
    readonly pinned: string | null;
  };
  "approval.answer": (p: {
    readonly id: string;
    readonly digest: string;
    readonly answer: "allow" | "deny";
    readonly scope: GrantScope;
    /** For connect: server id to the tools left ticked; servers left out are not connected. */
    readonly tools?: Readonly<Record<string, readonly string[]>>;
  }) => { readonly state: "done" | "changed" | "gone" };
  "servers.read": (p: null) => { readonly servers: readonly ServerView[] };
  "server.add": (p: { readonly draft: ServerDraft }) => { readonly server?: ServerEntry; readonly problem?: string };
  "server.update": (p: {
    readonly id: string;
    readonly trust?: "trusted" | "untrusted";
    readonly enabled?: boolean;
    readonly hideOrigin?: boolean;
  }) => null;
  "server.remove": (p: { readonly id: string }) => null;
  /** Connects afresh and lists the tools. */
  "server.test": (p: { readonly id: string }) => { readonly health: Health; readonly catalogue?: Catalogue };
  "pin.approve": (p: { readonly serverId: string; readonly tool: string; readonly pending: string }) => {
    readonly state: "done" | "changed";
  };
  "grant.revoke": (p: { readonly id: string }) => null;
  "overview.read": (p: null) => OverviewView;
  "records.page": (p: { readonly before?: number; readonly limit: number }) => {
    readonly entries: readonly RecordEntry[];
  };
  "records.verify": (p: null) => ChainState;
  "panel.calls": (p: { readonly tabId: number }) => {
    readonly calls: readonly CallView[];
    readonly pause: Pause | null;
  };
  "panel.call": (p: { readonly tabId: number; readonly callId: string }) => { readonly entry: RecordEntry | null };
}

export type ControlMethod = keyof ControlApi;
export type ControlParams<M extends ControlMethod> = Parameters<ControlApi[M]>[0];
export type ControlResult<M extends ControlMethod> = ReturnType<ControlApi[M]>;

/** A door's part of the map is its whole authority. */
export const DOOR_METHODS: Readonly<Record<ControlDoor, readonly ControlMethod[]>> = {
  popup: [
    "site.read",
    "site.connect",
    "site.disconnect",
    "site.new-task",
    "rule.save",
    "rule.delete",
    "pause.set",
    "approvals.read",
    "approval.open",
  ],
  dashboard: [
    "overview.read",
    "servers.read",
    "server.add",
    "server.update",
    "server.remove",
    "server.test",
    "pin.approve",
    "rules.read",
    "rules.write",
    "rule.save",
    "rule.delete",
    "pause.set",
    "records.page",
    "records.verify",
    "grant.revoke",
    "site.disconnect",
    "approvals.read",
    "approval.open",
  ],
  consent: ["approval.read", "approval.answer"],
  panel: ["panel.calls", "panel.call"],
};

/** Over a control port. The worker answers each ask once and says which topics changed. */
export interface ControlAsk {
  readonly ask: number;
  readonly method: ControlMethod;
  readonly params: unknown;
}
export type ControlAnswer =
  | { readonly ask: number; readonly result: unknown }
  | { readonly ask: number; readonly problem: string };
export interface ControlNews {
  readonly changed: readonly Topic[];
}
