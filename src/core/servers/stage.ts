/**
 * `forward`: the only place from which something leaves for a server. What belongs to the session is answered from what
 * navra knows of it; everything else goes to the upstream with the payload as judged. The journal hears of the send in the
 * same task in which the bytes are handed over, so that after a worker's death nobody has to guess.
 *
 * INVARIANT: at most once. Nothing is sent again here, but once what a server refused unread because of its headers.
 */
import type { MutableCall } from "../call.ts";
import { answerHere, nextRound } from "../elicit/answer-here.ts";
import { toldCapabilities, whoAnswers } from "../elicit/who-answers.ts";
import { GatewayError } from "../errors.ts";
import { type Continuations, continued } from "../face/continuations.ts";
import type { SessionLabels } from "../flow/session-labels.ts";
import type { Journal } from "../journal.ts";
import { withCarriedExtensions } from "../mcp/extensions.ts";
import { isModern, type Revision } from "../mcp/revision.ts";
import { findTool } from "../mcp/stage.ts";
import type { OpenCalls } from "../open-calls.ts";
import type { Pins } from "../pins/pins.ts";
import { canonicalDefinition } from "../pins/stage.ts";
import type { Stage, Stop } from "../pipeline/stage.ts";
import type { Clock } from "../ports.ts";
import { encodeResult } from "../wire/encode.ts";
import type { NotificationMessage, Reply, RequestMessage, ResultMessage } from "../wire/message.ts";
import { sliceAt, splice } from "../wire/splice.ts";
import { askAgent } from "./ask-agent.ts";
import { createDeadline } from "./deadline.ts";
import { type InputRequiredOptions, isInputRequired, passInputRequired } from "./input-required.ts";
import { createLogLevels, type LogLevels } from "./log-levels.ts";
import { callForNewer, discoverResult, notThere, olderCaller } from "./newer-agent.ts";
import { callForOlder, initializeResult, newerCaller, notCarried } from "./older-agent.ts";
import { createParking, type Parking } from "./parked.ts";
import type { Registry } from "./registry.ts";
import type { ToolDefinition } from "./server.ts";
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
  /** Another channel of the same site is subscribed to the resource that this call names. */
  readonly stillWanted: (call: MutableCall) => boolean;
  /** `initialize` settled a revision for the call's channel. */
  readonly settled: (call: MutableCall, revision: Revision) => void;
}

export function forwardStage(options: ForwardOptions): Stage {
  const levels = createLogLevels();
  const parking = createParking(options);
  return {
    name: "forward",
    request(call) {
      if (call.signal.aborted) throw call.signal.reason;
      const { method, id } = call.message;
      if (method === "ping") {
        call.reply = { kind: "result", text: encodeResult(id, "{}"), value: {} };
        return undefined;
      }
      // What navra answered itself goes to nobody.
      if (call.direction === "back") return call.reply ? undefined : askAgent(call, options);
      // Agents of one site share a session, and the first that has enough must not end it for the others.
      if (method === "resources/unsubscribe" && options.stillWanted(call)) {
        call.reply = { kind: "result", text: encodeResult(id, "{}"), value: {} };
        return undefined;
      }
      const way = wayOf(call, options.registry);
      if (way.kind === "up" && method === "logging/setLevel") return levels.set(call);
      const stop = way.stop?.(call);
      if (stop) return stop;
      const session = call.ledger.read("method")?.kind === "session";
      return session ? openSession(call, way, options) : send(call, way, { ...options, levels, parking });
    },
  };
}

/** How a call travels: `same` era on both sides, `up` from an older agent to a newer server, `down` the other way. */
interface Way {
  readonly kind: "same" | "up" | "down";
  readonly caller: Caller;
  /** What cannot travel this way. */
  readonly stop?: (call: MutableCall) => Stop | undefined;
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
    ? { kind: "up", caller: newerCaller(told), stop: notCarried }
    : { kind: "down", caller: olderCaller(told, known), stop: notThere };
}

async function openSession(call: MutableCall, way: Way, options: ForwardOptions): Promise<undefined> {
  const { signal, server, message, revision } = call;
  const opened = await watched(call, way, options, () => options.registry.upstream(server.id).open(way.caller, signal));
  options.settled(call, way.kind === "same" ? opened.revision : revision);
  const resultText = OPENED[way.kind](opened.resultText, call);
  call.reply = { kind: "result", text: encodeResult(message.id, resultText), value: JSON.parse(resultText) };
  return undefined;
}

const OPENED: Readonly<Record<Way["kind"], (resultText: string, call: MutableCall) => string>> = {
  same: withCarriedExtensions,
  up: initializeResult,
  down: discoverResult,
};

interface SendOptions extends ForwardOptions {
  readonly levels: LogLevels;
  readonly parking: Parking;
}

