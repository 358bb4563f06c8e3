/**
 * Servers' questions to the person in navra's own window. A form's answer goes from that window to the server and nowhere
 * else: no page sees it, no table keeps it, and the record holds the names that were answered and not what was typed.
 *
 * A page that a server wants opened is two questions. Whether it may be opened; and once it is, when the person is done
 * there, because a yes to opening says nothing of how it ended. A server with sessions gets its "accept" when the page is
 * opened, as its revision has it, and says itself when it is done; one of 2026-07-28 would only ask again, so it is answered
 * when the person is done.
 *
 * INVARIANT: an answer leaves only if it fits the form (`answer.ts`) and holds nothing for a flagged field but what the
 * person confirmed; and only after admission and policy were asked again.
 *
 * @see MCP 2025-11-25 · Elicitation; MCP 2026-07-28 · Elicitation
 */
import type { MutableCall } from "../call.ts";
import type { QuestionApproval, QuestionAsk, QuestionReply } from "../consent/approval.ts";
import type { Answer } from "../consent/desk.ts";
import type { ApprovalQueue } from "../consent/queue.ts";
import { GatewayError } from "../errors.ts";
import type { OpenCalls } from "../open-calls.ts";
import { refuse, type Stop } from "../pipeline/stage.ts";
import { patternTest } from "../policy/pattern.ts";
import type { Decision } from "../policy/policy.ts";
import type { Ports } from "../ports.ts";
import { encodeError, encodeResult } from "../wire/encode.ts";
import type { JsonObject } from "../wire/json.ts";
import type { NotificationMessage } from "../wire/message.ts";
import { sliceAt } from "../wire/splice.ts";
import { type AnswerProblem, answerProblems } from "./answer.ts";
import { secretsAsked } from "./asks-secret.ts";
import { unconfirmed } from "./flagged.ts";
import { readForm } from "./form.ts";
import { pageAddress } from "./page-address.ts";
import { whoAnswers } from "./who-answers.ts";

/** How long a form waits, in milliseconds: a little less than the server's call is held open. */
export const QUESTION_MS = 4 * 60_000;
/** How long the person may be on a page. */
export const PAGE_MS = 15 * 60_000;

export interface Questions {
  /** Nothing for a call that is no question, or not navra's to ask. */
  ask(call: MutableCall): Promise<Stop | undefined> | undefined;
  /** Whether a notification says that a page is done which navra opened. */
  completes(serverId: string, message: NotificationMessage): boolean;
  /** A call is over, and with it what it waited for. */
  over(callId: string): void;
}

export interface QuestionsOptions {
  readonly queue: ApprovalQueue;
  readonly calls: OpenCalls;
  readonly ports: Pick<Ports, "clock" | "randomId" | "digest">;
  /** Whether the server speaks a revision without sessions. */
  readonly stateless: (serverId: string) => boolean;
  /** Runs what may have changed during a wait again. */
  readonly again: (call: MutableCall) => Stop | Decision;
}

/** A page that is open, of a server that was told so already. */
interface OpenPage {
  readonly serverId: string;
  readonly elicitationId: string;
  readonly parent: string | undefined;
  readonly end: AbortController;
}

