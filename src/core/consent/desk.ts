/**
 * What waits for the person, as a pure state machine: questions are taken in, adopted, left by their askers, answered,
 * withdrawn, and run out of time. `queue.ts` gives it a clock, a table and callers; nothing else decides an ending.
 *
 * Identical calls that wait are shown as one question and may be answered together, but only those that the answer names:
 * one that came in after the person looked waits for a look of its own. A call made again while its question still stands
 * takes its old seat instead of asking twice.
 *
 * INVARIANT: a seat has exactly one ending. "allow" reaches a seat only through an answer that names it, carries its own
 * digest, and comes before its time ran out.
 */
import type { Approval, GrantScope, GrantWish, QuestionReply } from "./approval.ts";

export interface Desk {
  /** Oldest first. */
  readonly seats: readonly Approval[];
}

export const EMPTY_DESK: Desk = Object.freeze({ seats: [] });

export interface AnswerGiven {
  readonly id: string;
  readonly digest: string;
  /** Identical ones that were shown with it and get the same answer. */
  readonly also?: readonly string[];
  readonly answer: "allow" | "deny";
  readonly scope: GrantScope;
  readonly grant?: GrantWish;
  readonly tools?: Readonly<Record<string, readonly string[]>>;
  /** Only for questions of servers. */
  readonly reply?: QuestionReply;
}

export type Answer =
  | {
      readonly answer: "allow";
      readonly scope: GrantScope;
      readonly grant?: GrantWish;
      readonly tools: Readonly<Record<string, readonly string[]>>;
      readonly reply?: QuestionReply;
    }
  | { readonly answer: "deny"; readonly reply?: QuestionReply }
  | { readonly answer: "expired" };

export type DeskEvent =
  | { readonly type: "asked"; readonly approval: Approval }
  /** The asker gave up; the question stays, for a late answer, unless it was about an answer that was held. */
  | { readonly type: "left"; readonly id: string }
  | { readonly type: "answered"; readonly given: AnswerGiven; readonly at: number }
  | { readonly type: "withdrawn"; readonly ids: readonly string[] }
  | { readonly type: "time"; readonly at: number };

export interface Ending {
  readonly approval: Approval;
  readonly answer: Answer;
}

export interface DeskStep {
  readonly desk: Desk;
  /** Which seats ended, and how. */
  readonly endings: readonly Ending[];
  /** For `asked`: the seat it sits in now. */
  readonly seat?: Approval;
  /** For `answered`. */
  readonly reply?: "done" | "changed" | "gone";
}

export function stepDesk(desk: Desk, event: DeskEvent): DeskStep {
  switch (event.type) {
    case "asked":
      return take(desk, event.approval);
    case "left":
      // What was held is gone with its call: there is nothing left to release.
      if (desk.seats.some((seat) => seat.id === event.id && seat.kind === "reply"))
        return end(desk, (seat) => (seat.id === event.id ? { answer: "deny" } : undefined));
      return {
        desk: { seats: desk.seats.map((seat) => (seat.id === event.id ? { ...seat, live: false } : seat)) },
        endings: [],
      };
    case "answered":
      return answer(desk, event.given, event.at);
    case "withdrawn":
      return end(desk, (seat) => (event.ids.includes(seat.id) ? { answer: "deny" } : undefined));
    case "time":
      return expire(desk, event.at);
  }
}

/** Seats that the person may answer together with this one, itself left out. */
export function alikeOf(desk: Desk, of: Approval): readonly Approval[] {
  const look = lookOf(of);
  return desk.seats.filter((seat) => seat.id !== of.id && look !== undefined && lookOf(seat) === look);
}

/** One of each group of identical seats, the oldest: what is shown as one question. */
export function headsOf(desk: Desk): readonly Approval[] {
  const shown = new Set<string>();
  return desk.seats.filter((seat) => {
    const look = lookOf(seat) ?? seat.id;
    if (shown.has(look)) return false;
    shown.add(look);
    return true;
  });
}

function take(desk: Desk, approval: Approval): DeskStep {
  const look = lookOf({ ...approval, live: false });
  const left = look === undefined ? undefined : desk.seats.find((seat) => !seat.live && lookOf(seat) === look);
  if (!left) return { desk: { seats: [...desk.seats, approval] }, endings: [], seat: approval };
  const seat: Approval = { ...approval, id: left.id, createdAt: left.createdAt };
  return { desk: { seats: desk.seats.map((other) => (other.id === left.id ? seat : other)) }, endings: [], seat };
}

function answer(desk: Desk, given: AnswerGiven, at: number): DeskStep {
  const { desk: now, endings } = expire(desk, at);
  const head = now.seats.find(({ id }) => id === given.id);
  if (!head) return { desk: now, endings, reply: "gone" };
  const also = given.also ?? [];
  const alike = new Set(alikeOf(now, head).map(({ id }) => id));
  if (head.digest !== given.digest || !also.every((id) => alike.has(id)))
    return { desk: now, endings, reply: "changed" };
  const reply = given.reply && { reply: given.reply };
  const said: Answer =
    given.answer === "allow"
      ? {
          answer: "allow",
          scope: given.scope,
          ...(given.grant && { grant: given.grant }),
          tools: given.tools ?? {},
          ...reply,
        }
      : { answer: "deny", ...reply };
  // A standing grant is made once, by the one that was looked at.
  const same: Answer = said.answer === "allow" ? { answer: "allow", scope: "once", tools: {} } : said;
  const step = end(now, ({ id }) => (id === head.id ? said : also.includes(id) ? same : undefined));
  return { desk: step.desk, endings: [...endings, ...step.endings], reply: "done" };
}

function expire(desk: Desk, at: number): DeskStep {
  return end(desk, (seat) => (seat.expiresAt <= at ? { answer: "expired" } : undefined));
}

function end(desk: Desk, ending: (seat: Approval) => Answer | undefined): DeskStep {
  const endings: Ending[] = [];
  const seats = desk.seats.filter((approval) => {
    const said = ending(approval);
    if (said) endings.push({ approval, answer: said });
    return !said;
  });
  return endings.length === 0 ? { desk, endings } : { desk: { seats }, endings };
}

/** Everything the person is shown of a call, as text; two calls with one look are identical to them. */
function lookOf(approval: Approval): string | undefined {
  if (approval.kind !== "call") return undefined;
  const { digest, rules, reasons, widest, labels, origins, pinText, agent, place, live } = approval;
  return JSON.stringify([
    digest,
    rules,
    reasons,
    widest,
    approval.class,
    labels,
    origins,
    pinText,
    agent,
    place.tabId,
    live,
  ]);
}
