/**
 * The desk with a clock, a table and callers. Approvals are shown oldest first, answered once, survive the worker's death,
 * and expire to a denial. An answer counts only for the digest that was shown.
 *
 * INVARIANT: a waiting call goes on only through `answer` with "allow" and the approval's own digest; who ends how is
 * decided by `desk.ts` alone.
 */
import { GatewayError } from "../errors.ts";
import type { GatewayLimits } from "../limits.ts";
import type { Clock, Table } from "../ports.ts";
import { principalKey } from "../principal.ts";
import type { Approval } from "./approval.ts";
import {
  type Answer,
  type AnswerGiven,
  alikeOf,
  type Desk,
  type DeskEvent,
  type DeskStep,
  EMPTY_DESK,
  headsOf,
  stepDesk,
} from "./desk.ts";
import { readApproval } from "./rows.ts";

export interface ApprovalQueue {
  /** Takes up what the table held when this worker began. */
  restore(stored: readonly Approval[]): Promise<void>;
  /** Waits for the person. Rejects with the signal's reason when the asker gave up; the approval then waits on its own. */
  ask(approval: Approval, signal: AbortSignal): Promise<Answer>;
  waiting(): readonly Approval[];
  /** Identical ones counted once: as many questions as the person will see. */
  questions(): readonly Approval[];
  get(id: string): Approval | undefined;
  /** Ids of the waiting calls that are identical to this one. */
  alike(id: string): readonly string[];
  answer(given: AnswerGiven): Promise<"done" | "changed" | "gone">;
  /** Withdraws what belongs to one principal and server (disconnected, removed). */
  withdraw(match: (approval: Approval) => boolean): Promise<void>;
}

export interface QueueOptions {
  readonly table: Table<Approval>;
  /** Questions one principal may have waiting: more than anyone reads, and an end to a flood. */
  readonly limits: Pick<GatewayLimits, "waiting">;
  readonly clock: Clock;
  /** What the person may be shown, oldest first, identical ones once. */
  readonly show: (questions: readonly Approval[]) => void;
  /** An approval was allowed and nobody waited for it any more. */
  readonly late: (approval: Approval, answer: Extract<Answer, { answer: "allow" }>) => Promise<void>;
}

export function createApprovalQueue({ table, limits, clock, show, late }: QueueOptions): ApprovalQueue {
  let desk: Desk = EMPTY_DESK;
  const callers = new Map<string, (answer: Answer) => void>();
  const timers = new Map<string, () => void>();

  /** Applies one event; resolves when its consequences are stored. */
  const step = (event: DeskEvent): DeskStep & { readonly settled: Promise<unknown> } => {
    const before = desk;
    const next = stepDesk(desk, event);
    desk = next.desk;
    if (desk !== before) show(headsOf(desk));
    const settled = next.endings.map(({ approval, answer }) => {
      timers.get(approval.id)?.();
      timers.delete(approval.id);
      const caller = callers.get(approval.id);
      callers.delete(approval.id);
      caller?.(answer);
      const removed = !outlives(approval) ? undefined : table.remove(approval.id).catch(() => undefined);
      return Promise.all([removed, !caller && answer.answer === "allow" ? late(approval, answer) : undefined]);
    });
    return { ...next, settled: Promise.all(settled) };
  };

  const time = ({ id, expiresAt }: Approval): void => {
    timers.get(id)?.();
    timers.set(
      id,
      clock.after(Math.max(0, expiresAt - clock.now()), () => void step({ type: "time", at: clock.now() })),
    );
  };

  return {
    async restore(stored) {
      const rows = [...stored].sort((a, b) => a.createdAt - b.createdAt);
      for (const row of rows) {
        // The calls behind them died with the worker; an answer can still become a late grant.
        if (!readApproval(row) || row.expiresAt <= clock.now()) await table.remove(row.id).catch(() => undefined);
        else {
          desk = { seats: [...desk.seats, { ...row, live: false }] };
          time(row);
        }
      }
      if (desk.seats.length > 0) show(headsOf(desk));
    },

    ask(approval, signal) {
      return new Promise<Answer>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const key = principalKey(approval.principal);
        if (desk.seats.filter((seat) => principalKey(seat.principal) === key).length >= limits.waiting)
          return reject(new GatewayError("busy", FULL));
        const { seat = approval } = step({ type: "asked", approval });
        const stop = (): void => {
          callers.delete(seat.id);
          step(isQuestion(seat) ? { type: "withdrawn", ids: [seat.id] } : { type: "left", id: seat.id });
          reject(signal.reason);
        };
        signal.addEventListener("abort", stop, { once: true });
        callers.set(seat.id, (answer) => {
          signal.removeEventListener("abort", stop);
          resolve(answer);
        });
        time(seat);
        // A table that cannot be written costs only survival of the worker's death, not the question itself.
        if (outlives(seat)) table.put(seat.id, seat).catch(() => undefined);
      });
    },

    waiting: () => desk.seats,
    questions: () => headsOf(desk),
    get: (id) => desk.seats.find((seat) => seat.id === id),
    alike(id) {
      const seat = desk.seats.find((one) => one.id === id);
      return seat ? alikeOf(desk, seat).map((other) => other.id) : [];
    },

    async answer(given) {
      const { reply = "gone", settled } = step({ type: "answered", given, at: clock.now() });
      await settled;
      return reply;
    },

    async withdraw(match) {
      const ids = desk.seats.filter(match).map(({ id }) => id);
      await step({ type: "withdrawn", ids }).settled;
    },
  };
}

/** A server's question lives and dies with its call: no answer comes late. */
function isQuestion({ kind }: Approval): boolean {
  return kind === "question";
}

/** Nothing of a private window's is written down, nor what a server answered or asked. */
function outlives({ principal, kind }: Approval): boolean {
  return !principal.private && kind !== "reply" && kind !== "question";
}

const FULL =
  "Too many calls of this site wait for the person already, so this one goes no further. Ask them to answer some, then try again.";
