/**
 * `forward`: the only place from which something leaves for a server. What belongs to the session is answered from what
 * navra knows of it; everything else goes to the upstream with the payload as judged. The journal hears of the send in the
 * same task in which the bytes are handed over, so that after a worker's death nobody has to guess.
 *
 * INVARIANT: at most once. Nothing is sent again here, but what a server said it did not do: because of its headers, of a
 * page that has to be opened first, or of a capability that it was not told of.
 */
import type { MutableCall } from "../call.ts";
import { type AnsweredHere, answerHere, nextRound } from "../elicit/answer-here.ts";
import { toldCapabilities, whoAnswers } from "../elicit/who-answers.ts";
import { GatewayError } from "../errors.ts";
import { type Continuations, continued } from "../face/continuations.ts";
import type { SessionLabels } from "../flow/session-labels.ts";
import type { Journal } from "../journal.ts";
import { isModern, isOlder, type Revision } from "../mcp/revision.ts";
import type { OpenCalls } from "../open-calls.ts";
import type { Pins } from "../pins/pins.ts";
import type { Stage, Stop } from "../pipeline/stage.ts";
import type { Clock } from "../ports.ts";
import { encodeResult } from "../wire/encode.ts";
import { isObject, type JsonValue } from "../wire/json.ts";
import type { NotificationMessage, Reply, RequestMessage, ResultMessage } from "../wire/message.ts";
import { sliceAt, splice } from "../wire/splice.ts";
import { askAgent } from "./ask-agent.ts";
import { createDeadline } from "./deadline.ts";
import type { Opened } from "./handshake.ts";
import { inAgentsTerms } from "./hop.ts";
import { type InputRequiredOptions, isInputRequired, MAY_ASK, passInputRequired } from "./input-required.ts";
import type { LogLevels } from "./log-levels.ts";
import { callForNewer, olderCaller } from "./newer-agent.ts";
import type { NewerSubscriptions } from "./newer-subscriptions.ts";
import { callForOlder, newerCaller } from "./older-agent.ts";
import type { OlderSubscriptions } from "./older-subscriptions.ts";
import { runAsTask, WITHOUT_TASK, worksAsTask } from "./older-task.ts";
import { agreed, openedFor } from "./opened.ts";
import { A_PAGE, type Pages, throughPages } from "./pages.ts";
import { createParking, type Parking, type Run } from "./parked.ts";
import type { Registry } from "./registry.ts";
import { type Hooks, requestBeside, runAtServer, tellBeside } from "./run.ts";
import type { Tasks } from "./tasks.ts";
import type { Caller } from "./upstream.ts";

export interface ForwardOptions {
  readonly registry: Registry;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly calls: OpenCalls;
  readonly event: (call: MutableCall, message: NotificationMessage) => void;
  /** A request of the server's while the call is open; gives the reply frame. */
  readonly back: (call: MutableCall, message: RequestMessage, signal: AbortSignal) => Promise<string>;
  readonly embedded: InputRequiredOptions["embedded"];
  readonly continuations: Continuations;
  readonly tasks: Tasks;
  readonly labels: SessionLabels;
  readonly pins: Pins;
  readonly levels: LogLevels;
  readonly pages: Pages;
  readonly older: OlderSubscriptions;
  readonly newer: NewerSubscriptions;
  /** Resources that the sessions of the call's site are subscribed to at its server. */
  readonly subscribed: (call: MutableCall) => readonly string[];
  /** Another agent of the same site is subscribed to the resource. */
  readonly stillWanted: (call: MutableCall, uri: string) => boolean;
  /** The call's session subscribed to the resource that it names, or left it. */
  readonly followed: (call: MutableCall) => void;
  /** `initialize` settled a revision for the call's channel. */
  readonly settled: (call: MutableCall, revision: Revision) => void;
}

export function forwardStage(options: ForwardOptions): Stage {
  const parking = createParking(options);
  return {
    name: "forward",
    request(call) {
      if (call.signal.aborted) throw call.signal.reason;
      const { method, params } = call.message;
      if (method === "ping") return answerEmpty(call);
      // What navra answered itself goes to nobody.
      if (call.direction === "back") return call.reply ? undefined : askAgent(call, options);
      // Agents of one site share a session, and the first that has enough must not end it for the others.
      if (method === "resources/unsubscribe" && options.stillWanted(call, String(params?.uri))) {
        options.followed(call);
        return answerEmpty(call);
      }
      const way = wayOf(call, options.registry);
      if (way.kind === "up" && method === "logging/setLevel") {
        options.levels.set(call);
        return answerEmpty(call);
      }
      if (way.kind === "up" && SUBSCRIBING.has(method)) return subscribeOlder(call, options);
      if (way.kind === "down" && method.startsWith("tasks/")) return NOT_THERE;
      if (call.ledger.read("method")?.kind === "session") return openSession(call, way, options);
      return send(call, way, { ...options, parking });
    },
  };
}

