/**
 * Every difference there is between an agent that speaks to a server itself and one that speaks to it through navra, with
 * its reason. A row says where it applies and takes its difference out of what was seen, on one side or on both; what is
 * left must be equal. A row that finds nothing to take out anywhere is wrong, and the test says so.
 */
import { TRACE } from "./script.ts";
import type { Posted } from "./serve.ts";

export interface Seen {
  readonly step: string;
  /** `result`, or of an error what the agent can read. */
  readonly outcome: unknown;
  /** Notifications and questions that came meanwhile. */
  readonly heard: readonly { readonly method: string; readonly params?: unknown }[];
  /** What the client was handed, as it came over its transport. */
  readonly frames: readonly unknown[];
  /** What the server was sent. */
  readonly posted: readonly Posted[];
}

/** How the two sides meet through navra: in the same era, or with the agent the older one, or the newer one. */
export type Meeting = "same, in sessions" | "same, of 2026-07-28" | "older agent" | "newer agent";

export interface Difference {
  readonly what: string;
  readonly why: string;
  readonly where: readonly Meeting[];
  /** By name; every step where absent. */
  readonly steps?: readonly string[];
  /** Takes it out of what was seen directly, and of what was seen through navra. */
  readonly direct?: (seen: Seen) => Seen;
  readonly through?: (seen: Seen) => Seen;
}

const ALL: readonly Meeting[] = ["same, in sessions", "same, of 2026-07-28", "older agent", "newer agent"];
const SESSIONS: readonly Meeting[] = ["same, in sessions"];
const MODERN: readonly Meeting[] = ["same, of 2026-07-28"];
const OLDER: readonly Meeting[] = ["older agent"];
const NEWER: readonly Meeting[] = ["newer agent"];
const ACROSS: readonly Meeting[] = [...OLDER, ...NEWER];

const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** Steps whose calls navra answers itself. */
const OWN_ANSWERS = ["a tool that is not there", "a call that says too little", "a method that is not there"];
const LIST_STEPS = ["connecting", "the pages of tools", "a cursor that is none"];
const LOOKS = new Set(["tools/list", "server/discover"]);
const SUBSCRIPTIONS = [
  "changes of a resource",
  "a change of the list of tools",
  "a change of the list of prompts",
  "a change of the list of resources",
];