async function send(call: MutableCall, way: Way, options: SendOptions): Promise<undefined> {
  const { registry, journal, continuations, back } = options;
  const { server, signal } = call;
  registry.freshen(server.id);
  journal.admitted(call);
  const resumed = continuations.take(call);
  const once = async (text: string, hooks: Hooks): Promise<Reply> => {
    const definition = call.ledger.read("definition");
    const first = await ask(call, { ...hooks, text, way, definition }, options);
    if (!definition || !isHeaderMismatch(way.caller, first)) return first;
    const fresh = await definedAgain(call, definition, options);
    return ask(call, { ...hooks, text, way, definition: fresh }, options);
  };
  const seconds = call.ledger.decisions.at(-1)?.timeout;
  const deadline = seconds === undefined ? undefined : createDeadline(options.clock, { ms: seconds * 1_000 });
  const bound = deadline ? AbortSignal.any([signal, deadline.signal]) : signal;
  const own: Hooks = { signal: bound, back: (message, ended) => back(call, message, ended) };
  let reply = await watched(call, way, options, () => {
    if (way.kind === "same") return once(resumed ? continued(call.request.text, resumed) : call.request.text, own);
    if (way.kind === "up") {
      return callForOlder(call, { ask: (text) => once(text, own), back, logLevel: options.levels.of(call) });
    }
    return callForNewer(call, {
      ...options,
      handle: resumed?.handle,
      run: (text, hooks) => once(text, { ...hooks, back: backFor(call, { parked: hooks.back, own: back }) }),
      serverInfo: async () => {
        const { resultText } = await registry.upstream(server.id).open(way.caller, signal);
        return sliceAt(resultText, ["serverInfo"]) ?? "{}";
      },
    });
  }).finally(() => deadline?.stop());
  await journal.settled(call);
  if (way.kind === "same" && reply.kind === "result" && isModern(call.revision)) {
    const again = (result: ResultMessage, here: Parameters<typeof nextRound>[1]) =>
      once(splice(call.request.text, nextRound(result, here)), own);
    reply = await passModern(call, reply, { ...options, again });
  }
  call.reply =
    reply.kind === "result"
      ? { kind: "result", text: reply.text, value: reply.result }
      : { kind: "error", text: reply.text, value: { ...reply.error } };
  return undefined;
}

interface Hooks {
  /** Ends the request at the server. */
  readonly signal: AbortSignal;
  readonly back: (message: RequestMessage, ended: AbortSignal) => Promise<string>;
}

interface Asking extends Hooks {
  readonly text: string;
  readonly way: Way;
  readonly definition: ToolDefinition | undefined;
}

function ask(
  call: MutableCall,
  { text, way, definition, signal, back }: Asking,
  { registry, clock, journal, event }: ForwardOptions,
): Promise<Reply> {
  return registry.upstream(call.server.id).request({
    ...way.caller,
    signal,
    trace: call.callId,
    message: { ...call.message, text, params: call.request.value },
    inputSchema: definition?.value.inputSchema,
    sent: () => {
      if (call.ledger.read("sentAt") === undefined) call.ledger.note("sentAt", clock.monotonic());
      journal.sent(call);
    },
    event: (message) => event(call, message),
    back,
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
  /** Asks the server once more, with what was answered here. */
  readonly again: (reply: ResultMessage, here: Parameters<typeof nextRound>[1]) => Promise<Reply>;
}

/** How often navra itself goes on asking for a server. */
const MOST_ROUNDS = 10;

/** Results of 2026-07-28 say what they are; one that navra does not know could be anything. */
async function passModern(call: MutableCall, first: ResultMessage, options: ModernOptions): Promise<Reply> {
  let reply = first;
  for (let round = 0; isInputRequired(reply.result); round++) {
    const here = await answerHere(call, reply, options.back);
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

const ENDLESS = "The server asks for more without end. Report it to whoever runs the server; the call may have run.";

/** The server found that the headers do not say what the body says, and did nothing. */
function isHeaderMismatch({ revision }: Caller, reply: Reply): boolean {
  return isModern(revision) && reply.kind === "error" && reply.error.code === HEADER_MISMATCH;
}

const HEADER_MISMATCH = -32020;

/** The server may define the tool otherwise by now. What a person approved is not called as something else. */
async function definedAgain(
  call: MutableCall,
  { name }: ToolDefinition,
  { registry, pins }: ForwardOptions,
): Promise<ToolDefinition | undefined> {
  const { server, signal } = call;
  const fresh = findTool(await registry.refresh(server.id, signal), name);
  if (fresh && pins.state(server.id, name, canonicalDefinition(fresh)) !== "changed") return fresh;
  throw new GatewayError(
    "tool-changed",
    "The server defines this tool otherwise by now, so it is off and the server did not run this call. Ask the person to look at the change in navra; do not retry until they say so.",
  );
}

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
