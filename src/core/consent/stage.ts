/**
 * `consent`: asks the person where policy says ask. A grant may answer instead. After any wait the call is decided again
 * on fresh facts, and an approval answers exactly the reasons shown for exactly the digest shown: when new reasons have
 * come up meanwhile, the person is asked again.
 */
import type { MutableCall } from "../call.ts";
import { canonicalDefinition } from "../pins/stage.ts";
import { refuse, type Stage, type Stop } from "../pipeline/stage.ts";
import type { Decision, Reason } from "../policy/policy.ts";
import type { Clock } from "../ports.ts";
import { sliceAt } from "../wire/splice.ts";
import type { CallApproval, GrantScope } from "./approval.ts";
import { type GrantQuestion, type Grants, SESSION_GRANT_MS } from "./grants.ts";
import type { ApprovalQueue } from "./queue.ts";

/** How long a question waits before it counts as a denial, in milliseconds. */
export const ASK_MS = 120_000;
/** How often new reasons may bring the same call back to the person. */
const ROUNDS = 3;

export interface ConsentOptions {
  readonly queue: ApprovalQueue;
  readonly grants: Grants;
  readonly clock: Clock;
  readonly randomId: () => string;
  readonly digest: (text: string) => Promise<string>;
  /** The call is about to wait; its journal entry is issued now, so that a worker's death while waiting is told. */
  readonly waits: (call: MutableCall) => void;
  /** Runs what may have changed during a wait again: admission, pins, labels, policy. */
  readonly again: (call: MutableCall) => Stop | Decision;
}

export function consentStage(options: ConsentOptions): Stage {
  return {
    name: "consent",
    request(call) {
      const decision = call.ledger.decisions.at(-1);
      return decision?.verdict === "ask" ? askPerson(call, decision, options) : undefined;
    },
  };
}

async function askPerson(call: MutableCall, first: Decision, options: ConsentOptions): Promise<Stop | undefined> {
  const { queue, grants, clock, randomId, again } = options;
  const began = clock.now();
  const question = await questionOf(call, options.digest);
  call.ledger.note("digest", question.digest);

  const grant = grants.take(question);
  if (grant) {
    call.ledger.note("answered", { answer: "grant", waitedMs: 0, scope: grant.scope });
    return undefined;
  }

  options.waits(call);
  let shown = asking(first);
  for (let round = 0; round < ROUNDS; round++) {
    const answer = await queue.ask(
      approvalOf(call, { question, reasons: shown, id: randomId(), now: clock.now() }),
      call.signal,
    );
    const waitedMs = clock.now() - began;
    if (answer.answer !== "allow") {
      call.ledger.note("answered", { answer: answer.answer === "deny" ? "denied" : "expired", waitedMs });
      return answer.answer === "deny" ? SAID_NO : NO_ANSWER;
    }

    const fresh = again(call);
    if (!("verdict" in fresh)) return fresh;
    const reasons = asking(fresh);
    if (fresh.verdict === "allow" || reasons.every((reason) => shown.some(({ rule }) => rule === reason.rule))) {
      call.ledger.note("answered", { answer: "allowed", waitedMs, scope: answer.scope });
      if (answer.scope !== "once") await keepGrant(options, question, answer.scope).catch(() => undefined);
      return undefined;
    }
    shown = reasons;
  }
  return NO_ANSWER;
}

/** Turns an approval into a standing grant. */
export async function keepGrant(
  { grants, clock, randomId }: Pick<ConsentOptions, "grants" | "clock" | "randomId">,
  question: GrantQuestion,
  scope: Exclude<GrantScope, "once">,
): Promise<void> {
  const { principalKey, serverId, tool, pinText } = question;
  const now = clock.now();
  const expiresAt = scope === "session" ? now + SESSION_GRANT_MS : null;
  await grants.add({ id: randomId(), principalKey, serverId, tool, pinText, scope, createdAt: now, expiresAt });
}

async function questionOf(call: MutableCall, digest: ConsentOptions["digest"]): Promise<GrantQuestion> {
  const definition = call.ledger.read("definition");
  const { principalKey, server, message } = call;
  const tool = call.ledger.read("action")?.tool ?? message.method;
  return {
    principalKey,
    serverId: server.id,
    tool,
    pinText: definition ? canonicalDefinition(definition) : "",
    digest: await digest(JSON.stringify([principalKey, server.id, message.method, tool, argumentsText(call)])),
  };
}

function approvalOf(
  call: MutableCall,
  { question, reasons, id, now }: { question: GrantQuestion; reasons: readonly Reason[]; id: string; now: number },
): CallApproval {
  return {
    kind: "call",
    id,
    callId: call.callId,
    principal: call.principal,
    place: call.place,
    agent: call.agent,
    digest: question.digest,
    createdAt: now,
    expiresAt: now + ASK_MS,
    live: true,
    serverId: call.server.id,
    serverName: call.server.name,
    method: call.message.method,
    tool: question.tool,
    class: call.ledger.read("class") ?? "external",
    argumentsText: argumentsText(call),
    pinText: question.pinText,
    reasons: reasons.map(({ sentence }) => sentence),
  };
}

/** The exact text that would be sent: the arguments of a tool or prompt, the whole parameters of anything else. */
function argumentsText(call: MutableCall): string {
  // Answers to what a server asked go along, so they are shown too.
  const inArguments =
    (call.ledger.read("action")?.tool !== undefined || call.message.method === "prompts/get") &&
    call.request.value?.inputResponses === undefined;
  return sliceAt(call.request.text, inArguments ? ["params", "arguments"] : ["params"]) ?? "{}";
}

function asking(decision: Decision): readonly Reason[] {
  return decision.reasons.filter(({ verdict, mode }) => verdict === "ask" && mode === "enforce");
}

const SAID_NO: Stop = refuse(
  "denied",
  "The person was asked and said no, so this call was not sent. Do not retry it; ask them what they want instead.",
  ["person"],
);

const NO_ANSWER: Stop = refuse(
  "not-answered",
  "The person was asked and has not answered, so this call was not sent. Tell them that navra waits for their answer before you try once more.",
  ["person"],
);