export const DIFFERENCES: readonly Difference[] = [
  both({
    what: "ids and progress tokens of what is posted",
    why: "navra owns them: agents that know nothing of each other share a server.",
    where: ALL,
    change: (seen) => ({
      ...seen,
      posted: seen.posted.map((one) => {
        const { id: _id, jsonrpc: _version, ...rest } = one as Posted & { jsonrpc?: string };
        return without(rest, (key, value) => (key === "progressToken" || key === "requestId" ? "…" : value)) as Posted;
      }),
    }),
  }),
  both({
    what: "ids of what the client is handed",
    why: "Questions get an id of navra's; replies have the agent's own, and how it counts is its own affair.",
    where: ALL,
    change: (seen) => ({ ...seen, frames: seen.frames.map((frame) => ({ ...(frame as object), id: undefined })) }),
  }),
  both({
    what: "frames of the agent's own era",
    why: "Across the eras only what the client makes of them is compared.",
    where: ACROSS,
    change: (seen) => ({ ...seen, frames: [] }),
  }),
  both({
    what: "the words and data of an error that navra finds before the server does",
    why: "A name that is not in the list, a parameter that is no string and an unknown method are refused in navra's words; the code is the same.",
    where: ALL,
    steps: OWN_ANSWERS,
    change: (seen) => ({ ...seen, outcome: { code: codeOf(seen) }, frames: [] }),
  }),
  {
    what: "the code for a call that says too little",
    why: "A server of the package v1 takes its own parser's failure for an internal error (−32603); the protocol's code is −32602.",
    where: ALL,
    steps: ["a call that says too little"],
    direct: (seen) => (codeOf(seen) === -32603 ? { ...seen, outcome: { code: -32602 } } : seen),
  },
  {
    what: "the code for a method that is not there",
    why: "Over HTTP the client v2 turns the status of that answer into an error of its own; a page's channel has no status.",
    where: MODERN,
    steps: ["a method that is not there"],
    direct: (seen) => ({ ...seen, outcome: { code: -32601 } }),
  },
  both({
    what: "the order of calls at the same time",
    why: "Each has a connection of its own; which is faster is chance.",
    where: ALL,
    steps: ["calls at the same time"],
    change: (seen) => ({ ...seen, frames: sorted(seen.frames), posted: sorted(seen.posted) }),
  }),
  {
    what: "what navra refuses or answers itself is not posted",
    why: "A ping is answered by the gateway, and what is wrong does not leave.",
    where: ALL,
    steps: ["ping", ...OWN_ANSWERS],
    direct: (seen) => ({ ...seen, posted: [] }),
  },
  {
    what: "more lists of tools are asked for",
    why: "The gateway holds the definitions that were approved, and looks when it hears that they changed.",
    where: ALL,
    through: (seen) =>
      LIST_STEPS.includes(seen.step)
        ? seen
        : { ...seen, posted: seen.posted.filter(({ method = "" }) => !LOOKS.has(method)) },
  },
  {
    what: "the reason of a cancellation",
    why: "An agent's words about its own call go no further than navra.",
    where: [...SESSIONS, ...OLDER],
    steps: ["a call that is cancelled"],
    direct: (seen) => ({
      ...seen,
      posted: without(seen.posted, (key, value) => (key === "reason" ? undefined : value)) as Posted[],
    }),
  },
  {
    what: "that roots changed is not told to the server",
    why: "navra does not declare that it tells so: a session belongs to a site, whose agents may each have roots of their own.",
    where: SESSIONS,
    steps: ["roots that changed"],
    direct: (seen) => ({ ...seen, posted: [] }),
  },
  {
    what: "`roots.listChanged` among the capabilities",
    why: "As above; every other capability is passed on as the agent declared it.",
    where: [...SESSIONS, ...MODERN],
    direct: (seen) => ({
      ...seen,
      posted: without(seen.posted, (key, value) => (key === "roots" && !Array.isArray(value) ? {} : value)) as Posted[],
    }),
  },
  both({
    what: "who the client of a session is",
    why: "A session is navra's, for all agents of a site; who asks is in the record.",
    where: SESSIONS,
    steps: ["connecting"],
    change: (seen) => ({
      ...seen,
      posted: without(seen.posted, (key, value) => (key === "clientInfo" ? "…" : value)) as Posted[],
    }),
  }),
  {
    what: "a trace begins",
    why: "Where the agent is in no trace of its own, navra begins one, so that a call can be followed through the server.",
    where: MODERN,
    through: (seen) => ({
      ...seen,
      posted: without(seen.posted, (key, value) =>
        key === "traceparent" && value !== TRACE ? undefined : value,
      ) as Posted[],
    }),
  },
  both({
    what: "who asks for the discovery",
    why: "navra itself, once for all agents of a site; what an agent can do is said with each of its calls.",
    where: MODERN,
    steps: ["connecting"],
    change: (seen) => ({
      ...seen,
      posted: without(seen.posted, (key, value) => (key === "_meta" ? {} : value)) as Posted[],
    }),
  }),
  {
    what: "a notification that ends a subscription",
    why: "Over HTTP the end of the response is the end of the subscription; the client v2 posts it besides.",
    where: MODERN,
    steps: SUBSCRIPTIONS,
    direct: (seen) => ({ ...seen, posted: seen.posted.filter(({ method }) => method !== "notifications/cancelled") }),
  },

  both({
    what: "what the server is sent is of its own era",
    why: "Across the eras the parameters are compared, and of a call in rounds the first; `_meta` and the answers to what the server asks have another form on each side.",
    where: ACROSS,
    change: (seen) => ({ ...seen, posted: seen.step === "connecting" ? [] : seen.posted.flatMap(commonRequest) }),
  }),
  both({
    what: "what a question says besides",
    why: "The package v2 adds a progress token and `mode` to what it asks in a session; an identifier for a page that is to be opened exists only there.",
    where: ACROSS,
    change: (seen) => ({
      ...seen,
      heard: seen.heard.map((one) =>
        one.method === "elicitation/create" || ASKED.has(one.method) ? plainly(one) : one,
      ),
    }),
  }),
  both({
    what: "the code for a resource that is not there",
    why: "−32602 from 2026-07-28 on, −32002 before; the package v2 says −32602 in sessions too.",
    where: ACROSS,
    steps: ["a resource that is not there"],
    change: (seen) => ({
      ...seen,
      outcome: without(seen.outcome, (key, value) =>
        key === "code" ? -32602 : key === "message" ? String(value).replace("-32002", "-32602") : value,
      ),
    }),
  }),
  both({
    what: "the subscription that a change belongs to",
    why: "The newer era names it in each notification. Where that was all, an older agent gets parameters with nothing in them.",
    where: ACROSS,
    steps: SUBSCRIPTIONS,
    change: (seen) => ({
      ...seen,
      heard: seen.heard.map(({ method, params }) => {
        const { _meta: _, ...rest } = (params ?? {}) as Record<string, unknown>;
        return { method, params: rest };
      }),
    }),
  }),
  both({
    what: "the words for a question that the agent failed at",
    why: "The newer era has no way to tell a server that there is no answer, so the call ends where that is found.",
    where: ACROSS,
    steps: ["a question that the agent fails at"],
    change: (seen) => ({ ...seen, outcome: "…" }),
  }),
  both({
    what: "a page that is demanded by an error",
    why: "Only sessions have this error. navra has a newer agent open the page and calls again; the package v2 does not give it to a newer client at all.",
    where: ACROSS,
    steps: ["a page that is demanded by an error"],
    change: (seen) => ({ ...seen, outcome: "…", heard: [] }),
  }),
  {
    what: "that a page which was opened is finished",
    why: "The newer era does not say so; navra tells the agent of a session when the server goes on.",
    where: OLDER,
    steps: ["a page to open: accept"],
    through: (seen) => ({
      ...seen,
      heard: seen.heard.filter(({ method }) => method !== "notifications/elicitation/complete"),
    }),
  },
  {
    what: "that a page is finished",
    why: "The newer era has no identifiers for pages that are to be opened, and no such notification.",
    where: ACROSS,
    steps: ["a page that is finished"],
    direct: (seen) => ({ ...seen, heard: [] }),
  },
  {
    what: "log messages below `info` before a level was set",
    why: "The newer era has log messages only where the request names a level; navra names `info` for a session that has named none.",
    where: OLDER,
    steps: ["log messages without a level"],
    direct: (seen) => ({ ...seen, heard: seen.heard.filter(({ params }) => levelOf(params) !== "debug") }),
  },
  {
    what: "log messages before a level was set",
    why: "In a session the server decides; from 2026-07-28 on there are none unless the request names a level.",
    where: NEWER,
    steps: ["log messages without a level"],
    direct: (seen) => ({ ...seen, heard: [] }),
  },
  both({
    what: "the level is set by a request",
    why: "From 2026-07-28 on each request names its own; the agent does so in the step after.",
    where: NEWER,
    steps: ["the level of log messages"],
    change: (seen) => ({ ...seen, outcome: "…", posted: [] }),
  }),
  both({
    what: "ping and changed roots",
    why: "The newer era has neither, so the client itself refuses to send them.",
    where: NEWER,
    steps: ["ping", "roots that changed"],
    change: (seen) => ({ ...seen, outcome: "…", posted: [] }),
  }),
  {
    what: "members that the newer era demands in each result",
    why: "navra adds the server's name, and that nothing of an older server may be kept.",
    where: NEWER,
    through: (seen) => ({ ...seen, outcome: without(seen.outcome, dropNewer) }),
  },
];

