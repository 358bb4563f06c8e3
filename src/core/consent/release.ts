/**
 * Answers that policy asks about: held in memory until the person releases them. The call was made and is never made
 * again; what is decided here is only whether its answer reaches who asked. What is held ends with its call, so a pause,
 * a disconnection or the agent's own cancellation takes it along, and after the worker's death the journal says `unknown`.
 *
 * INVARIANT: an answer goes on only after "allow" for the digest of exactly the text that is given on, and only while policy,
 * asked again, has no reason to withhold it that the person was not shown.
 */
import type { MutableCall } from "../call.ts";
import type { GatewayLimits } from "../limits.ts";
import type { Stage, Stop } from "../pipeline/stage.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import { decide } from "../policy/decide.ts";
import type { Decision, Reason } from "../policy/policy.ts";
import { replyFacts, withheld } from "../policy/stage.ts";
import type { Clock } from "../ports.ts";
import { utf8Length } from "../wire/bytes.ts";
import { sliceAt } from "../wire/splice.ts";
import type { ReplyApproval } from "./approval.ts";
import type { ApprovalQueue } from "./queue.ts";
import { asking } from "./stage.ts";

export interface HoldOptions {
  readonly queue: ApprovalQueue;
  readonly limits: Pick<GatewayLimits, "askSeconds">;
  readonly policy: () => CompiledPolicy;
  readonly clock: Clock;
  readonly randomId: () => string;
  readonly digest: (text: string) => Promise<string>;
}

/** How much of all answers together may be held, in UTF-16 code units; what comes beyond it is withheld at once. */
const MOST_HELD = 32 * 1024 * 1024;
/** How much of one is shown. The person may release what is longer, and is told that there is more. */
const MOST_SHOWN = 20_000;
/** How often new reasons may bring the same answer back to the person. */
const ROUNDS = 3;

export function holdReply(options: HoldOptions): NonNullable<Stage["reply"]> {
  let held = 0;
  return (call) => {
    const decision = call.ledger.decisions.at(-1);
    const { reply } = call;
    if (decision?.phase !== "reply" || decision.verdict !== "ask" || !reply) return undefined;
    const { length } = reply.text;
    if (held + length > MOST_HELD) return TOO_MUCH;
    held += length;
    return askToRelease(call, decision, options).finally(() => {
      held -= length;
    });
  };
}

async function askToRelease(call: MutableCall, first: Decision, options: HoldOptions): Promise<Stop | undefined> {
  const { queue, limits, policy, clock, randomId, digest } = options;
  const began = clock.now();
  const about = questionOf(call, await digest(call.reply?.text ?? ""));
  let shown = asking(first);
  for (let round = 0; round < ROUNDS; round++) {
    const now = clock.now();
    const times = { createdAt: now, expiresAt: now + limits.askSeconds * 1_000 };
    const { answer } = await queue.ask({ ...about, ...times, ...wordsOf(shown), id: randomId() }, call.signal);
    const waitedMs = clock.now() - began;
    if (answer !== "allow") {
      call.ledger.note("released", { answer: answer === "deny" ? "denied" : "expired", waitedMs });
      return answer === "deny" ? NOT_RELEASED : NOBODY_LOOKED;
    }
    const fresh = decide(policy(), replyFacts(call, "reply", clock));
    call.ledger.decided(fresh);
    const reasons = asking(fresh);
    const isSeen = fresh.verdict === "allow" || reasons.every(({ rule }) => shown.some((one) => one.rule === rule));
    if (fresh.verdict === "deny" || !fresh.redact.every((kind) => first.redact.includes(kind))) return withheld(fresh);
    if (isSeen) {
      call.ledger.note("released", { answer: "allowed", waitedMs, scope: "once" });
      return undefined;
    }
    shown = reasons;
  }
  return NOBODY_LOOKED;
}

function wordsOf(reasons: readonly Reason[]): Pick<ReplyApproval, "reasons" | "rules"> {
  return { reasons: reasons.map(({ sentence }) => sentence), rules: reasons.map(({ rule }) => rule) };
}

type Question = Omit<ReplyApproval, "id" | "createdAt" | "expiresAt" | "reasons" | "rules">;

function questionOf(call: MutableCall, digest: string): Question {
  const { kind = "result", text = "" } = call.reply ?? {};
  const resultText = sliceAt(text, [kind]) ?? text;
  return {
    kind: "reply",
    callId: call.callId,
    principal: call.principal,
    place: call.place,
    agent: call.agent,
    digest,
    live: true,
    serverId: call.server.id,
    serverName: call.server.name,
    direction: call.direction,
    method: call.message.method,
    tool: call.ledger.read("action")?.tool ?? call.message.method,
    resultText: resultText.slice(0, MOST_SHOWN),
    cut: resultText.length > MOST_SHOWN,
    bytes: utf8Length(resultText),
    findings: (call.ledger.read("replyFindings") ?? []).map(({ kind: found, type }) => ({ kind: found, type })),
  };
}

const NOT_RELEASED: Stop = {
  kind: "fault",
  name: "withheld",
  detail:
    "The call was made, but the person looked at the answer and did not release it. Do not repeat the call; ask them what they want instead.",
  reasons: ["person"],
};

const NOBODY_LOOKED: Stop = {
  kind: "fault",
  name: "not-answered",
  detail:
    "The call was made, but its answer waited for the person and they did not release it in time. Do not repeat the call before they have told you to.",
  reasons: ["person"],
  data: { retry: "check" },
};

const TOO_MUCH: Stop = {
  kind: "fault",
  name: "withheld",
  detail:
    "The call was made, but too many answers wait for the person already, so this one was not kept. Wait until they have answered some, and look before you repeat the call.",
  reasons: ["person"],
};
