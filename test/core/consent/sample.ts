/** Calls that wait, as the consent tests need them. */
import type { CallApproval, ConnectApproval, Grant } from "../../../src/core/consent/approval.ts";
import type { GrantQuestion } from "../../../src/core/consent/grants.ts";
import { principalKey } from "../../../src/core/principal.ts";
import { PLACE, SITE } from "../../fakes/gateway.ts";

export function callApproval(id: string, more: Partial<CallApproval> = {}): CallApproval {
  return {
    kind: "call",
    id,
    callId: `call-${id}`,
    principal: SITE,
    place: PLACE,
    agent: "",
    digest: "d1",
    createdAt: 0,
    expiresAt: 120_000,
    live: true,
    serverId: "s1",
    serverName: "mail",
    method: "tools/call",
    tool: "send",
    class: "external",
    argumentsText: '{"to":"ada","body":"hello"}',
    bytes: 27,
    argumentsDigest: "a1",
    labels: { integrity: "trusted", confidentiality: "public", sources: [] },
    sources: [],
    origins: [],
    findings: [],
    pinText: "{}",
    reasons: ["It asks."],
    rules: ["default:other"],
    ...more,
  };
}

export function connectApproval(id: string): ConnectApproval {
  const { principal, place, agent, digest, createdAt, expiresAt, live } = callApproval(id);
  return { kind: "connect", id, principal, place, agent, digest, createdAt, expiresAt, live, act: true, servers: [] };
}

export function question(more: Partial<GrantQuestion> = {}): GrantQuestion {
  return {
    principalKey: principalKey(SITE),
    serverId: "s1",
    tool: "send",
    pinText: "{}",
    digest: "d1",
    argumentsText: '{"to":"ada","body":"hello"}',
    rules: ["default:other"],
    sources: [],
    ...more,
  };
}

export function grant(more: Partial<Grant> = {}): Grant {
  return {
    id: "g1",
    principalKey: principalKey(SITE),
    serverId: "s1",
    tool: "send",
    pinText: "{}",
    scope: "tool",
    rules: ["default:other"],
    sources: [],
    createdAt: 0,
    expiresAt: null,
    usesLeft: null,
    used: 0,
    ...more,
  };
}
