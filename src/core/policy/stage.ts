/**
 * `decide`: where policy is asked, once per phase (and again after a wait, in `consent/again.ts`). In the request phase a denial ends the call and an ask is
 * left to the consent stage; a reply that is denied is withheld by name, one that asks is held there until the person
 * releases it; an event that is not allowed is dropped; a list loses the items the asker may not see.
 */
import type { EventInHand, MutableCall } from "../call.ts";
import type { Connections } from "../consent/connections.ts";
import { formAsksSecret } from "../elicit/asks-secret.ts";
import { type ListedItem, listedItems } from "../mcp/lists.ts";
import { isModern } from "../mcp/revision.ts";
import { UNKNOWN_TOOL } from "../mcp/stage.ts";
import { isShown } from "../mcp/visibility.ts";
import { refuse, type Stage, type Stop } from "../pipeline/stage.ts";
import type { Clock } from "../ports.ts";
import { utf8Length } from "../wire/bytes.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import type { CompiledPolicy } from "./compile.ts";
import { decide } from "./decide.ts";
import type { Annotations, Decision, Facts, Phase } from "./policy.ts";
import { pastCall, type UsageBook } from "./usage.ts";

export interface DecideOptions {
  readonly policy: () => CompiledPolicy;
  readonly connections: Connections;
  readonly usage: UsageBook;
  readonly clock: Clock;
}

export function decideStage({ policy, connections, usage, clock }: DecideOptions): Stage {
  const ticked = (call: MutableCall): readonly string[] =>
    connections.get(call.principalKey, call.server.id)?.tools ?? [];
  return {
    name: "decide",
    request(call) {
      const facts = requestFacts(call, { usage, clock });
      const decision = decide(policy(), facts);
      call.ledger.decided(decision);
      if (decision.hidden) return unknownTo(call);
      usage.note(call.principalKey, pastCall(call.callId, facts, decision));
      return decision.verdict === "deny" ? denial(decision, call) : undefined;
    },
    reply(call) {
      const decision = decide(policy(), replyFacts(call, "reply", clock));
      call.ledger.decided(decision);
      if (decision.verdict === "deny") return withheld(decision);
      const facts = replyFacts(call, "list", clock);
      hideItems(call, new Set(ticked(call)), (item) => decide(policy(), { ...facts, ...item }));
      return undefined;
    },
    event(call, event) {
      const decision = decide(policy(), eventFacts(call, event, clock));
      event.redact = decision.redact;
      event.decision = decision;
      return decision.verdict === "allow" ? undefined : withheld(decision);
    },
  };
}

/** The facts of the request phase, read fresh; deciding again after a wait takes the call itself out of its usage. */
export function requestFacts(call: MutableCall, { usage, clock }: Pick<DecideOptions, "usage" | "clock">): Facts {
  const { ledger } = call;
  const args = ledger.read("action")?.args;
  return {
    ...common(call, "request", clock),
    ...subject(call),
    ...(args === undefined ? {} : { args }),
    findings: ledger.read("requestFindings") ?? [],
    labels: ledger.read("sessionLabels") ?? { integrity: "untrusted", confidentiality: "secret", sources: [] },
    pin: ledger.read("pin") ?? "none",
    ...(asksSecret(call) ? { asksSecret: true } : {}),
    bytes: utf8Length(call.request.text),
    usage: usage.of(call.principalKey),
  };
}

/** Turns a denial into what the agent hears: what was refused, that retrying will not help, what to do instead. */
export function denial(decision: Decision, call: MutableCall): Stop {
  if (decision.hidden) return unknownTo(call);
  const [first] = decision.reasons;
  const kind = first ? reasonKind(first.rule) : "default";
  if (kind === "pin") return CHANGED;
  const said = decision.say ? ` ${decision.say}` : "";
  if (kind === "rate") {
    return refuse(
      "rate-limited",
      `The person's policy lets this site make such calls only so often, so this one was not sent.${said} Wait some minutes before you try it again; tell the person if it cannot wait.`,
      [kind],
    );
  }
  return refuse(
    "denied",
    `The person's policy does not allow this call, so it was not sent.${said} Do not retry it; tell the person if it is needed.`,
    [kind],
  );
}

/** What is hidden looks like what is not there. */
function unknownTo({ ledger }: MutableCall): Stop {
  const { prompt, uri } = ledger.read("action") ?? {};
  if (uri !== undefined) return UNKNOWN_RESOURCE;
  return prompt === undefined ? UNKNOWN_TOOL : UNKNOWN_PROMPT;
}

/** What a page may learn of a reason: its kind, never the rule. */
export function reasonKind(rule: string): string {
  const at = rule.indexOf(":");
  return at > 0 && ["default", "flow", "pin", "error", "rate", "managed"].includes(rule.slice(0, at))
    ? rule.slice(0, at)
    : "rule";
}

