/**
 * An approval whose asker had given up by the time the person answered. A call's becomes a grant: for the same digest,
 * once, for a while, or as wide as the person chose. A site's connection is made all the same: the person wanted it.
 */

import type { Ports } from "../ports.ts";
import { principalKey } from "../principal.ts";
import type { Approval } from "./approval.ts";
import type { Connector } from "./connect.ts";
import type { Answer } from "./desk.ts";
import { type Grants, LATE_GRANT_MS, narrower } from "./grants.ts";
import { grantOf } from "./wish.ts";

export interface LateOptions {
  readonly grants: Grants;
  readonly connector: () => Connector;
  readonly ports: Pick<Ports, "clock" | "randomId" | "changed">;
}

export function answerLate({ grants, connector, ports }: LateOptions) {
  const { clock, randomId, changed } = ports;
  return async (
    approval: Approval,
    { scope: chosen, grant, tools }: Extract<Answer, { answer: "allow" }>,
  ): Promise<void> => {
    if (approval.kind === "connect") {
      await connector().connectAnswered(approval, tools);
      changed("connections");
      return;
    }
    if (approval.kind === "reply" || approval.kind === "question") return;
    const scope = narrower(chosen, approval.widest ?? "tool");
    const id = randomId();
    const now = clock.now();
    const key = principalKey(approval.principal);
    if (scope !== "once") {
      await grants.add(grantOf({ id, principalKey: key, approval, scope, wish: grant, now }));
    } else {
      const { serverId, tool, pinText, digest, rules, labels } = approval;
      await grants.add({
        id,
        principalKey: key,
        serverId,
        tool,
        pinText,
        scope,
        digest,
        rules,
        sources: labels.sources,
        createdAt: now,
        expiresAt: now + LATE_GRANT_MS,
        usesLeft: 1,
        used: 0,
      });
    }
    changed("connections");
  };
}
