/**
 * Pause stops calls; it never lets them pass. It outlives the worker and the browser: until a time, or until the person
 * switches navra on again.
 */
import type { Clock, Table } from "../ports.ts";

export interface PauseState {
  /** Epoch milliseconds, or null for "until switched on". */
  readonly until: number | null;
  readonly since: number;
}

export interface Pause {
  restore(): Promise<void>;
  current(): PauseState | null;
  set(pause: { readonly until: number | null } | null): Promise<void>;
}

const ROW = "pause";

export function createPause(table: Table<PauseState>, clock: Clock): Pause {
  let state: PauseState | null = null;
  return {
    async restore() {
      state = (await table.all())[0] ?? null;
    },
    current() {
      if (state?.until != null && state.until <= clock.now()) state = null;
      return state;
    },
    async set(pause) {
      state = pause ? { until: pause.until, since: clock.now() } : null;
      if (state) await table.put(ROW, state);
      else await table.remove(ROW);
    },
  };
}
