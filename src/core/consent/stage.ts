/**
 * `consent`: asks the person where policy says ask. A grant may answer instead. After any wait the call is decided again
 * on fresh facts, and an approval answers exactly the reasons shown for exactly the digest shown: when new reasons have
 * come up meanwhile, the person is asked again. An answer that policy asks about is held in `release.ts`.
 */
import type { MutableCall } from "../call.ts";
import type { Labels } from "../flow/labels.ts";
import type { Provenance } from "../flow/provenance.ts";
import { inspect } from "../inspect/inspect.ts";
import type { GatewayLimits } from "../limits.ts";
import { metaOf } from "../mcp/meta.ts";
import { canonicalDefinition } from "../pins/stage.ts";
import { refuse, type Stage, type Stop } from "../pipeline/stage.ts";
import type { Decision, Reason } from "../policy/policy.ts";
import type { Clock } from "../ports.ts";
import type { ServerEntry } from "../servers/server.ts";
import { utf8Length } from "../wire/bytes.ts";
import type { JsonValue } from "../wire/json.ts";
import { sliceAt, splice } from "../wire/splice.ts";
import type { CallApproval, GrantScope, SinceApproved } from "./approval.ts";
import { argumentOrigins } from "./argument-origins.ts";
import { type GrantQuestion, type Grants, narrower } from "./grants.ts";
import type { ApprovalQueue } from "./queue.ts";
import { grantOf } from "./wish.ts";

/** How often new reasons may bring the same call back to the person. */
const ROUNDS = 3;

export interface ConsentOptions {
  readonly queue: ApprovalQueue;
  /** How long a question waits before it counts as a denial. */
  readonly limits: Pick<GatewayLimits, "askSeconds">;
  readonly grants: Grants;
  readonly clock: Clock;
  readonly randomId: () => string;
  readonly digest: (text: string) => Promise<string>;
  /** The call is about to wait; its journal entry is issued now, so that a worker's death while waiting is told. */
  readonly waits: (call: MutableCall) => void;
  /** The server of an id, for naming where data came from. */
  readonly serverOf: (serverId: string) => ServerEntry | undefined;
  /** Where values of the arguments stood before. */
  readonly provenance: Pick<Provenance, "match">;
  /** What changed since the person last approved a call of the same tool for the same site. */
  readonly lastApproved: (call: MutableCall) => SinceApproved | undefined;
  /** Asks the person what a server asks them, where that is navra's to do; nothing for any other call. */
  readonly question: (call: MutableCall) => Promise<Stop | undefined> | undefined;
  /** Runs what may have changed during a wait again: admission, pins, labels, policy. */
  readonly again: (call: MutableCall) => Stop | Decision;
  /** Holds an answer that policy asks about until the person releases it. */
  readonly hold: NonNullable<Stage["reply"]>;
}

export function consentStage(options: ConsentOptions): Stage {
  return {
    name: "consent",
    request(call) {
      // The window with the question is the question: a yes or no before it would say nothing more.
      const asked = options.question(call);
      if (asked) return asked;
      const decision = call.ledger.decisions.at(-1);
      return decision?.verdict === "ask" ? askPerson(call, decision, options) : undefined;
    },
    reply: options.hold,
  };
}

async function askPerson(call: MutableCall, first: Decision, options: ConsentOptions): Promise<Stop | undefined> {
  const { queue, grants, clock, randomId, digest, again } = options;
  const began = clock.now();
  const text = argumentsText(call);
  const argumentsDigest = await digest(text);
  const question = await questionOf(call, { text, argumentsDigest, decision: first, digest });
  call.ledger.note("digest", question.digest);

  const grant = grants.take(question, first.grant);
  if (grant) {
    call.ledger.note("answered", { answer: "grant", waitedMs: 0, scope: grant.scope });
    return undefined;
  }

  options.waits(call);
  let shown = asking(first);
  let { grant: widest } = first;
  for (let round = 0; round < ROUNDS; round++) {
    const now = clock.now();
    const approval = approvalOf(
      call,
      { question, reasons: shown, widest, id: randomId(), now, argumentsDigest },
      options,
    );
    const answer = await queue.ask(approval, call.signal);
    const waitedMs = clock.now() - began;
    if (answer.answer !== "allow") {
      call.ledger.note("answered", { answer: answer.answer === "deny" ? "denied" : "expired", waitedMs });
      return answer.answer === "deny" ? SAID_NO : NO_ANSWER;
    }

    const fresh = again(call);
    if (!("verdict" in fresh)) return fresh;
    const reasons = asking(fresh);
    if (fresh.verdict === "allow" || reasons.every((reason) => shown.some(({ rule }) => rule === reason.rule))) {
      const scope = narrower(answer.scope, fresh.grant ?? "tool");
      call.ledger.note("answered", { answer: "allowed", waitedMs, scope });
      if (scope !== "once") {
        const { principalKey } = call;
        const chosen = { scope, wish: answer.grant, now: clock.now() };
        await grants.add(grantOf({ id: randomId(), principalKey, approval, ...chosen })).catch(() => undefined);
      }
      return undefined;
    }
    shown = reasons;
    widest = fresh.grant;
  }
  return NO_ANSWER;
}