/** How a call travels: `same` era on both sides, `up` from an older agent to a newer server, `down` the other way. */
interface Way {
  readonly kind: "same" | "up" | "down";
  readonly caller: Caller;
}

function wayOf(call: MutableCall, registry: Registry): Way {
  const { principalKey, revision, server } = call;
  const known = registry.catalogue(server.id)?.revision;
  if (known === undefined || isModern(known) === isModern(revision)) {
    const { text } = toldCapabilities(call, revision);
    return { kind: "same", caller: { principalKey, revision, capabilities: text } };
  }
  const told = { ...call, capabilities: toldCapabilities(call, known) };
  return isModern(known)
    ? { kind: "up", caller: newerCaller(told) }
    : { kind: "down", caller: olderCaller(told, known) };
}

const SUBSCRIBING: ReadonlySet<string> = new Set(["resources/subscribe", "resources/unsubscribe"]);

function answerEmpty(call: MutableCall): undefined {
  call.reply = { kind: "result", text: encodeResult(call.message.id, "{}"), value: {} };
  return undefined;
}

async function openSession(call: MutableCall, way: Way, options: ForwardOptions): Promise<undefined> {
  const { signal, server, message, revision } = call;
  const opened = await watched(call, way, options, () => options.registry.upstream(server.id).open(way.caller, signal));
  options.settled(call, agreed(revision, opened));
  if (way.kind === "up" && tellsOfLists(opened)) {
    void options.older.follow({ serverId: server.id, principalKey: call.principalKey }, options.subscribed(call));
  }
  const resultText = openedFor(opened, call);
  call.reply = { kind: "result", text: encodeResult(message.id, resultText), value: JSON.parse(resultText) };
  return undefined;
}

function tellsOfLists({ resultText }: Opened): boolean {
  const { capabilities } = JSON.parse(resultText) as { readonly capabilities?: JsonValue };
  return isObject(capabilities) && Object.values(capabilities).some((one) => isObject(one) && one.listChanged === true);
}

/** An older session's subscription becomes part of what navra listens to for the site. */
async function subscribeOlder(call: MutableCall, options: ForwardOptions): Promise<Stop | undefined> {
  const { server, principalKey, message } = call;
  const uri = String(message.params?.uri);
  const listener = { serverId: server.id, principalKey };
  const others = options.subscribed(call).filter((one) => one !== uri);
  if (message.method === "resources/subscribe") {
    const honoured = await options.older.follow(listener, [...others, uri]);
    if (!honoured.has(uri)) {
      void options.older.follow(listener, options.subscribed(call));
      return NOT_TOLD;
    }
  } else void options.older.follow(listener, others);
  options.followed(call);
  return answerEmpty(call);
}

interface SendOptions extends ForwardOptions {
  readonly parking: Parking;
}

async function send(call: MutableCall, way: Way, options: SendOptions): Promise<undefined> {
  const { registry, journal, continuations } = options;
  registry.freshen(call.server.id);
  journal.admitted(call);
  const resumed = continuations.take(call);
  call.ledger.note("served", await servedBy(call, way, options));
  const seconds = call.ledger.decisions.at(-1)?.timeout;
  const given = { ms: (seconds ?? 0) * 1_000, signal: call.signal };
  const deadline = seconds === undefined ? undefined : createDeadline(options.clock, given);
  const signal = deadline?.signal ?? call.signal;
  const hooks: Hooks = { signal, back: (message, ended) => options.back(call, message, ended) };
  let reply = await watched(call, way, options, () => {
    if (way.kind === "up") return sendUp(call, { way, hooks }, options);
    if (way.kind === "down") return sendDown(call, way, { ...options, handle: resumed?.handle });
    const text = resumed ? continued(call.request.text, resumed) : call.request.text;
    return isModern(call.revision)
      ? runAtServer(call, { ...hooks, text, caller: way.caller }, options)
      : sendInSession(call, { ...hooks, text, caller: way.caller }, options);
  }).finally(() => deadline?.stop());
  await journal.settled(call);
  if (way.kind === "same" && isModern(call.revision)) {
    const again = (result: ResultMessage, here: AnsweredHere) =>
      runAtServer(
        call,
        { ...hooks, text: splice(call.request.text, nextRound(result, here)), caller: way.caller },
        options,
      );
    const update: ModernOptions["update"] = (paramsText, ended) =>
      requestBeside(
        call,
        { caller: way.caller, method: "tasks/update", paramsText, signal: ended, back: noAnswer },
        { ...options, event: () => undefined },
      );
    if (reply.kind === "result") reply = await passModern(call, reply, { ...options, again, update });
    if (reply.kind === "error") reply = inAgentsTerms(reply, call.capabilities.value);
  }
  if (reply.kind === "result" && SUBSCRIBING.has(call.message.method)) options.followed(call);
  call.reply =
    reply.kind === "result"
      ? { kind: "result", text: reply.text, value: reply.result }
      : { kind: "error", text: reply.text, value: { ...reply.error } };
  return undefined;
}

