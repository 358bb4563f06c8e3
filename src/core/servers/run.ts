/**
 * One request of a call's at its server, and others beside it that the call needs: about a task, a log level, a resource.
 * The journal hears of what is sent for the call itself. Where the server refuses the headers unread it is looked at once
 * more how the tool is defined, and the call sent once more; errors about navra's own hop end here.
 */
import type { MutableCall } from "../call.ts";
import { GatewayError } from "../errors.ts";
import { isModern } from "../mcp/revision.ts";
import { findTool } from "../mcp/stage.ts";
import { canonicalDefinition } from "../pins/stage.ts";
import { encodeRequest } from "../wire/encode.ts";
import type { JsonObject } from "../wire/json.ts";
import type { Reply, RequestMessage } from "../wire/message.ts";
import { createDeadline } from "./deadline.ts";
import { HEADER_MISMATCH, refuseOwnFaults } from "./hop.ts";
import type { ToolDefinition } from "./server.ts";
import type { ForwardOptions } from "./stage.ts";
import type { Caller } from "./upstream.ts";

export interface Hooks {
  /** Ends the request at the server. */
  readonly signal: AbortSignal;
  readonly back: (message: RequestMessage, ended: AbortSignal) => Promise<string>;
}

export interface Running extends Hooks {
  readonly text: string;
  readonly caller: Caller;
}

type RunOptions = Pick<ForwardOptions, "registry" | "clock" | "journal" | "event" | "pins">;

export async function runAtServer(call: MutableCall, running: Running, options: RunOptions): Promise<Reply> {
  const definition = call.ledger.read("definition");
  let reply = await ask(call, { ...running, definition }, options);
  if (!isModern(running.caller.revision) || reply.kind !== "error") return reply;
  if (definition && reply.error.code === HEADER_MISMATCH) {
    const fresh = await definedAgain(call, definition, options);
    reply = await ask(call, { ...running, definition: fresh }, options);
  }
  if (reply.kind === "error") refuseOwnFaults(reply);
  return reply;
}

export interface Beside extends Hooks {
  readonly caller: Caller;
  readonly method: string;
  readonly paramsText: string;
}

export async function requestBeside(
  call: MutableCall,
  { caller, method, paramsText, signal, back }: Beside,
  { registry, event }: Pick<RunOptions, "registry" | "event">,
): Promise<Reply> {
  const { id } = call.message;
  const params = JSON.parse(paramsText) as JsonObject;
  return registry.upstream(call.server.id).request({
    ...caller,
    signal,
    trace: call.callId,
    message: { kind: "request", id, method, params, text: encodeRequest(id, method, paramsText) },
    sent: () => undefined,
    event: (message) => event(call, message),
    back,
  });
}

/** The same, when the call is over and nobody waits for the answer. */
export function tellBeside(
  call: MutableCall,
  about: Omit<Beside, keyof Hooks>,
  options: Pick<RunOptions, "registry" | "event" | "clock">,
): void {
  const { signal, stop } = createDeadline(options.clock, { ms: TELL_MS });
  const back: Hooks["back"] = () => Promise.reject(new GatewayError("cancelled", "The call is over."));
  requestBeside(call, { ...about, signal, back }, { ...options, event: () => undefined }).then(stop, stop);
}

const TELL_MS = 10_000;

function ask(
  call: MutableCall,
  { text, caller, definition, signal, back }: Running & { readonly definition: ToolDefinition | undefined },
  { registry, clock, journal, event }: RunOptions,
): Promise<Reply> {
  return registry.upstream(call.server.id).request({
    ...caller,
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

/** The server may define the tool otherwise by now. What a person approved is not called as something else. */
async function definedAgain(
  call: MutableCall,
  { name }: ToolDefinition,
  { registry, pins }: Pick<RunOptions, "registry" | "pins">,
): Promise<ToolDefinition | undefined> {
  const { server, signal } = call;
  const fresh = findTool(await registry.refresh(server.id, signal), name);
  if (fresh && pins.state(server.id, name, canonicalDefinition(fresh)) !== "changed") return fresh;
  throw new GatewayError(
    "tool-changed",
    "The server defines this tool otherwise by now, so it is off and the server did not run this call. Ask the person to look at the change in navra; do not retry until they say so.",
  );
}