const ASKED = new Set(["sampling/createMessage", "roots/list"]);

interface Both extends Omit<Difference, "direct" | "through"> {
  readonly change: (seen: Seen) => Seen;
}

function both({ change, ...row }: Both): Difference {
  return { ...row, direct: change, through: change };
}

function codeOf({ outcome }: Seen): unknown {
  const { error, code } = outcome as { error?: { code?: unknown }; code?: unknown };
  return error?.code ?? code;
}

function levelOf(params: unknown): unknown {
  return (params as { level?: unknown } | undefined)?.level;
}

/** A copy in which each member is what `change` makes of it; one that becomes undefined is gone. */
function without(value: unknown, change: (key: string, value: unknown) => unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value, (key, one) => change(key, one)));
}

function sorted<Item>(items: readonly Item[]): readonly Item[] {
  return [...items].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}

function commonRequest({ method, params = {} }: Posted): readonly Posted[] {
  if (method === undefined || params.inputResponses !== undefined || NOT_COMMON.test(method)) return [];
  const { _meta: _, ...rest } = params;
  return [{ method, params: rest }];
}

const NOT_COMMON = /^notifications\/|subscribe$|^subscriptions\/|^logging\//;

function plainly({ method, params }: Seen["heard"][number]): Seen["heard"][number] {
  const { _meta: _, mode, elicitationId: _id, ...rest } = (params ?? {}) as Record<string, unknown>;
  return { method, params: { ...rest, ...(mode === "url" && { mode }) } };
}

function dropNewer(key: string, value: unknown): unknown {
  if (key === "ttlMs" || key === "cacheScope" || key === SERVER_INFO) return undefined;
  const onlyServer = key === "_meta" && Object.keys(value as object).every((one) => one === SERVER_INFO);
  return onlyServer ? undefined : value;
}
