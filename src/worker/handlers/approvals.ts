/** Approvals: the consent window reads and answers the one it was opened for, and no other. */
import { GatewayError } from "../../core/errors.ts";
import type { ControlPeer } from "../../platform/worker/control-sender.ts";
import type { HandlerOptions, Handlers } from "./all.ts";

type Subject = "approvals.read" | "approval.open" | "approval.read" | "approval.answer" | "grant.revoke";

export function approvalHandlers({ gateway, openApproval, changed }: HandlerOptions): Pick<Handlers, Subject> {
  const { approvals, grants, pins } = gateway;
  return {
    "approvals.read": () => ({ approvals: approvals.waiting() }),
    async "approval.open"({ id }) {
      if (approvals.get(id)) await openApproval(id);
      return null;
    },
    "approval.read"({ id }, peer) {
      ownApproval(id, peer);
      const approval = approvals.get(id) ?? null;
      const pinned =
        approval?.kind === "call" ? (pins.current(approval.serverId, approval.tool)?.approved ?? null) : null;
      return { approval, waiting: approvals.waiting().length, pinned };
    },
    async "approval.answer"(given, peer) {
      ownApproval(given.id, peer);
      return { state: await approvals.answer(given) };
    },
    async "grant.revoke"({ id }) {
      await grants.revoke(id);
      changed("connections");
      return null;
    },
  };
}

function ownApproval(id: string, peer: ControlPeer): void {
  if (peer.door !== "consent" || peer.approvalId !== id) {
    throw new GatewayError("denied", "This window was opened for another question.");
  }
}
