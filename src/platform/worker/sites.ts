/**
 * Which sites are open, for the end of agent sessions. A sleeping worker hears of no closing tab, so it looks every few
 * minutes by an alarm, which wakes it. A mark in session storage, which the browser empties when it ends, tells the first
 * worker after a start from those that follow.
 *
 * @see MDN · alarms, tabs.query, storage.session
 */
import type { Alarms, Storage, Tabs } from "webextension-polyfill";
import type { Sites } from "../../core/sessions.ts";
import { principalOfTab } from "./principal.ts";

const ALARM = "sessions";
const PERIOD_MINUTES = 5;
const MARK = "browserRuns";

export interface SitesApis {
  readonly tabs: Pick<Tabs.Static, "query">;
  readonly session: Pick<Storage.StorageArea, "get" | "set">;
  readonly alarms: Pick<Alarms.Static, "create" | "clear">;
}

export function createSites({ tabs, session, alarms }: SitesApis): Sites {
  let watched: boolean | undefined;
  return {
    async isOpen({ topSite, cookieStore, private: isPrivate }) {
      const open = (await tabs.query({})).map(principalOfTab);
      return open.some(
        (shown) => shown?.topSite === topSite && shown.cookieStore === cookieStore && shown.private === isPrivate,
      );
    },
    async browserStarted() {
      const isFirst = !(await session.get(MARK))[MARK];
      if (isFirst) await session.set({ [MARK]: true });
      return isFirst;
    },
    watch(on) {
      if (on === watched) return;
      watched = on;
      if (on) alarms.create(ALARM, { periodInMinutes: PERIOD_MINUTES });
      else void alarms.clear(ALARM).catch(() => undefined);
    },
  };
}

/** Whether an alarm is the one `watch` asked for. */
export function isSessionsAlarm({ name }: Pick<Alarms.Alarm, "name">): boolean {
  return name === ALARM;
}
