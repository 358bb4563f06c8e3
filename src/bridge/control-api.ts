/**
 * What navra's own pages may ask of the worker: one typed map, and for each door the part of it that it needs. The worker
 * checks both the door and the method; a page of ours that is not listed for a method cannot call it.
 */
import type { Annoyance, RowName } from "../core/consent/annoyance.ts";
import type { Approval, Connection, Grant, GrantScope, GrantWish, QuestionReply } from "../core/consent/approval.ts";
import type { PauseScope } from "../core/consent/pause.ts";
import type { AnswerProblem } from "../core/elicit/answer.ts";
import type { SetLimits } from "../core/limits.ts";
import type { Pin } from "../core/pins/pin.ts";
import type { Rule, Verdict } from "../core/policy/policy.ts";
import type { Topic } from "../core/ports.ts";
import type { Principal } from "../core/principal.ts";
import type { ChainState } from "../core/recorder/chain.ts";
import type { Outcome, RecordEntry } from "../core/recorder/entry.ts";
import type { Catalogue, Health, QuestionWay, ServerEntry, ToolClass } from "../core/servers/server.ts";
import type { ControlDoor } from "./doors.ts";
import type { Check, Proposal } from "./native.ts";
import type { HostState, LocalLog, LocalView } from "./native-view.ts";
import type { ManagedView, PolicyApi, RuleChangeView } from "./policy-api.ts";

/** Open-ended or timed pause; calls are refused while it lasts. */
export interface Pause {
  /** Epoch milliseconds, or null for "until switched on". */
  readonly until: number | null;
  readonly since: number;
  /** The origin of the one site, or the id of the one server, that is paused; with neither, everything is. */
  readonly site?: string;
  readonly serverId?: string;
}

/** A standing answer as lists show it. */
export interface GrantView {
  readonly grant: Grant;
  /** The tool is no longer the one it was given for; it answers nothing until the person takes it back or the tool is. */
  readonly suspended: boolean;
  /** For `values`: the arguments it holds for, in the words of a rule. */
  readonly pattern?: string;
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
  /** The sentence of the reason that decides. */
  readonly why: string;
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
  /** Pauses of this site or of single servers. */
  readonly pauses: readonly Pause[];
  readonly grants: readonly GrantView[];
  readonly servers: readonly SiteServerView[];
  readonly rules: readonly Rule[];
  /** What an organisation set; of its rules, those that apply here. */
  readonly managed: ManagedView;
  /** The newest change of a rule, while it is recent enough to be taken back by one press. */
  readonly lastChange: RuleChangeView | null;
  /** Newest first, at most 20. */
  readonly calls: readonly CallView[];
  readonly approvals: readonly Approval[];
  /** Since midnight, local time. */
  readonly counts: { readonly allowed: number; readonly asked: number; readonly denied: number };
  /** Server id to name, for rules. */
  readonly serverNames: Readonly<Record<string, string>>;
  /** Whether records and rules can be saved right now; a sentence when not. */
  readonly trouble?: string;
  /** The helper for local servers, where one is registered and the helper is not as it should be. */
  readonly helper?: HostState;
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
  /** Pauses of single sites and servers. */
  readonly pauses: readonly Pause[];
  readonly servers: number;
  readonly connections: readonly Connection[];
  readonly grants: readonly Grant[];
  readonly approvals: readonly Approval[];
  readonly changedTools: readonly Pin[];
  readonly calls: readonly CallView[];
  readonly managed: ManagedView;
  readonly trouble?: string;
}

