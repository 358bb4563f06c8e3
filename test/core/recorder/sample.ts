import { createHash } from "node:crypto";
import type { RecordBody } from "../../../src/core/recorder/entry.ts";

export const digest = async (text: string): Promise<string> => createHash("sha256").update(text).digest("hex");

export function body(callId: string, isPrivate: "normal" | "private" = "normal"): RecordBody {
  return {
    callId,
    direction: "out",
    at: 1_793_500_000_000,
    ms: 12.5,
    principal: {
      origin: "https://chat.example",
      topSite: "https://chat.example",
      cookieStore: "default",
      private: isPrivate === "private",
    },
    place: { tabId: 1, frameId: 0, documentId: "d1" },
    agent: "agent",
    serverId: "s1",
    serverName: "files",
    revision: "2025-11-25",
    method: "tools/call",
    tool: "file_read",
    request: { text: '{"path":"a"}', cut: false, bytes: 12, digest: "d".repeat(64), findings: [] },
    decisions: [
      {
        phase: "request",
        verdict: "allow",
        reasons: [{ rule: "default:read", verdict: "allow", priority: 0, mode: "enforce", sentence: "It reads." }],
        redact: [],
      },
    ],
    stages: [{ stage: "admit", at: 0, ms: 0.1 }],
    outcome: { kind: "answered", error: false },
    count: 1,
  };
}
