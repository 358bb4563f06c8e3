/** Records as a lived-in installation has them: every verdict and every ending, newest first. All names are invented. */
import type { Decision, Verdict } from "../../src/core/policy/policy.ts";
import type { Principal } from "../../src/core/principal.ts";
import type { Excerpt, Outcome, RecordEntry, StageTime } from "../../src/core/recorder/entry.ts";

const site = (origin: string, topSite = origin): Principal => ({
  origin,
  topSite,
  cookieStore: "default",
  private: false,
});
export const CHAT = site("https://chat.example");
export const DESK = site("https://desk.example");
export const WIDGET = site("https://widget.example", "https://notes.example");

interface Sketch {
  readonly server: string;
  readonly tool?: string;
  readonly method?: string;
  readonly verdict: Verdict;
  readonly outcome: Outcome;
  readonly why: string;
  readonly rule: string;
  readonly ms: number;
  readonly answered?: RecordEntry["answered"];
  readonly reply?: string;
  readonly count?: number;
}

const OK: Outcome = { kind: "answered", error: false };
const BY_RULE: Outcome = { kind: "refused", name: "denied", stage: "decide" };
const READS = "It reads from a server you trust, and nothing says otherwise.";

const SKETCHES: readonly Sketch[] = [
  {
    server: "mail",
    tool: "send_email",
    verdict: "ask",
    outcome: OK,
    why: "Ask before mail leaves example.org",
    rule: "mail-external",
    ms: 4351,
    answered: { answer: "allowed", waitedMs: 4120, scope: "once" },
    reply:
      '{"content":[{"type":"text","text":"Queued as <20261130.4417@mail.example>. 1 recipient."}],"isError":false}',
  },
  { server: "mail", tool: "read_mail", verdict: "allow", outcome: OK, why: READS, rule: "default:read", ms: 310 },
  {
    server: "mail",
    tool: "delete_mail",
    verdict: "deny",
    outcome: BY_RULE,
    why: "Never delete mail",
    rule: "never-delete-mail",
    ms: 0.7,
  },
  {
    server: "tickets",
    tool: "add_comment",
    verdict: "ask",
    outcome: { kind: "refused", name: "denied", stage: "consent" },
    why: "It changes something, and nothing says it may.",
    rule: "default:other",
    ms: 1700,
    answered: { answer: "denied", waitedMs: 1690 },
  },
  {
    server: "tickets",
    tool: "update_ticket",
    verdict: "allow",
    outcome: { kind: "fault", name: "unknown", stage: "forward" },
    why: "chat.example may use tickets",
    rule: "chat-tickets",
    ms: 1300,
  },
  {
    server: "tickets",
    tool: "get_ticket",
    verdict: "allow",
    outcome: { kind: "answered", error: true },
    why: READS,
    rule: "default:read",
    ms: 1240,
    reply: '{"code":-32603,"message":"database is locked"}',
  },
  {
    server: "files",
    method: "initialize",
    verdict: "allow",
    outcome: { kind: "fault", name: "upstream-unreachable", stage: "forward" },
    why: READS,
    rule: "default:read",
    ms: 30_012,
  },
  {
    server: "files",
    tool: "read_file",
    verdict: "deny",
    outcome: { kind: "refused", name: "not-connected", stage: "admit" },
    why: "This site is not connected to the server.",
    rule: "default:other",
    ms: 0.3,
    count: 37,
  },
  { server: "mail", tool: "search_mail", verdict: "allow", outcome: OK, why: READS, rule: "default:read", ms: 393 },
  { server: "mail", method: "tools/list", verdict: "allow", outcome: OK, why: READS, rule: "default:read", ms: 92 },
];

export function recordsAt(now: number): readonly RecordEntry[] {
  return [...SKETCHES, ...SKETCHES.slice(1), ...SKETCHES.slice(1)].map((sketch, index) => entryOf(sketch, now, index));
}

function entryOf(sketch: Sketch, now: number, index: number): RecordEntry {
  const seq = 4821 - index;
  const request = `{"to":"m.keller@partner-billing.example","subject":"Invoice 2026-118","body":"Dear Ms Keller,\\nIBAN DE89 •••• 00\\nKey ••••••••","attachments":[]}`;
  return {
    callId: `call-${seq}`,
    direction: "out",
    at: now - 30_000 - index * 47_000,
    ms: sketch.ms,
    principal: index % 5 === 4 ? DESK : CHAT,
    place: { tabId: 3, frameId: 0, documentId: "8A1F" },
    agent: "Chat Helper\u200b 2.1",
    serverId: "s1",
    serverName: sketch.server,
    revision: "2025-11-25",
    method: sketch.method ?? "tools/call",
    ...(sketch.tool === undefined ? {} : { tool: sketch.tool }),
    request: excerpt(request),
    ...(sketch.reply === undefined ? {} : { reply: excerpt(sketch.reply) }),
    decisions: [decisionOf(sketch)],
    ...(sketch.answered === undefined ? {} : { answered: sketch.answered }),
    labels: { integrity: "untrusted", confidentiality: "pii", sources: ["s2"] },
    pin: "a40c77e1",
    stages: stagesOf(sketch),
    outcome: sketch.outcome,
    count: sketch.count ?? 1,
    seq,
    prev: `${"9be20d16".repeat(7)}${String(seq - 1).padStart(8, "0")}`,
    hash: `${"9be20d16".repeat(7)}${String(seq).padStart(8, "0")}`,
  };
}

function excerpt(text: string): Excerpt {
  return {
    text,
    cut: false,
    bytes: text.length,
    digest: "7f3a91c2e04b".repeat(5).concat("0000"),
    findings: text.includes("Key")
      ? [
          {
            kind: "secret",
            type: "secret.github-token",
            path: "/body",
            start: 40,
            end: 48,
            confidence: "high",
          },
        ]
      : [],
  };
}

function decisionOf(sketch: Sketch): Decision {
  const also =
    sketch.rule === "mail-external"
      ? [
          {
            rule: "flow:untrusted-write",
            verdict: "ask",
            priority: 40,
            mode: "enforce",
            sentence: "The agent has read text from outside, and this sends data out.",
          } as const,
          {
            rule: "report-to-finance",
            verdict: "allow",
            priority: 30,
            mode: "audit",
            sentence: "Weekly report to finance",
          } as const,
        ]
      : [];
  return {
    phase: "request",
    verdict: sketch.verdict,
    reasons: [
      { rule: sketch.rule, verdict: sketch.verdict, priority: 50, mode: "enforce", sentence: sketch.why },
      ...also,
    ],
    redact: sketch.rule === "mail-external" ? ["secret"] : [],
  };
}

function stagesOf(sketch: Sketch): readonly StageTime[] {
  const names = ["admit", "resolve", "pin", "inspect", "label", "decide", "redact"];
  const quick = names.map((stage, index) => ({ stage, at: index * 0.02, ms: 0.02 }));
  if (sketch.outcome.kind === "refused" && sketch.outcome.stage !== "consent") return quick.slice(0, 6);
  const waited = sketch.answered?.waitedMs ?? 0;
  const consent = waited > 0 ? [{ stage: "consent", at: 0.2, ms: waited }] : [];
  if (sketch.outcome.kind === "refused") return [...quick, ...consent];
  const forward = { stage: "forward", at: 0.3 + waited, ms: Math.max(0.1, sketch.ms - waited - 0.6) };
  return [...quick, ...consent, forward, { stage: "deliver", at: sketch.ms - 0.2, ms: 0.1 }];
}
