/**
 * An approval whose asker had given up by the time the person answered. A call's becomes a grant: for the same digest,
 * once, for a while, or as wide as the person chose. A site's connection is made all the same: the person wanted it.
 */

import type { Ports } from "../ports.ts";
import { principalKey } from "../principal.ts";
import type { Approval } from "./approval.ts";
import type { Connector } from "./connect.ts";
import { type Grants, LATE_GRANT_MS } from "./grants.ts";
import type { Answer } from "./queue.ts";
import { keepGrant } from "./stage.ts";

export interface LateOptions {
  readonly grants: Grants;
  readonly connector: () => Connector;
  readonly ports: Pick<Ports, "clock" | "randomId" | "changed">;
}

export function answerLate({ grants, connector, ports }: LateOptions) {
  const { clock, randomId, changed } = ports;
  return async (approval: Approval, { scope, tools }: Extract<Answer, { answer: "allow" }>): Promise<void> => {
    if (approval.kind === "connect") {
      await connector().connectAnswered(approval, tools);
      changed("connections");
      return;
    }
    const { serverId, tool, pinText, digest } = approval;
    const question = { principalKey: principalKey(approval.principal), serverId, tool, pinText, digest };
    if (scope !== "once") return keepGrant({ grants, clock, randomId }, question, scope);
    const now = clock.now();
    await grants.add({ ...question, id: randomId(), scope, createdAt: now, expiresAt: now + LATE_GRANT_MS });
  };
}
