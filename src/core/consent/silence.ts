/**
 * When a site is not worth another question: three refusals within an hour, spoken or by letting the time run out, and its
 * requests to be connected are refused at once and unseen until the hour has passed. A person who wants the site after all
 * connects it in the popup, where no site can press.
 */
import type { Clock, Table } from "../ports.ts";
import type { Principal } from "../principal.ts";

export const SILENCE_AFTER = 3;
export const SILENCE_MS = 60 * 60_000;

export interface Refusals {
  readonly site: string;
  /** Epoch milliseconds of the refusals of the last hour. */
  readonly at: readonly number[];
}

export interface Silence {
  restore(): Promise<void>;
  isSilent(principal: Principal): boolean;
  refused(principal: Principal): Promise<void>;
  /** The person connected the site: what was refused before no longer counts. */
  forgive(principal: Principal): Promise<void>;
}

export function createSilence(table: Table<Refusals>, clock: Clock): Silence {
  const rows = new Map<string, readonly number[]>();
  const recent = (key: string): readonly number[] =>
    (rows.get(key) ?? []).filter((at) => at > clock.now() - SILENCE_MS);
  return {
    async restore() {
      for (const { site, at } of await table.all()) {
        rows.set(site, at);
        if (recent(site).length === 0) {
          rows.delete(site);
          await table.remove(site);
        }
      }
    },
    isSilent: (principal) => recent(siteOf(principal)).length >= SILENCE_AFTER,
    async refused(principal) {
      const site = siteOf(principal);
      const at = [...recent(site), clock.now()];
      rows.set(site, at);
      if (!principal.private) await table.put(site, { site, at });
    },
    async forgive(principal) {
      const site = siteOf(principal);
      if (rows.delete(site) && !principal.private) await table.remove(site);
    },
  };
}

/** Whichever page frames it: a site that is refused as itself does not get three more tries inside another one's page. */
function siteOf({ origin, private: isPrivate }: Principal): string {
  return JSON.stringify([origin, isPrivate]);
}