/** The revision on the server's side. Only where the agent may not know all its words does it matter which. */
async function servedBy(call: MutableCall, { caller }: Way, { registry }: ForwardOptions): Promise<Revision> {
  const known = registry.catalogue(call.server.id)?.revision;
  if (known === undefined || isModern(caller.revision) || !isOlder(caller.revision, known)) return caller.revision;
  return (await registry.upstream(call.server.id).open(caller, call.signal)).revision;
}

interface At extends Hooks {
  readonly text: string;
  readonly caller: Caller;
}

/** Both sides have sessions: the agents of a site share one at the server. */
function sendInSession(call: MutableCall, at: At, options: SendOptions): Promise<Reply> {
  const { method, params } = call.message;
  if (method === "logging/setLevel") {
    const level = options.levels.set(call);
    const text =
      level === params?.level
        ? at.text
        : splice(at.text, [{ path: ["params", "level"], value: JSON.stringify(level) }]);
    return runAtServer(call, { ...at, text }, options);
  }
  const plain = method === "tools/call" && params?.task !== undefined ? splice(at.text, [WITHOUT_TASK]) : at.text;
  const run: Run = (hooks) => runMaybeAsTask(call, { ...at, ...hooks, text: plain }, options);
  const own = MAY_ASK.has(method) ? ownPages(call, options) : undefined;
  return own ? throughPages(run, { serverId: call.server.id, pages: options.pages, own })(at) : run(at);
}

/** How navra asks for pages in its own window; nothing where the agent answers for them. */
function ownPages(call: MutableCall, { back }: Pick<ForwardOptions, "back">): Hooks["back"] | undefined {
  const ours = whoAnswers({ ...call, message: A_PAGE }) === "navra";
  return ours ? (message, ended) => back(call, message, ended) : undefined;
}

function runMaybeAsTask(call: MutableCall, at: At, options: SendOptions): Promise<Reply> {
  const ask = (text: string): Promise<Reply> => runAtServer(call, { ...at, text }, options);
  if (!worksAsTask(call.ledger.read("definition"), call.ledger.read("served") ?? at.caller.revision)) {
    return ask(at.text);
  }
  return runAsTask(at.text, {
    ask,
    signal: at.signal,
    request: (method, params) => requestBeside(call, { ...at, method, paramsText: JSON.stringify(params) }, options),
    cancel: (params) =>
      tellBeside(call, { caller: at.caller, method: "tasks/cancel", paramsText: JSON.stringify(params) }, options),
  });
}

function sendUp(
  call: MutableCall,
  { way: { caller }, hooks }: { readonly way: Way; readonly hooks: Hooks },
  options: SendOptions,
): Promise<Reply> {
  const forTasks: Caller = { ...caller, capabilities: withTasks(caller.capabilities) };
  return callForOlder(call, {
    ...options,
    ask: (text, tasks) => runAtServer(call, { ...hooks, text, caller: tasks === "tasks" ? forTasks : caller }, options),
    request: (method, paramsText) => requestBeside(call, { ...hooks, method, paramsText, caller: forTasks }, options),
    afterwards: (method, paramsText) => tellBeside(call, { method, paramsText, caller: forTasks }, options),
    logLevel: options.levels.of(call),
  });
}

function withTasks(capabilities = "{}"): string {
  return splice(capabilities, [{ path: ["extensions", "io.modelcontextprotocol/tasks"], value: "{}" }]);
}

