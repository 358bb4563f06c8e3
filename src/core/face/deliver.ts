/**
 * `deliver`: hands what was judged to the agent, and raises its session's labels at that moment. Nothing is delivered to a
 * call that was ended meanwhile: the asker already got its one answer.
 */

import type { Call } from "../call.ts";
import { raises } from "../flow/join.ts";
import type { Labels } from "../flow/labels.ts";
import type { Origin, Provenance } from "../flow/provenance.ts";
import type { SessionLabels } from "../flow/session-labels.ts";
import type { Stage } from "../pipeline/stage.ts";

export function deliverStage(sessions: SessionLabels, provenance: Pick<Provenance, "learn">): Stage {
  return {
    name: "deliver",
    reply(call) {
      if (call.signal.aborted) throw call.signal.reason;
      const labels = call.ledger.read("replyLabels");
      if (labels && raises(sessions.of(call.principalKey), labels)) {
        sessions.raise(call.principalKey, labels, { persist: !call.principal.private });
      }
      if (call.reply) call.agentSide.reply(call.reply.text);
      if (labels && call.reply?.value) provenance.learn(call.principalKey, call.reply.value, originOf(call));
      return undefined;
    },
    event(call, event) {
      if (call.signal.aborted) return undefined;
      // What an untrusted server says on the way teaches the agent as much as its reply does.
      const labels: Labels = { integrity: call.server.trust, confidentiality: "public", sources: [call.server.id] };
      if (raises(sessions.of(call.principalKey), labels)) {
        sessions.raise(call.principalKey, labels, { persist: !call.principal.private });
      }
      call.agentSide.event(event.payload.text);
      if (event.payload.value) provenance.learn(call.principalKey, event.payload.value, originOf(call));
      return undefined;
    },
  };
}

function originOf({ server, ledger, message, arrivedAt }: Call): Origin {
  return { serverId: server.id, tool: ledger.read("action")?.tool ?? message.method, at: arrivedAt };
}
