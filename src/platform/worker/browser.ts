/**
 * The worker's side of the browser, put together: the one file here that names `browser`. Nothing happens before a part is
 * used; the worker calls `prompts.listen()` in its first turn and everything else when it is ready.
 */
import browser, { type Runtime } from "webextension-polyfill";
import { DOOR_PAGES } from "../../bridge/doors.ts";
import type { PrivateTables, Tables } from "../../core/ports.ts";
import type { Sites } from "../../core/sessions.ts";
import { type Badge, type BadgeOptions, createBadge } from "./badge.ts";
import type { Self } from "./control-sender.ts";
import { openDatabase } from "./database.ts";
import { createFence, FENCE_IDS, type Fence } from "./fence.ts";
import { createGuard, GUARD_IDS, type Guard } from "./guard.ts";
import { createKeepAlive, type KeepAlive } from "./keep-alive.ts";
import { createManagedSource, type ManagedOptions, type ManagedSource } from "./managed.ts";
import { createNativePort, type NativePort } from "./native-port.ts";
import type { RawPort } from "./native-session.ts";
import { createPageOpener, type PageOpener } from "./open-page.ts";
import { browserClock } from "./ports.ts";
import { openPrivateTables } from "./private-tables.ts";
import { createPrompts, type Prompts, type PromptsOptions } from "./prompts.ts";
import { createRuleSet, type RulesApi } from "./rule-set.ts";
import { createSites, isSessionsAlarm } from "./sites.ts";
import { openTables } from "./tables.ts";
import { createTabReader, type TabReader } from "./tabs.ts";

export interface WorkerPlatform {
  readonly self: Self;
  readonly tables: Tables;
  readonly privateTables: PrivateTables;
  readonly sites: Sites;
  readonly fence: Fence;
  readonly guard: Guard;
  readonly keepAlive: KeepAlive;
  readonly tabs: TabReader;
  readonly badge: Badge;
  readonly prompts: Prompts;
  /** The organisation's policy, told to whoever asks for it. */
  readonly managed: (tell: ManagedOptions["tell"]) => ManagedSource;
  /** The port to the native host; nothing is started before it is used. */
  readonly openNative: (changed: () => void) => NativePort;
  readonly openPage: PageOpener;
}

export interface WorkerWords {
  readonly badge: BadgeOptions["title"];
  readonly notification: PromptsOptions["words"];
}

const DATABASE = "navra";
const MIGRATION_PATIENCE_MS = 5000;

export function workerPlatform(words: WorkerWords): WorkerPlatform {
  const { runtime, action, windows, notifications, permissions, storage, declarativeNetRequest } = browser;
  const self: Self = { id: runtime.id, root: runtime.getURL("/") };
  const ownHost = new URL(self.root).host;
  const rulesApi = declarativeNetRequest as RulesApi;
  const tabs = createTabReader({ tabs: browser.tabs, windows, permissions });
  return {
    self,
    tables: openTables(openDatabase({ name: DATABASE, patienceMs: MIGRATION_PATIENCE_MS, after: browserClock.after })),
    privateTables: openPrivateTables(storage.session),
    sites: createSites({ tabs: browser.tabs, session: storage.session, alarms: browser.alarms }),
    fence: createFence(createRuleSet(rulesApi, FENCE_IDS), ownHost),
    guard: createGuard(createRuleSet(rulesApi, GUARD_IDS), ownHost),
    keepAlive: createKeepAlive({ touch: () => runtime.getPlatformInfo() }),
    tabs,
    managed: (tell) =>
      createManagedSource({
        managed: storage.managed,
        local: storage.local,
        onChanged: storage.onChanged,
        after: browserClock.after,
        tell,
      }),
    badge: createBadge({ action, title: words.badge }),
    prompts: createPrompts({
      windows,
      tabs: browser.tabs,
      notifications,
      session: storage.session,
      reader: tabs,
      pageFor: (id) => runtime.getURL(`${DOOR_PAGES.consent}?id=${encodeURIComponent(id)}`),
      words: words.notification,
      iconUrl: runtime.getURL("/icons/normal-48.png"),
      now: browserClock.now,
    }),
    openPage: createPageOpener({ tabs: browser.tabs, windows }),
    openNative: (changed) =>
      createNativePort({
        connect: (name) => runtime.connectNative(name) as RawPort,
        // Firefox tells it on the port, Chromium only while the listener runs.
        disconnectReason: (port) => (port as Runtime.Port).error?.message ?? runtime.lastError?.message ?? "",
        version: runtime.getManifest().version,
        clock: browserClock,
        changed,
      }),
  };
}

/** Hears of every port. Call it in the worker's first turn. */
export function onConnect(listener: (port: Runtime.Port) => void): void {
  browser.runtime.onConnect.addListener(listener);
}

/** Hears of the key that pauses everything. Only a person can press it: pages cannot send keys to the browser. */
export function onPauseKey(listener: () => void): void {
  browser.commands.onCommand.addListener((command) => {
    if (command === "pause") listener();
  });
}

/** Hears every few minutes that it is time to look which sites are still open. */
export function onSessionsAlarm(listener: () => void): void {
  browser.alarms.onAlarm.addListener((alarm) => {
    if (isSessionsAlarm(alarm)) listener();
  });
}

/** Hears of the browser's start and of installation, so that what stood before is restored without waiting for a page. */
export function onStart(listener: () => void): void {
  browser.runtime.onStartup.addListener(listener);
  browser.runtime.onInstalled.addListener(listener);
}