/** Every control method: what it takes and gives. */
export interface ControlApi extends PolicyApi {
  "site.read": (p: { readonly tabId: number }) => SiteView;
  "site.connect": (p: {
    readonly principal: Principal;
    readonly serverId: string;
    readonly tools: readonly string[];
  }) => null;
  "site.disconnect": (p: { readonly principal: Principal; readonly serverId: string }) => null;
  /** Labels of this site's session go back to clean; recorded. */
  "site.new-task": (p: { readonly principal: Principal }) => null;
  "pause.set": (p: {
    readonly pause: { readonly until: number | null } | null;
    /** Everything, when absent. */
    readonly scope?: PauseScope;
  }) => null;
  "approvals.read": (p: null) => { readonly approvals: readonly Approval[] };
  "approval.open": (p: { readonly id: string }) => null;
  "approval.read": (p: { readonly id: string }) => {
    readonly approval: Approval | null;
    /** Questions that wait, this one among them; identical calls are one question. */
    readonly waiting: number;
    readonly pinned: string | null;
    /** Waiting calls that are identical to this one; an answer that names them answers them too. */
    readonly alike: readonly string[];
    /** Origins of other sites that the person connected or allowed something, for comparing names. */
    readonly known: readonly string[];
  };
  "approval.answer": (p: {
    readonly id: string;
    readonly digest: string;
    readonly answer: "allow" | "deny";
    readonly scope: GrantScope;
    /** Identical calls that were shown together with it. */
    readonly also?: readonly string[];
    readonly grant?: GrantWish;
    /** For connect: server id to the tools left ticked; servers left out are not connected. */
    readonly tools?: Readonly<Record<string, readonly string[]>>;
    /** For a server's question: the answer itself, or that the whole call is given up. */
    readonly reply?: QuestionReply;
  }) => {
    readonly state: "done" | "changed" | "gone" | "unfit";
    /** What of an answer that does not fit is at fault; the question waits on. */
    readonly problems?: readonly AnswerProblem[];
  };
  /** Opens the page of a server's question once more, after the person allowed it. */
  "page.open": (p: { readonly id: string }) => null;
  "servers.read": (p: null) => { readonly servers: readonly ServerView[] };
  "server.add": (p: { readonly draft: ServerDraft }) => { readonly server?: ServerEntry; readonly problem?: string };
  "server.update": (p: {
    readonly id: string;
    readonly trust?: "trusted" | "untrusted";
    readonly enabled?: boolean;
    readonly hideOrigin?: boolean;
    readonly questions?: QuestionWay;
    readonly openToPages?: boolean;
  }) => null;
  "server.remove": (p: { readonly id: string }) => null;
  /** Connects afresh and lists the tools. */
  "server.test": (p: { readonly id: string }) => { readonly health: Health; readonly catalogue?: Catalogue };
  "pin.approve": (p: { readonly serverId: string; readonly tool: string; readonly pending: string }) => {
    readonly state: "done" | "changed";
  };
  /** What the person set; every other limit has its usual value. */
  "limits.read": (p: null) => { readonly limits: SetLimits };
  /** All that is set from now on. */
  "limits.write": (p: { readonly limits: unknown }) => { readonly problem?: string };
  "grants.read": (p: null) => { readonly grants: readonly GrantView[] };
  /** The helper for local servers and its list, asked afresh. */
  "local.read": (p: null) => LocalView;
  /** Asks the helper again, and says how it does. */
  "local.check": (p: null) => HostState;
  "local-log.read": (p: { readonly name: string }) => LocalLog;
  "local-checks.read": (p: null) => { readonly checks: readonly Check[] };
  /** Only stored by the helper, until the person has looked at it in a terminal, where the same four words stand. */
  "local.propose": (p: { readonly proposal: Proposal }) => { readonly words: string } | { readonly problem: string };
  "local.withdraw": (p: { readonly name: string }) => null;
  /** Ends its runs and forgets its crashes. */
  "local.restart": (p: { readonly name: string }) => null;
  "grant.revoke": (p: { readonly id: string }) => null;
  /** How often the person was asked lately, by rule and site, and what would spare them. */
  "asks.read": (p: null) => Annoyance;
  /** Does what would spare the questions of one row; gives what takes it back, or says why nothing was done. */
  "asks.spare": (p: RowName) => { readonly grant: string } | { readonly rule: string } | { readonly problem: string };
  "overview.read": (p: null) => OverviewView;
  "records.page": (p: { readonly before?: number; readonly limit: number }) => {
    readonly entries: readonly RecordEntry[];
  };
  "records.verify": (p: null) => ChainState;
  "panel.calls": (p: { readonly tabId: number }) => {
    readonly calls: readonly CallView[];
    readonly pause: Pause | null;
  };
  "panel.call": (p: { readonly tabId: number; readonly callId: string }) => {
    readonly entry: RecordEntry | null;
    /** What the local server wrote beside its messages, where the call went to one that the helper knows. */
    readonly wrote?: LocalLog;
  };
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
    "policy.read",
    "rules.undo",
    "pause.set",
    "grant.revoke",
    "approvals.read",
    "approval.open",
    "local.check",
  ],
  dashboard: [
    "overview.read",
    "servers.read",
    "server.add",
    "server.update",
    "server.remove",
    "server.test",
    "local.read",
    "local-log.read",
    "local-checks.read",
    "local.propose",
    "local.withdraw",
    "local.restart",
    "pin.approve",
    "rules.read",
    "rules.write",
    "policy.read",
    "facts.read",
    "rules.default",
    "rules.history",
    "rules.undo",
    "rules.preset",
    "rules.export",
    "rules.import",
    "rule.save",
    "rule.delete",
    "pause.set",
    "records.page",
    "records.verify",
    "limits.read",
    "limits.write",
    "grants.read",
    "grant.revoke",
    "asks.read",
    "asks.spare",
    "site.disconnect",
    "site.new-task",
    "approvals.read",
    "approval.open",
  ],
  consent: ["approval.read", "approval.answer", "page.open"],
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
