/** Approvals: the consent window reads and answers the one it was opened for, and no other. */
import type { GrantView } from "../../bridge/control-api.ts";
import { annoyanceOf, questionsOf } from "../../core/consent/annoyance.ts";
import type { Approval, Grant, QuestionApproval } from "../../core/consent/approval.ts";
import { spare } from "../../core/consent/spare.ts";
import { patternText, wishProblems } from "../../core/consent/wish.ts";
import { questionProblems } from "../../core/elicit/questions.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Gateway } from "../../core/gateway.ts";
import type { RecordEntry } from "../../core/recorder/entry.ts";
import type { ControlPeer } from "../../platform/worker/control-sender.ts";
import { randomId } from "../../platform/worker/ports.ts";
import type { HandlerOptions, Handlers } from "./all.ts";

type Subject =
  | "approvals.read"
  | "approval.open"
  | "approval.read"
  | "approval.answer"
  | "page.open"
  | "grants.read"
  | "grant.revoke"
  | "asks.read"
  | "asks.spare";

/** How many records back asks are counted, and how many are read at once. */
const COUNTED = 2_000;
const AT_ONCE = 200;
/** How many records back a site is known. */
const RECENT = 500;

export function approvalHandlers({
  gateway,
  openApproval,
  openPage,
  changed,
}: HandlerOptions): Pick<Handlers, Subject> {
  const { approvals, grants, pins, rules } = gateway;
  /** Nothing but what the person has just said yes to, or said yes to before. */
  const open = async ({ ask, place, principal }: QuestionApproval, step: "open" | "after"): Promise<void> => {
    if (ask.mode === "url" && ask.step === step) await openPage(ask.url, { place, principal });
  };
  return {
    "approvals.read": () => ({ approvals: listed(gateway) }),
    async "approval.open"({ id }) {
      if (approvals.get(id)) await openApproval(id);
      return null;
    },
    "approval.read"({ id }, peer) {
      ownApproval(id, peer);
      const approval = approvals.get(id) ?? null;
      const pinned =
        approval?.kind === "call" ? (pins.current(approval.serverId, approval.tool)?.approved ?? null) : null;
      return {
        approval,
        waiting: approvals.questions().length,
        pinned,
        alike: approvals.alike(id),
        known: approval ? knownTo(gateway, approval) : [],
      };
    },
    async "approval.answer"(given, peer) {
      ownApproval(given.id, peer);
      const approval = approvals.get(given.id);
      const problems =
        approval?.kind === "call" && given.answer === "allow" ? wishProblems(approval, given.scope, given.grant) : [];
      if (problems.length > 0) throw new GatewayError("invalid-params", "What you chose cannot be kept. Choose again.");
      const question = approval?.kind === "question" ? approval : undefined;
      const unfit = question && given.answer === "allow" ? questionProblems(question.ask, given.reply ?? {}) : [];
      if (unfit.length > 0) return { state: "unfit", problems: unfit };
      const state = await approvals.answer(given);
      if (question && state === "done" && given.answer === "allow") await open(question, "open");
      if (given.scope !== "once") changed("connections");
      return { state };
    },
    async "page.open"({ id }, peer) {
      ownApproval(id, peer);
      const approval = approvals.get(id);
      if (approval?.kind === "question") await open(approval, "after");
      return null;
    },
    "grants.read": () => ({ grants: grantViews(gateway) }),
    async "grant.revoke"({ id }) {
      await grants.revoke(id);
      changed("connections");
      return null;
    },
    "asks.read": async () => annoyanceOf(await lately(gateway)),
    "asks.spare": async (row) => {
      const answers = questionsOf(await lately(gateway), row);
      const pin = pins.current(row.serverId, row.tool);
      const made = spare({
        answers,
        pinText: pin?.pending === undefined ? pin?.approved : undefined,
        priority: rules.rules().find(({ id }) => id === row.rule)?.priority ?? USUAL_PRIORITY,
        id: randomId(),
        now: Date.now(),
      });
      if (!made) return { problem: NOT_SPARED };
      if ("rule" in made) {
        await rules.save(made.rule);
        changed("rules");
        return { rule: made.rule.id };
      }
      await grants.add(made.grant);
      changed("connections");
      return { grant: made.grant.id };
    },
  };
}

/** Of a rule that is made by a press. */
const USUAL_PRIORITY = 50;
const NOT_SPARED =
  "This cannot be done any more: the answers, the tool or its values changed meanwhile. You can still choose it when you are next asked.";

/** Sites the person has dealt with; those of private windows only where a private window asks. */
function knownTo({ connections, records }: Gateway, { principal }: Approval): readonly string[] {
  const allowed = records.recent(RECENT).filter(({ answered }) => answered?.answer === "allowed");
  const others = [...connections.list(), ...allowed].map((one) => one.principal);
  return [...new Set(others.flatMap((one) => (one.private && !principal.private ? [] : [one.origin, one.topSite])))];
}

/** For lists, which name a question and never show what is in it: a page that is open need not hear megabytes again and again. */
export function listed({ approvals }: Gateway): readonly Approval[] {
  return approvals.questions().map((approval): Approval => {
    if (approval.kind === "call") return { ...approval, argumentsText: "", pinText: "" };
    if (approval.kind === "reply") return { ...approval, resultText: "" };
    if (approval.kind === "connect") return approval;
    const ask = approval.ask.mode === "form" ? { ...approval.ask, fields: [] } : { ...approval.ask, url: "" };
    return { ...approval, message: "", ask };
  });
}

export function grantViews(
  { grants, pins }: Gateway,
  match: (grant: Grant) => boolean = () => true,
): readonly GrantView[] {
  return grants
    .list()
    .filter(match)
    .map((grant): GrantView => {
      const pin = pins.current(grant.serverId, grant.tool);
      const suspended = pin !== undefined && (pin.pending !== undefined || pin.approved !== grant.pinText);
      return { grant, suspended, ...(grant.args ? { pattern: patternText(grant.args) } : {}) };
    });
}

async function lately({ records }: Gateway): Promise<readonly RecordEntry[]> {
  const entries: RecordEntry[] = [];
  let before: number | undefined;
  while (entries.length < COUNTED) {
    const page = await records.page({ limit: AT_ONCE, ...(before === undefined ? {} : { before }) });
    entries.push(...page);
    before = page.at(-1)?.seq;
    if (page.length < AT_ONCE) break;
  }
  return entries;
}

function ownApproval(id: string, peer: ControlPeer): void {
  if (peer.door !== "consent" || peer.approvalId !== id) {
    throw new GatewayError("denied", "This window was opened for another question.");
  }
}
