/**
 * Standing answers to asks, made only by a person's act. A grant answers an ask and never overrides a denial; it is bound
 * to principal, server, tool and the tool's pinned definition, so a changed tool suspends it, and to the rules that asked
 * when it was given, so a new reason is asked again. A `once` grant is bound to a digest, used once, and short-lived: it is
 * what becomes of an approval that came after the agent gave up.
 */
import type { Clock, Table } from "../ports.ts";
import { GRANT_SCOPES, type Grant, type GrantScope } from "./approval.ts";
import { argumentMembers } from "./members.ts";
import { readGrant } from "./rows.ts";

/** How long an approval that came late stays good, in milliseconds. */
export const LATE_GRANT_MS = 10 * 60_000;
/** How long a `session` grant holds at most, in milliseconds. */
export const SESSION_GRANT_MS = 8 * 60 * 60_000;

export interface GrantQuestion {
  readonly principalKey: string;
  readonly serverId: string;
  readonly tool: string;
  readonly pinText: string;
  readonly digest: string;
  readonly argumentsText: string;
  /** The rules that ask. */
  readonly rules: readonly string[];
  /** Servers the session has read from. */
  readonly sources: readonly string[];
}

export interface Grants {
  restore(): Promise<void>;
  /**
   * Finds a grant that answers the question, of no wider scope than policy lets count, and counts its use; one whose uses
   * are up is gone after this.
   */
  take(question: GrantQuestion, widest?: GrantScope): Grant | undefined;
  add(grant: Grant): Promise<void>;
  revoke(id: string): Promise<void>;
  list(): readonly Grant[];
  /** Ends what belongs to one principal's session, or to one server of it. */
  endSession(principalKey: string): Promise<void>;
  forget(match: { readonly principalKey?: string; readonly serverId: string }): Promise<void>;
}

export function createGrants(table: Table<Grant>, clock: Clock): Grants {
  const grants = new Map<string, Grant>();
  const isPrivate = (grant: Grant): boolean => grant.principalKey.endsWith(",true]");
  const drop = async (grant: Grant): Promise<void> => {
    grants.delete(grant.id);
    if (!isPrivate(grant)) await table.remove(grant.id);
  };
  const keep = async (grant: Grant): Promise<void> => {
    grants.set(grant.id, grant);
    if (!isPrivate(grant)) await table.put(grant.id, grant);
  };
  const live = (grant: Grant): boolean => grant.expiresAt === null || grant.expiresAt > clock.now();
  /** Counted in memory at once, in the task that lets the call pass; the row follows. */
  const use = (grant: Grant): Grant => {
    const used: Grant = {
      ...grant,
      used: grant.used + 1,
      usedAt: clock.now(),
      usesLeft: grant.usesLeft === null ? null : grant.usesLeft - 1,
    };
    void (used.usesLeft === 0 ? drop(grant) : keep(used)).catch(() => undefined);
    return used;
  };
  return {
    async restore() {
      for (const row of await table.all()) {
        const grant = readGrant(row);
        if (grant && live(grant)) grants.set(grant.id, grant);
        else await table.remove(row.id).catch(() => undefined);
      }
    },
    take(question, widest = "tool") {
      let found: Grant | undefined;
      for (const grant of [...grants.values()]) {
        if (narrower(grant.scope, widest) !== grant.scope) continue;
        if (!live(grant)) void drop(grant).catch(() => undefined);
        // What can be used up is kept for calls that nothing else answers.
        else if (answers(grant, question) && (!found || (found.usesLeft !== null && grant.usesLeft === null)))
          found = grant;
      }
      return found && use(found);
    },
    add: keep,
    async revoke(id) {
      const grant = grants.get(id);
      if (grant) await drop(grant);
    },
    list: () => [...grants.values()].filter(live),
    async endSession(key) {
      const ended = [...grants.values()].filter(
        ({ principalKey, scope }) => principalKey === key && (scope === "once" || scope === "session"),
      );
      await Promise.all(ended.map(drop));
    },
    async forget({ principalKey: key, serverId }) {
      for (const grant of [...grants.values()])
        if (grant.serverId === serverId && (key === undefined || grant.principalKey === key)) await drop(grant);
    },
  };
}

/** The narrower of two scopes. */
export function narrower(a: GrantScope, b: GrantScope): GrantScope {
  return GRANT_SCOPES.indexOf(a) <= GRANT_SCOPES.indexOf(b) ? a : b;
}

/** Whether a grant speaks of exactly this question. Total: it is the whole meaning of a grant. */
export function answers(grant: Grant, question: GrantQuestion): boolean {
  if (grant.principalKey !== question.principalKey || grant.serverId !== question.serverId) return false;
  if (grant.tool !== question.tool || grant.pinText !== question.pinText) return false;
  if (grant.usesLeft !== null && grant.usesLeft <= 0) return false;
  if (!question.rules.every((rule) => coversRule(grant, question, rule))) return false;
  if (grant.scope === "once") return grant.digest === question.digest;
  return grant.scope !== "values" || fits(grant, question.argumentsText);
}

/**
 * Any grant answers our default row: it asks only because nothing else speaks of the tool. The flow row is answered while
 * the session has read from nowhere else than when the grant was given, but from the server itself; a new source is a new
 * reason.
 */
function coversRule(grant: Grant, { sources }: GrantQuestion, rule: string): boolean {
  if (rule === "default:other") return true;
  if (rule !== "flow:untrusted-write") return grant.rules.includes(rule);
  return sources.every((source) => source === grant.serverId || grant.sources.includes(source));
}

function fits({ args }: Grant, argumentsText: string): boolean {
  if (!args) return false;
  const members = argumentMembers(argumentsText);
  return (
    Object.entries(args.fixed).every(([name, value]) => members.get(name) === value) &&
    [...members.keys()].every((name) => args.names.includes(name))
  );
}