async function sendDown(
  call: MutableCall,
  { caller }: Way,
  options: SendOptions & { readonly handle: string | undefined },
): Promise<Reply> {
  const { registry, levels, newer, event, stillWanted } = options;
  const opened = await registry.upstream(call.server.id).open(caller, call.signal);
  const beside = (method: string, params: object, signal: AbortSignal): Promise<Reply> =>
    requestBeside(call, { caller, method, paramsText: JSON.stringify(params), signal, back: noAnswer }, options);
  if (call.message.method === "subscriptions/listen") {
    const request = (method: string, uri: string, signal: AbortSignal) => beside(method, { uri }, signal);
    return newer.listen(call, { caller, opened, request, event, wantedElsewhere: stillWanted });
  }
  await levels.raise(call, opened, async (level) => {
    await beside("logging/setLevel", { level }, call.signal).catch(() => undefined);
  });
  return callForNewer(call, {
    ...options,
    own: ownPages(call, options),
    run: (text, hooks) =>
      runMaybeAsTask(
        call,
        { ...hooks, back: backFor(call, { parked: hooks.back, own: options.back }), text, caller },
        options,
      ),
    serverInfo: async () => sliceAt(opened.resultText, ["serverInfo"]) ?? "{}",
  });
}

/** What navra answers itself does not wait for the agent's next call. */
function backFor(
  call: MutableCall,
  { parked, own }: { readonly parked: Hooks["back"]; readonly own: ForwardOptions["back"] },
): Hooks["back"] {
  return (message, ended) =>
    whoAnswers({ ...call, message }) === "navra" ? own(call, message, ended) : parked(message, ended);
}

interface ModernOptions extends ForwardOptions {
  /** Answers a task, whether or not the call that saw it is still open. */
  readonly update: (paramsText: string, ended: AbortSignal) => Promise<Reply>;
  /** Asks the server once more, with what was answered here. */
  readonly again: (reply: ResultMessage, here: AnsweredHere) => Promise<Reply>;
}

/** How often navra itself goes on asking for a server. */
const MOST_ROUNDS = 10;

/** Results of 2026-07-28 say what they are; one that navra does not know could be anything. */
async function passModern(call: MutableCall, first: ResultMessage, options: ModernOptions): Promise<Reply> {
  let reply = first;
  for (let round = 0; isInputRequired(reply.result); round++) {
    // Nobody is asked for a server that may not ask here.
    const here = MAY_ASK.has(call.message.method) ? await answerHere(call, reply, options.back) : NOTHING_HERE;
    if (here.answers.size === 0 || here.left > 0) {
      return passInputRequired(call, reply, { ...options, own: here.answers });
    }
    if (round === MOST_ROUNDS) throw new GatewayError("upstream-broken", ENDLESS);
    const next = await options.again(reply, here);
    if (next.kind === "error") return next;
    reply = next;
  }
  const { resultType = "complete" } = reply.result;
  if (resultType === "complete") {
    if (call.message.method === "tasks/cancel") options.tasks.cancelled(call);
    return call.message.method === "tasks/get" ? options.tasks.seen(call, reply, options) : reply;
  }
  if (resultType !== "task") {
    throw new GatewayError(
      "upstream-broken",
      "The server gave a kind of result that navra does not know. The call may have run: look before you send it again.",
    );
  }
  await options.tasks.began(call, reply.result);
  return reply;
}

const noAnswer: Hooks["back"] = () => Promise.reject(new GatewayError("cancelled", "Nobody here answers this."));

const NOTHING_HERE: AnsweredHere = { answers: new Map(), left: 0 };

const ENDLESS = "The server asks for more without end. Report it to whoever runs the server; the call may have run.";

const NOT_THERE: Stop = {
  kind: "fault",
  name: "method-not-found",
  detail: "This server speaks an older revision, where there is no such method.",
};

const NOT_TOLD: Stop = {
  kind: "fault",
  name: "invalid-params",
  detail: "The server does not tell of changes to this resource. Read it again when you need it.",
};

/** Keeps the registry's picture of the server's health true. */
async function watched<Value>(
  call: MutableCall,
  { caller }: Way,
  { registry, clock }: ForwardOptions,
  run: () => Promise<Value>,
): Promise<Value> {
  const began = clock.monotonic();
  try {
    const value = await run();
    registry.noteOk(call.server.id, caller.revision, clock.monotonic() - began);
    return value;
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.fault.startsWith("upstream-")) {
      registry.noteFailure(call.server.id, thrown);
    }
    throw thrown;
  }
}