export function createQuestions({ queue, calls, ports, stateless, again }: QuestionsOptions): Questions {
  const { clock, randomId, digest } = ports;
  const pages = new Set<OpenPage>();

  const ask = async (call: MutableCall): Promise<Stop | undefined> => {
    const asked = readQuestion(call);
    if (!asked) return unreadable(call);
    const began = clock.now();
    const approval = await approvalOf(call, asked);
    let answer = await queue.ask(approval, call.signal);
    if (answer.answer === "allow" && asked.mode === "url") {
      const after = await nextStep(approval);
      if (stateless(call.server.id)) answer = await queue.ask(after, call.signal);
      else follow(call, after);
    }
    const waitedMs = clock.now() - began;
    if (answer.answer !== "allow") return refused(call, answer, waitedMs);
    const fresh = again(call);
    if (!("verdict" in fresh)) return fresh;
    call.ledger.note("answered", { answer: "allowed", waitedMs, scope: "once" });
    return accept(call, asked, answer.reply);
  };

  const approvalOf = async (call: MutableCall, asked: QuestionAsk): Promise<QuestionApproval> => {
    const { principal, place, agent, server, callId, message } = call;
    const now = clock.now();
    return {
      kind: "question",
      id: randomId(),
      callId,
      principal,
      place,
      agent,
      digest: await digest(JSON.stringify([callId, server.id, sliceAt(call.request.text, ["params"]) ?? ""])),
      createdAt: now,
      expiresAt: now + QUESTION_MS,
      live: true,
      serverId: server.id,
      serverName: server.name,
      tool: toolOf(call.parent),
      message: typeof call.request.value?.message === "string" ? call.request.value.message : message.method,
      ask: asked,
    };
  };

  const toolOf = (callId: string | undefined): string =>
    calls
      .list()
      .find((one) => one.callId === callId)
      ?.ledger.read("action")?.tool ?? "";

  /** In the seat of the first, so that the window that asked goes on to it. */
  const nextStep = async (approval: QuestionApproval): Promise<QuestionApproval> => {
    const now = clock.now();
    const { ask: asked } = approval;
    return {
      ...approval,
      digest: await digest(`${approval.digest} after`),
      createdAt: now,
      expiresAt: now + PAGE_MS,
      ask: asked.mode === "url" ? { ...asked, step: "after" } : asked,
    };
  };

  /** The server has its answer; what is left is the person's own way to open the page again, or to give the call up. */
  const follow = (call: MutableCall, approval: QuestionApproval): void => {
    const { elicitationId } = call.message.params ?? {};
    const end = new AbortController();
    const page: OpenPage = {
      serverId: call.server.id,
      elicitationId: typeof elicitationId === "string" ? elicitationId : "",
      parent: call.parent,
      end,
    };
    pages.add(page);
    queue
      .ask(approval, end.signal)
      .then(
        (answer) => {
          if (answer.answer === "deny" && answer.reply?.cancel) {
            calls.end(
              ({ callId }) => callId === page.parent,
              new GatewayError("cancelled", GIVEN_UP, { by: "person" }),
            );
          }
        },
        () => undefined,
      )
      .finally(() => pages.delete(page));
  };

  const close = (match: (page: OpenPage) => boolean): boolean => {
    const closing = [...pages].filter(match);
    for (const page of closing) {
      pages.delete(page);
      page.end.abort(new GatewayError("cancelled", "The page is done with."));
    }
    return closing.length > 0;
  };

  return {
    ask(call) {
      return call.direction === "back" && whoAnswers(call) === "navra" ? ask(call) : undefined;
    },
    completes(serverId, { method, params }) {
      if (method !== "notifications/elicitation/complete") return false;
      const id = params?.elicitationId;
      return (
        typeof id === "string" && close((page) => page.serverId === serverId && page.elicitationId === id && id !== "")
      );
    },
    over(callId) {
      close(({ parent }) => parent === callId);
    },
  };
}

/** What is asked, as it will be shown; nothing where it is no question that MCP knows. */
function readQuestion({ request }: MutableCall): QuestionAsk | undefined {
  const { mode = "form", requestedSchema, url, message } = request.value ?? {};
  if (typeof message !== "string") return undefined;
  if (mode === "url") return typeof url === "string" ? { mode, url: pageAddress(url).href, step: "open" } : undefined;
  const fields = readForm(requestedSchema);
  return fields && { mode: "form", fields, secrets: secretsAsked(message, fields) };
}

function accept(call: MutableCall, asked: QuestionAsk, reply: QuestionReply = {}): Stop | undefined {
  if (questionProblems(asked, reply).length > 0) return UNFIT;
  const answer: JsonObject =
    asked.mode === "form" ? { action: "accept", content: reply.content ?? {} } : { action: "accept" };
  call.ledger.note("typed", asked.mode === "form");
  call.reply = { kind: "result", text: encodeResult(call.message.id, JSON.stringify(answer)), value: answer };
  return undefined;
}

/** Why this answer must not leave; none where it may. */
export function questionProblems(
  asked: QuestionAsk,
  { content = {}, confirmed = [] }: QuestionReply,
): readonly AnswerProblem[] {
  if (asked.mode === "url") return pageAddress(asked.url).openable ? [] : [{ name: "", fault: "unasked" }];
  const flagged = unconfirmed(asked.secrets, Object.keys(content), confirmed);
  return [
    ...answerProblems(asked.fields, content, (pattern, text) => patternTest(pattern)(text)),
    ...flagged.map((name): AnswerProblem => ({ name, fault: "secret" })),
  ];
}

function refused(call: MutableCall, answer: Exclude<Answer, { answer: "allow" }>, waitedMs: number): Stop {
  const said = answer.answer === "deny" && answer.reply?.cancel !== true;
  call.ledger.note("answered", { answer: answer.answer === "deny" ? "denied" : "expired", waitedMs });
  return said ? DECLINED : NOT_ANSWERED;
}

function unreadable(call: MutableCall): undefined {
  const text = encodeError(call.message.id, UNREADABLE);
  call.reply = { kind: "error", text, value: { ...UNREADABLE } };
  return undefined;
}

const UNREADABLE = { code: -32602, message: "The question is not of a shape that the protocol has." };
const GIVEN_UP = "The person gave this call up while they were asked to open a page. It may have happened already.";
const DECLINED: Stop = refuse("denied", "The person declined.", ["person"]);
const NOT_ANSWERED: Stop = refuse("not-answered", "The person has not answered.", ["person"]);
const UNFIT: Stop = refuse("not-answered", "The answer did not fit what was asked.", ["person"]);
