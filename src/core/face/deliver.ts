/**
 * `deliver`: hands what was judged to the agent, and raises its session's labels at that moment. Nothing is delivered to a
 * call that was ended meanwhile: the asker already got its one answer.
 */
import { raises } from "../flow/join.ts";
import type { SessionLabels } from "../flow/session-labels.ts";
import type { Stage } from "../pipeline/stage.ts";

export function deliverStage(sessions: SessionLabels): Stage {
  return {
    name: "deliver",
    reply(call) {
      if (call.signal.aborted) throw call.signal.reason;
      const labels = call.ledger.read("replyLabels");
      if (labels && raises(sessions.of(call.principalKey), labels)) {
        sessions.raise(call.principalKey, labels, { persist: !call.principal.private });
      }
      if (call.reply) call.agentSide.reply(call.reply.text);
      return undefined;
    },
    event(call, event) {
      if (!call.signal.aborted) call.agentSide.event(event.payload.text);
      return undefined;
    },
  };
}