async function questionOf(
  call: MutableCall,
  about: {
    readonly text: string;
    readonly argumentsDigest: string;
    readonly decision: Decision;
    readonly digest: ConsentOptions["digest"];
  },
): Promise<GrantQuestion> {
  const { text, argumentsDigest, decision, digest } = about;
  const definition = call.ledger.read("definition");
  const { principalKey, server, message } = call;
  const tool = call.ledger.read("action")?.tool ?? message.method;
  return {
    principalKey,
    serverId: server.id,
    tool,
    pinText: definition ? canonicalDefinition(definition) : "",
    // Over the digest of the arguments, so that a megabyte is read once.
    digest: await digest(JSON.stringify([principalKey, server.id, message.method, tool, argumentsDigest])),
    argumentsText: text,
    rules: asking(decision).map(({ rule }) => rule),
    sources: (call.ledger.read("sessionLabels") ?? UNREAD).sources,
  };
}

interface Shown {
  readonly question: GrantQuestion;
  readonly reasons: readonly Reason[];
  readonly widest: GrantScope | undefined;
  readonly id: string;
  readonly now: number;
  readonly argumentsDigest: string;
}

function approvalOf(
  call: MutableCall,
  { question, reasons, widest, id, now, argumentsDigest }: Shown,
  {
    limits,
    serverOf,
    lastApproved,
    provenance,
  }: Pick<ConsentOptions, "limits" | "serverOf" | "lastApproved" | "provenance">,
): CallApproval {
  const match = (value: JsonValue) => provenance.match(call.principalKey, value);
  const labels = call.ledger.read("sessionLabels") ?? UNREAD;
  const since = lastApproved(call);
  return {
    kind: "call",
    id,
    callId: call.callId,
    principal: call.principal,
    place: call.place,
    agent: call.agent,
    digest: question.digest,
    createdAt: now,
    expiresAt: now + limits.askSeconds * 1_000,
    live: true,
    serverId: call.server.id,
    serverName: call.server.name,
    method: call.message.method,
    tool: question.tool,
    class: call.ledger.read("class") ?? "external",
    argumentsText: question.argumentsText,
    bytes: utf8Length(question.argumentsText),
    argumentsDigest,
    labels,
    sources: labels.sources.flatMap((source) => serverOf(source) ?? []).map(({ name, trust }) => ({ name, trust })),
    origins: argumentOrigins(hasOnlyArguments(call) ? call.request.value?.arguments : call.request.value, {
      match,
      serverOf,
    }),
    findings: inspect(call.request.value ?? {}).flatMap(({ kind, type, path }) => {
      if (!hasOnlyArguments(call)) return [{ kind, type, path }];
      return path.startsWith(ARGUMENTS) ? [{ kind, type, path: path.slice(ARGUMENTS.length) }] : [];
    }),
    ...(since ? { since } : {}),
    pinText: question.pinText,
    reasons: reasons.map(({ sentence }) => sentence),
    rules: reasons.map(({ rule }) => rule),
    ...(widest ? { widest } : {}),
  };
}

/** Where a tool's arguments stand in the parameters that detectors read. */
const ARGUMENTS = "/arguments";

/** A call without labels counts as one that has read everything. */
const UNREAD: Labels = { integrity: "untrusted", confidentiality: "secret", sources: [] };

/**
 * The exact text that would be sent: the arguments of a tool that gets nothing else, the whole parameters of any other
 * call. What the protocol itself adds to `_meta` says nothing and differs each time.
 */
function argumentsText(call: MutableCall): string {
  const text = sliceAt(call.request.text, ["params"]) ?? "{}";
  if (hasOnlyArguments(call)) return sliceAt(text, ["arguments"]) ?? "{}";
  const added = Object.keys(metaOf(call.request.value) ?? {}).filter(isProtocols);
  return splice(
    text,
    added.map((name) => ({ path: ["_meta", name], value: null })),
  );
}

function hasOnlyArguments({ ledger, request }: MutableCall): boolean {
  if (ledger.read("action")?.tool === undefined) return false;
  const others = Object.keys(request.value ?? {}).filter((name) => !["name", "arguments", "_meta"].includes(name));
  return others.length === 0 && Object.keys(metaOf(request.value) ?? {}).every(isProtocols);
}

function isProtocols(name: string): boolean {
  return name.startsWith("io.modelcontextprotocol/") || PROTOCOL_META.has(name);
}

/** @see MCP 2026-07-28 · Base protocol · `_meta` (progress, and trace context by W3C) */
const PROTOCOL_META: ReadonlySet<string> = new Set(["progressToken", "traceparent", "tracestate", "baggage"]);

export function asking(decision: Decision): readonly Reason[] {
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
