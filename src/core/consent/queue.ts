/**
 * What waits for the person. Approvals are shown oldest first, answered once, survive the worker's death, and expire to a
 * denial. An answer counts only for the digest that was shown.
 *
 * INVARIANT: a waiting call goes on only through `answer` with "allow" and the approval's own digest.
 */
import type { Clock, Table } from "../ports.ts";
import type { Approval, GrantScope } from "./approval.ts";

export type Answer =
  | {
      readonly answer: "allow";
      readonly scope: GrantScope;
      readonly tools: Readonly<Record<string, readonly string[]>>;
    }
  | { readonly answer: "deny" }
  | { readonly answer: "expired" };

export interface AnswerGiven {
  readonly id: string;
  readonly digest: string;
  readonly answer: "allow" | "deny";
  readonly scope: GrantScope;
  readonly tools?: Readonly<Record<string, readonly string[]>>;
}

export interface ApprovalQueue {
  restore(): Promise<void>;
  /** Waits for the person. Rejects with the signal's reason when the asker gave up; the approval then waits on its own. */
  ask(approval: Approval, signal: AbortSignal): Promise<Answer>;
  waiting(): readonly Approval[];
  get(id: string): Approval | undefined;
  answer(given: AnswerGiven): Promise<"done" | "changed" | "gone">;
  /** Withdraws what belongs to one principal and server (disconnected, removed). */
  withdraw(match: (approval: Approval) => boolean): Promise<void>;
}

export interface QueueOptions {
  readonly table: Table<Approval>;
  readonly clock: Clock;
  readonly show: (waiting: readonly Approval[]) => void;
  /** An approval was allowed and nobody waited for it any more. */
  readonly late: (approval: Approval, answer: Extract<Answer, { answer: "allow" }>) => Promise<void>;
}

interface Waiting {
  approval: Approval;
  settle: ((answer: Answer) => void) | undefined;
  stopTimer: () => void;
}

export function createApprovalQueue({ table, clock, show, late }: QueueOptions): ApprovalQueue {
  const waiting = new Map<string, Waiting>();
  const list = (): readonly Approval[] => [...waiting.values()].map((entry) => entry.approval);
  const isPrivate = (approval: Approval): boolean => approval.principal.private;

  const end = async (id: string): Promise<void> => {
    const entry = waiting.get(id);
    if (!entry) return;
    entry.stopTimer();
    waiting.delete(id);
    show(list());
    if (!isPrivate(entry.approval)) await table.remove(id);
  };

  const add = (approval: Approval, settle: Waiting["settle"]): void => {
    const stopTimer = clock.after(Math.max(0, approval.expiresAt - clock.now()), () => {
      void end(approval.id).catch(() => undefined);
      settle?.({ answer: "expired" });
    });
    waiting.set(approval.id, { approval, settle, stopTimer });
  };

  return {
    async restore() {
      const rows = [...(await table.all())].sort((a, b) => a.createdAt - b.createdAt);
      for (const row of rows) {
        // The calls behind them died with the worker; an answer can still become a late grant.
        if (row.expiresAt > clock.now()) add({ ...row, live: false }, undefined);
        else await table.remove(row.id);
      }
      if (waiting.size > 0) show(list());
    },

    ask(approval, signal) {
      return new Promise<Answer>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const stop = (): void => {
          const entry = waiting.get(approval.id);
          if (entry) {
            entry.settle = undefined;
            entry.approval = { ...entry.approval, live: false };
            show(list());
          }
          reject(signal.reason);
        };
        signal.addEventListener("abort", stop, { once: true });
        add(approval, (answer) => {
          signal.removeEventListener("abort", stop);
          resolve(answer);
        });
        show(list());
        // A table that cannot be written costs only survival of the worker's death, not the question itself.
        if (!isPrivate(approval)) table.put(approval.id, approval).catch(() => undefined);
      });
    },

    waiting: list,
    get: (id) => waiting.get(id)?.approval,

    async answer(given) {
      const entry = waiting.get(given.id);
      if (!entry) return "gone";
      if (entry.approval.digest !== given.digest) return "changed";
      const { approval, settle } = entry;
      const answer: Answer =
        given.answer === "allow"
          ? { answer: "allow", scope: given.scope, tools: given.tools ?? {} }
          : { answer: "deny" };
      const ended = end(given.id).catch(() => undefined);
      if (settle) settle(answer);
      else if (answer.answer === "allow") await late(approval, answer);
      await ended;
      return "done";
    },

    async withdraw(match) {
      for (const { approval, settle } of [...waiting.values()]) {
        if (!match(approval)) continue;
        await end(approval.id);
        settle?.({ answer: "deny" });
      }
    },
  };
}