function common(call: MutableCall, phase: Phase, clock: Clock) {
  const { principal, ledger } = call;
  const toolClass = ledger.read("class");
  return {
    phase,
    now: clock.now(),
    utcOffsetMinutes: clock.utcOffsetMinutes(),
    direction: call.direction,
    origin: principal.origin,
    topSite: principal.topSite,
    private: principal.private,
    serverId: call.server.id,
    method: call.message.method,
    era: isModern(call.revision) ? "modern" : "legacy",
    ...(toolClass === undefined ? {} : { class: toolClass }),
  } as const;
}

function asksSecret({ direction, message, request }: MutableCall): boolean {
  if (direction !== "back" || message.method !== "elicitation/create") return false;
  return request.value?.mode !== "url" && formAsksSecret(request.value ?? {});
}

/** What the call acts on, and what the server says of that. */
function subject({ ledger }: MutableCall): Pick<Facts, "tool" | "prompt" | "uri" | "annotations"> {
  const { tool, prompt, uri } = ledger.read("action") ?? {};
  const annotations = ledger.read("definition")?.value.annotations;
  return {
    ...(tool === undefined ? {} : { tool }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(uri === undefined ? {} : { uri }),
    ...(isObject(annotations) ? { annotations: hintsOf(annotations) } : {}),
  };
}

/** A hint that is no boolean says nothing. */
function hintsOf(annotations: JsonObject): Annotations {
  return Object.fromEntries(Object.entries(annotations).filter(([, value]) => typeof value === "boolean"));
}

/** The facts of the reply phase, or of a list without its item. */
export function replyFacts(call: MutableCall, phase: "reply" | "list", clock: Clock): Facts {
  const { ledger } = call;
  const labels = ledger.read("replyLabels");
  return {
    ...common(call, phase, clock),
    ...(phase === "list" ? {} : subject(call)),
    ...(phase === "list" ? {} : { findings: ledger.read("replyFindings") ?? [] }),
    ...(phase === "list" || labels === undefined ? {} : { labels }),
    pin: phase === "list" ? "none" : (ledger.read("pin") ?? "none"),
    bytes: phase === "list" || !call.reply ? 0 : utf8Length(call.reply.text),
  };
}

function eventFacts(call: MutableCall, event: EventInHand, clock: Clock): Facts {
  return {
    ...common(call, "event", clock),
    method: event.method,
    findings: event.findings ?? [],
    pin: "none",
    bytes: utf8Length(event.payload.text),
  };
}

type ListedSubject = Pick<Facts, "tool" | "prompt" | "uri">;

const SUBJECTS: ReadonlyMap<string, (name: string) => ListedSubject> = new Map([
  ["tools/list", (tool: string): ListedSubject => ({ tool })],
  ["prompts/list", (prompt: string): ListedSubject => ({ prompt })],
  ["resources/list", (uri: string): ListedSubject => ({ uri })],
  ["resources/templates/list", (uri: string): ListedSubject => ({ uri })],
]);

/** Takes out what policy hides, and of tools also what is not ticked, has changed, or is not for such an agent. */
function hideItems(call: MutableCall, ticked: ReadonlySet<string>, judge: (item: ListedSubject) => Decision): void {
  const { method } = call.message;
  const subject = SUBJECTS.get(method);
  if (!subject || call.reply?.kind !== "result") return;
  const quarantined = call.ledger.read("quarantined");
  const shut = ({ name, value }: ListedItem): boolean =>
    method === "tools/list" &&
    (!ticked.has(name) || !!quarantined?.has(name) || !isShown(value, call.capabilities.value));
  const hidden = new Set<string>();
  for (const item of listedItems(call)) {
    if (shut(item) || judge(subject(item.name)).verdict === "deny") hidden.add(item.name);
  }
  call.ledger.note("hidden", hidden);
}

const UNKNOWN_PROMPT: Stop = {
  kind: "fault",
  name: "invalid-params",
  detail: "There is no prompt of this name here. List the prompts again and use a name from that list.",
};

const UNKNOWN_RESOURCE: Stop = {
  kind: "fault",
  name: "invalid-params",
  detail: "There is no resource of this address here. List the resources again and use an address from that list.",
};

/** The call was made; what came back stays here. */
export function withheld({ say }: Pick<Decision, "say">): Stop {
  return {
    kind: "fault",
    name: "withheld",
    detail: `The call was made, but the person's policy withholds what came back.${say ? ` ${say}` : ""} Do not repeat the call as it is; tell the person if the answer is needed.`,
  };
}

const CHANGED: Stop = refuse(
  "tool-changed",
  "This tool has changed since the person approved it, so it is off and this call was not sent. Ask the person to look at the change in navra; do not retry until they say so.",
  ["pin"],
);
