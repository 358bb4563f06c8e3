/**
 * When an agent's session ends. What a session gathers (labels, grants for this session, counts behind rates) would
 * otherwise outlive the work it belonged to by weeks, and a grant given "for this session" would never lapse. It ends half
 * an hour after the site's last document closed, or when the person presses *New task*; both are recorded.
 *
 * INVARIANT: while a document of the site may still be open the session goes on: that document remembers what it has read,
 * so nothing here may forget it. Whoever is not sure says "open".
 */
import type { Clock, Table } from "./ports.ts";
import { type Principal, principalKey } from "./principal.ts";

/** From the last moment a document of the site was seen to the session's end, in milliseconds. */
export const SESSION_REST_MS = 30 * 60_000;

/** How the end of a session is recorded: a person's act, or time. */
export const NEW_TASK = "navra/new-task";
export const SESSION_ENDED = "navra/session-ended";

/** What the host knows of documents; a worker that sleeps does not see one close. */
export interface Sites {
  /** Whether any tab shows the principal's top-level site. */
  isOpen(principal: Principal): Promise<boolean>;
  /** Whether this is the browser's first worker since its start, so that no document of before is left. */
  browserStarted(): Promise<boolean>;
  /** Whether `check` should be called every few minutes, asleep or awake. */
  watch(on: boolean): void;
}

export interface SessionRow {
  readonly principal: Principal;
  /** Epoch milliseconds; when a document of it was last known to be open. */
  readonly seenAt: number;
}

export interface Sessions {
  /** Ends what lapsed while no browser ran, once what sessions gather is restored: `gathered` resolves then. */
  restore(gathered: Promise<unknown>): Promise<void>;
  /** A call of this principal begins. */
  touch(principal: Principal): void;
  /** Looks at who is still there, and ends the sessions of those who have been gone for long. */
  check(): Promise<void>;
}

export interface SessionsOptions {
  readonly table: Table<SessionRow>;
  readonly clock: Pick<Clock, "now">;
  readonly sites: Sites;
  readonly ended: (principal: Principal) => Promise<void>;
}

export function createSessions({ table, clock, sites, ended }: SessionsOptions): Sessions {
  const sessions = new Map<string, SessionRow>();

  const see = async (principal: Principal): Promise<void> => {
    const key = principalKey(principal);
    const row = { principal, seenAt: clock.now() };
    sessions.set(key, row);
    await table.put(key, row);
  };
  const lapsed = ({ seenAt }: SessionRow): boolean => clock.now() - seenAt >= SESSION_REST_MS;
  const end = async ({ principal }: SessionRow): Promise<void> => {
    const key = principalKey(principal);
    sessions.delete(key);
    await ended(principal);
    await table.remove(key);
  };

  return {
    async restore(gathered) {
      // Asked even where there is nothing to end: only the first worker after a start may hear "yes".
      const [rows, started] = await Promise.all([table.all(), sites.browserStarted(), gathered]);
      for (const row of rows) sessions.set(principalKey(row.principal), row);
      if (started) for (const row of rows.filter(lapsed)) await end(row);
      sites.watch(sessions.size > 0);
    },
    touch(principal) {
      const key = principalKey(principal);
      if (sessions.has(key)) {
        sessions.set(key, { principal, seenAt: clock.now() });
        return;
      }
      void see(principal).catch(() => undefined);
      sites.watch(true);
    },
    async check() {
      for (const { principal } of [...sessions.values()]) {
        const isOpen = await sites.isOpen(principal).catch(() => true);
        const row = sessions.get(principalKey(principal));
        if (!row) continue;
        if (isOpen) await see(principal);
        else if (lapsed(row)) await end(row);
      }
      sites.watch(sessions.size > 0);
    },
  };
}
