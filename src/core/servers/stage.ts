/**
 * `forward`: the only place from which something leaves for a server. What belongs to the session is answered from what
 * navra knows of it; everything else goes to the upstream with the payload as judged. The journal hears of the send in the
 * same task in which the bytes are handed over, so that after a worker's death nobody has to guess.
 *
 * INVARIANT: at most once. Nothing is sent again here, but once what a server refused unread because of its headers.
 */
import type { MutableCall } from "../call.ts";
import { GatewayError } from "../errors.ts";
import { type Continuations, continued } from "../face/continuations.ts";
import type { SessionLabels } from "../flow/session-labels.ts";
import type { Journal } from "../journal.ts";
import { withCarriedExtensions } from "../mcp/extensions.ts";
import { isModern, LEGACY_REVISIONS, type Revision } from "../mcp/revision.ts";
import { findTool } from "../mcp/stage.ts";
import type { Pins } from "../pins/pins.ts";
import { canonicalDefinition } from "../pins/stage.ts";
import type { Stage, Stop } from "../pipeline/stage.ts";
import type { Clock } from "../ports.ts";
import { encodeResult } from "../wire/encode.ts";
import type { NotificationMessage, Reply, RequestMessage, ResultMessage } from "../wire/message.ts";
import { askAgent } from "./ask-agent.ts";
import { type InputRequiredOptions, isInputRequired, passInputRequired } from "./input-required.ts";
import { createLogLevels } from "./log-levels.ts";
import { callForOlder, initializeResult, isOlderToNewer, newerCaller, notCarried } from "./older-agent.ts";
import type { Registry } from "./registry.ts";
import type { ToolDefinition } from "./server.ts";
import type { Tasks } from "./tasks.ts";
import type { Caller } from "./upstream.ts";

export interface ForwardOptions {
  readonly registry: Registry;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly event: (call: MutableCall, message: NotificationMessage) => void;
  /** A request of the server's while the call is open; gives the reply frame. */
  readonly back: (call: MutableCall, message: RequestMessage, signal: AbortSignal) => Promise<string>;
  readonly embedded: InputRequiredOptions["embedded"];
  readonly continuations: Continuations;
  readonly tasks: Tasks;
  readonly labels: SessionLabels;
  readonly pins: Pins;
  /** `initialize` settled a revision for the call's channel. */
  readonly settled: (call: MutableCall, revision: Revision) => void;
}

export function forwardStage(options: ForwardOptions): Stage {
  const levels = createLogLevels();
  return {
    name: "forward",
    request(call) {
      if (call.signal.aborted) throw call.signal.reason;
      const { method, id } = call.message;
      if (method === "ping") {
        call.reply = { kind: "result", text: encodeResult(id, "{}"), value: {} };
        return undefined;
      }
      if (call.direction === "back") return askAgent(call, options);
      const mismatch = eraMismatch(call, options.registry);
      if (mismatch) return mismatch;
      const bridged = isBridged(call, options.registry);
      if (bridged && method === "logging/setLevel") return levels.set(call);
      const stop = bridged ? notCarried(call) : undefined;
      if (stop) return stop;
      const session = call.ledger.read("method")?.kind === "session";
      const logLevel = bridged ? levels.of(call) : undefined;
      return session ? openSession(call, options) : send(call, options, logLevel);
    },
  };
}

async function openSession(call: MutableCall, { registry, settled, clock }: ForwardOptions): Promise<undefined> {
  const { signal, server, message } = call;
  const bridged = isBridged(call, registry);
  const opened = await watched(call, { registry, clock }, () =>
    registry.upstream(server.id).open(bridged ? newerCaller(call) : callerOf(call), signal),
  );
  settled(call, bridged ? call.revision : opened.revision);
  const resultText = bridged ? initializeResult(opened.resultText, call) : withCarriedExtensions(opened.resultText);
  call.reply = { kind: "result", text: encodeResult(message.id, resultText), value: JSON.parse(resultText) };
  return undefined;
}

