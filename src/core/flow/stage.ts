/**
 * `label`: what the session has read so far, and what this reply would add. A session's labels rise when content is
 * delivered, not when it arrives: a withheld reply has taught the agent nothing.
 */
import type { Finding } from "../inspect/finding.ts";
import type { Stage } from "../pipeline/stage.ts";
import type { ServerEntry } from "../servers/server.ts";
import type { Labels } from "./labels.ts";
import type { SessionLabels } from "./session-labels.ts";

export function labelStage(sessions: SessionLabels): Stage {
  return {
    name: "label",
    request(call) {
      call.ledger.note("sessionLabels", sessions.of(call.principalKey));
      return undefined;
    },
    reply(call) {
      if (call.ledger.read("method")?.kind !== "content") return undefined;
      call.ledger.note("replyLabels", labelsOf(call.server, call.ledger.read("replyFindings") ?? []));
      return undefined;
    },
  };
}

/** What text of this server brings into a session. */
export function labelsOf(server: ServerEntry, findings: readonly Finding[]): Labels {
  return {
    integrity: server.trust,
    confidentiality: findings.some((finding) => finding.kind === "secret") ? "secret" : "public",
    sources: [server.id],
  };
}
