/**
 * Standing answers to asks, made only by a person's act. A grant answers an ask and never overrides a denial; it is bound
 * to principal, server, tool and the tool's pinned definition, so a changed tool suspends it. A `once` grant is bound to a
 * digest, used once, and short-lived: it is what becomes of an approval that came after the agent gave up.
 */
import type { Clock, Table } from "../ports.ts";
import type { Grant, GrantScope } from "./approval.ts";

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
}

export interface Grants {
  restore(): Promise<void>;
  /** Finds a grant that answers the question, of no wider scope than policy lets count; a `once` grant is used up by this. */
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
  const live = (grant: Grant): boolean => grant.expiresAt === null || grant.expiresAt > clock.now();
  return {
    async restore() {
      for (const grant of await table.all()) {
        if (live(grant)) grants.set(grant.id, grant);
        else await table.remove(grant.id);
      }
    },
    take(question, widest = "tool") {
      for (const grant of grants.values()) {
        if (!answers(grant, question) || narrower(grant.scope, widest) !== grant.scope) continue;
        if (!live(grant)) {
          void drop(grant).catch(() => undefined);
          continue;
        }
        // Used up in memory at once; should the row outlive a failed delete, its short expiry ends it.
        if (grant.scope === "once") void drop(grant).catch(() => undefined);
        return grant;
      }
      return undefined;
    },
    async add(grant) {
      grants.set(grant.id, grant);
      if (!isPrivate(grant)) await table.put(grant.id, grant);
    },
    async revoke(id) {
      const grant = grants.get(id);
      if (grant) await drop(grant);
    },
    list: () => [...grants.values()].filter(live),
    async endSession(key) {
      for (const grant of [...grants.values()])
        if (grant.principalKey === key && grant.scope !== "tool") await drop(grant);
    },
    async forget({ principalKey: key, serverId }) {
      for (const grant of [...grants.values()])
        if (grant.serverId === serverId && (key === undefined || grant.principalKey === key)) await drop(grant);
    },
  };
}

/** The narrower of two scopes. */
export function narrower(a: GrantScope, b: GrantScope): GrantScope {
  return SCOPES.indexOf(a) <= SCOPES.indexOf(b) ? a : b;
}

const SCOPES: readonly GrantScope[] = ["once", "session", "tool"];

function answers(grant: Grant, question: GrantQuestion): boolean {
  if (grant.principalKey !== question.principalKey || grant.serverId !== question.serverId) return false;
  if (grant.tool !== question.tool || grant.pinText !== question.pinText) return false;
  return grant.scope !== "once" || grant.digest === question.digest;
}
