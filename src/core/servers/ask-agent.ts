/**
 * The far end of a server's request: the agent's channel. What the agent is about to read came from the server, so its
 * session's labels rise at this moment, as they do when a reply is delivered.
 */
import type { MutableCall } from "../call.ts";
import { raises } from "../flow/join.ts";
import type { SessionLabels } from "../flow/session-labels.ts";
import { labelsOf } from "../flow/stage.ts";
import type { Clock } from "../ports.ts";
import { splice } from "../wire/splice.ts";

export interface AskAgentOptions {
  readonly labels: SessionLabels;
  readonly clock: Clock;
}

export async function askAgent(call: MutableCall, { labels, clock }: AskAgentOptions): Promise<undefined> {
  const { principalKey, server, ledger, request, signal, message } = call;
  const carried = labelsOf(server, ledger.read("requestFindings") ?? []);
  if (raises(labels.of(principalKey), carried)) labels.raise(principalKey, carried);
  ledger.note("sentAt", clock.monotonic());
  const reply = await call.agentSide.ask(request.text, signal);
  const text = splice(reply.text, [{ path: ["id"], value: message.id }]);
  call.reply =
    reply.kind === "result"
      ? { kind: "result", text, value: reply.result }
      : { kind: "error", text, value: { ...reply.error } };
  return undefined;
}
