/**
 * `deliver`: hands what was judged to the agent, and raises its session's labels at that moment. Nothing is delivered to a
 * call that was ended meanwhile: the asker already got its one answer. An agent of an older revision gets it in its own
 * words, and the record keeps the server's.
 */
import type { Call, MutableCall, ReplyInHand } from "../call.ts";
import { raises } from "../flow/join.ts";
import type { Labels } from "../flow/labels.ts";
import type { Origin, Provenance } from "../flow/provenance.ts";
import type { SessionLabels } from "../flow/session-labels.ts";
import { type Codec, codecFor } from "../mcp/codec.ts";
import type { Stage } from "../pipeline/stage.ts";

export function deliverStage(sessions: SessionLabels, provenance: Pick<Provenance, "learn">): Stage {
  return {
    name: "deliver",
    reply(call) {
      if (call.signal.aborted) throw call.signal.reason;
      const labels = call.ledger.read("replyLabels");
      if (labels && raises(sessions.of(call.principalKey), labels)) {
        sessions.raise(call.principalKey, labels);
      }
      if (call.reply) call.agentSide.reply(inAgentsWords(call, call.reply));
      if (labels && call.reply?.value) provenance.learn(call.principalKey, call.reply.value, originOf(call));
      return undefined;
    },
    event(call, event) {
      if (call.signal.aborted) return undefined;
      // What an untrusted server says on the way teaches the agent as much as its reply does.
      const labels: Labels = { integrity: call.server.trust, confidentiality: "public", sources: [call.server.id] };
      if (raises(sessions.of(call.principalKey), labels)) {
        sessions.raise(call.principalKey, labels);
      }
      call.agentSide.event(codecOf(call)?.event(event.payload, event.method) ?? event.payload.text);
      if (event.payload.value) provenance.learn(call.principalKey, event.payload.value, originOf(call));
      return undefined;
    },
  };
}

function inAgentsWords(call: MutableCall, reply: ReplyInHand): string {
  if (reply.kind !== "result") return reply.text;
  const outputSchema = call.ledger.read("definition")?.value.outputSchema;
  return codecOf(call)?.result(reply, { method: call.message.method, outputSchema }) ?? reply.text;
}

function codecOf({ revision, ledger }: MutableCall): Codec | undefined {
  const served = ledger.read("served");
  return served === undefined || served === revision ? undefined : codecFor(revision, served);
}

function originOf({ server, ledger, message, arrivedAt }: Call): Origin {
  return { serverId: server.id, tool: ledger.read("action")?.tool ?? message.method, at: arrivedAt };
}
