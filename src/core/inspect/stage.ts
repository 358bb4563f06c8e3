/** `inspect`: what the payload's texts contain, in both directions. It only reports; it never decides. */
import type { Stage } from "../pipeline/stage.ts";
import { inspect } from "./inspect.ts";

export function inspectStage(): Stage {
  return {
    name: "inspect",
    request(call) {
      call.ledger.note("requestFindings", call.request.value ? inspect(call.request.value) : []);
      return undefined;
    },
    reply(call) {
      call.ledger.note("replyFindings", call.reply?.value ? inspect(call.reply.value) : []);
      return undefined;
    },
    event(_call, event) {
      event.findings = event.payload.value ? inspect(event.payload.value) : [];
      return undefined;
    },
  };
}
