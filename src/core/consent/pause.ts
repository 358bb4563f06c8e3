/**
 * Pause stops calls; it never lets them pass. Everything can be paused, one site wherever its frames stand, or one server.
 * A pause outlives the worker and the browser: until a time, or until the person switches it on again. One that was set
 * for a site of a private window lives in memory only.
 */
import type { Clock, Table } from "../ports.ts";
import type { Principal } from "../principal.ts";

export interface PauseState {
  /** Epoch milliseconds, or null for "until switched on". */
  readonly until: number | null;
  readonly since: number;
  /** The origin of the one site that is paused. */
  readonly site?: string;
  /** The one server that is paused. With neither, everything is. */
  readonly serverId?: string;
}

export type PauseScope =
  | { readonly kind: "all" }
  | { readonly kind: "site"; readonly site: string; readonly private?: boolean }
  | { readonly kind: "server"; readonly serverId: string };

export const EVERYTHING: PauseScope = Object.freeze({ kind: "all" });

export interface Pause {
  restore(): Promise<void>;
  /** The pause of everything. */
  current(): PauseState | null;
  /** Every pause that holds now. */
  list(): readonly PauseState[];
  /** What holds back a call of this principal to this server, the widest first. */
  of(principal: Pick<Principal, "origin" | "topSite">, serverId: string): PauseState | null;
  set(pause: { readonly until: number | null } | null, scope?: PauseScope): Promise<void>;
  forgetServer(serverId: string): Promise<void>;
}

export function createPause(table: Table<PauseState>, clock: Clock): Pause {
  const states = new Map<string, PauseState>();
  const at = (row: string): PauseState | null => {
    const state = states.get(row);
    if (!state) return null;
    if (state.until === null || state.until > clock.now()) return state;
    states.delete(row);
    return null;
  };
  const set: Pause["set"] = async (pause, scope = EVERYTHING) => {
    const row = rowOf(scope);
    if (!pause) {
      states.delete(row);
      return table.remove(row);
    }
    const state: PauseState = {
      until: pause.until,
      since: clock.now(),
      ...(scope.kind === "site" ? { site: scope.site } : {}),
      ...(scope.kind === "server" ? { serverId: scope.serverId } : {}),
    };
    states.set(row, state);
    if (scope.kind !== "site" || !scope.private) await table.put(row, state);
  };
  return {
    async restore() {
      for (const state of await table.all()) states.set(rowOf(scopeOf(state)), state);
    },
    current: () => at(ALL),
    list: () => [...states.keys()].flatMap((row) => at(row) ?? []),
    of({ origin, topSite }, serverId) {
      if (states.size === 0) return null;
      return (
        at(ALL) ??
        at(rowOf({ kind: "site", site: origin })) ??
        at(rowOf({ kind: "site", site: topSite })) ??
        at(rowOf({ kind: "server", serverId }))
      );
    },
    set,
    forgetServer: (serverId) => set(null, { kind: "server", serverId }),
  };
}

/** Whether a pause of this scope holds back a call of this principal to this server. */
export function covers(scope: PauseScope, principal: Pick<Principal, "origin" | "topSite">, serverId: string): boolean {
  if (scope.kind === "all") return true;
  if (scope.kind === "server") return scope.serverId === serverId;
  return scope.site === principal.origin || scope.site === principal.topSite;
}

const ALL = "pause";

function rowOf(scope: PauseScope): string {
  if (scope.kind === "all") return ALL;
  return scope.kind === "site" ? `site ${scope.site}` : `server ${scope.serverId}`;
}

function scopeOf({ site, serverId }: PauseState): PauseScope {
  if (site !== undefined) return { kind: "site", site };
  return serverId === undefined ? EVERYTHING : { kind: "server", serverId };
}
