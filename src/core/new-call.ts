/** Makes a call from what its channel and its message say. Nothing of it changes afterwards but its payload and ledger. */
import type { AgentSide, MutableCall } from "./call.ts";
import type { ClientCapabilities } from "./mcp/client-capabilities.ts";
import type { Revision } from "./mcp/revision.ts";
import { createLedger } from "./pipeline/ledger.ts";
import type { Ports } from "./ports.ts";
import { type Place, type Principal, principalKey } from "./principal.ts";
import type { ServerEntry } from "./servers/server.ts";
import type { RequestMessage } from "./wire/message.ts";

export interface CallOrigin {
  readonly principal: Principal;
  readonly place: Place;
  readonly channel: string;
  readonly agent: string;
  readonly revision: Revision;
  readonly capabilities: ClientCapabilities;
  readonly server: ServerEntry;
  readonly message: RequestMessage;
  readonly signal: AbortSignal;
  readonly agentSide: AgentSide;
  readonly answerer?: "navra";
}

export function newCall(origin: CallOrigin, { clock, randomId }: Pick<Ports, "clock" | "randomId">): MutableCall {
  const { message, principal } = origin;
  return {
    ...origin,
    callId: randomId(),
    direction: "out",
    principalKey: principalKey(principal),
    arrivedAt: clock.now(),
    startedAt: clock.monotonic(),
    ledger: createLedger(),
    request: { text: message.text, value: message.params },
    reply: undefined,
  };
}

/** A server's own request outside any call of the agent's. */
export function unaskedBack(origin: CallOrigin, ports: Pick<Ports, "clock" | "randomId">): MutableCall {
  return { ...newCall(origin, ports), direction: "back" };
}

/** A server's own request while a call of the agent's is open: its child, in the other direction. */
export function backCall(
  parent: MutableCall,
  child: Pick<CallOrigin, "message" | "signal" | "agentSide">,
  ports: Pick<Ports, "clock" | "randomId">,
): MutableCall {
  return { ...newCall({ ...parent, ...child }, ports), direction: "back", parent: parent.callId };
}