/** `logLevel` is there where an older agent calls a newer server. */
async function send(call: MutableCall, options: ForwardOptions, logLevel: string | undefined): Promise<undefined> {
  const { registry, journal, clock, event, back, continuations } = options;
  const { signal, server, request } = call;
  journal.admitted(call);
  const resumed = continuations.take(call);
  const ownText = resumed ? continued(request.text, resumed) : request.text;
  const caller = logLevel === undefined ? callerOf(call) : newerCaller(call);
  const ask = (text: string, definition: ToolDefinition | undefined): Promise<Reply> =>
    registry.upstream(server.id).request({
      ...caller,
      signal,
      message: { ...call.message, text, params: request.value },
      inputSchema: definition?.value.inputSchema,
      sent: () => {
        if (call.ledger.read("sentAt") === undefined) call.ledger.note("sentAt", clock.monotonic());
        journal.sent(call);
      },
      event: (message) => event(call, message),
      back: (message, ended) => back(call, message, ended),
    });
  const once = async (text: string): Promise<Reply> => {
    const definition = call.ledger.read("definition");
    const first = await ask(text, definition);
    if (!definition || !isHeaderMismatch(caller, first)) return first;
    return ask(text, await definedAgain(call, definition, options));
  };
  let reply = await watched(call, { registry, clock }, () =>
    logLevel === undefined ? once(ownText) : callForOlder(call, { ask: once, back, logLevel }),
  );
  await journal.settled(call);
  if (reply.kind === "result" && isModern(call.revision)) reply = await passModern(call, reply, options);
  call.reply =
    reply.kind === "result"
      ? { kind: "result", text: reply.text, value: reply.result }
      : { kind: "error", text: reply.text, value: { ...reply.error } };
  return undefined;
}

/** Results of 2026-07-28 say what they are; one that navra does not know could be anything. */
async function passModern(call: MutableCall, reply: ResultMessage, options: ForwardOptions): Promise<ResultMessage> {
  const { resultType = "complete" } = reply.result;
  if (resultType === "complete") {
    return call.message.method === "tasks/get" ? options.tasks.seen(call, reply, options) : reply;
  }
  if (isInputRequired(reply.result)) return passInputRequired(call, reply, options);
  if (resultType !== "task") {
    throw new GatewayError(
      "upstream-broken",
      "The server gave a kind of result that navra does not know. The call may have run: look before you send it again.",
    );
  }
  await options.tasks.began(call, reply.result);
  return reply;
}

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
    "The server defines this tool otherwise by now, so it is off until the person has looked at the change in navra. The server did not run this call.",
  );
}

function callerOf({ principalKey, revision, capabilities }: MutableCall): Caller {
  return { principalKey, revision, capabilities: capabilities.text };
}

/** Keeps the registry's picture of the server's health true. */
async function watched<Value>(
  call: MutableCall,
  { registry, clock }: Pick<ForwardOptions, "registry" | "clock">,
  run: () => Promise<Value>,
): Promise<Value> {
  const began = clock.monotonic();
  try {
    const value = await run();
    const revision = isBridged(call, registry) ? newerCaller(call).revision : call.revision;
    registry.noteOk(call.server.id, revision, clock.monotonic() - began);
    return value;
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.fault.startsWith("upstream-")) {
      registry.noteFailure(call.server.id, thrown.message);
    }
    throw thrown;
  }
}

function isBridged(call: MutableCall, registry: Registry): boolean {
  return isOlderToNewer(call.revision, registry.catalogue(call.server.id)?.revision);
}

/** A newer agent must switch to what an older server speaks; the fault names it. */
function eraMismatch(call: MutableCall, registry: Registry): Stop | undefined {
  const known = registry.catalogue(call.server.id)?.revision;
  if (known === undefined || isModern(known) || !isModern(call.revision)) return undefined;
  return {
    kind: "fault",
    name: "unsupported-version",
    detail: `This server speaks revisions up to ${known}. Open a session with "initialize".`,
    data: { supported: [...LEGACY_REVISIONS].reverse(), requested: call.revision },
  };
}
