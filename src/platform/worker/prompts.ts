/**
 * Shows what waits for the person: one consent window at a time, and only when they look at the tab that asks. A page in
 * the background can raise a notification, never a window over what the person is doing, where a key press meant for
 * something else could answer it. A window that was closed without an answer does not come back by itself, nor do the
 * other questions of that site which waited then; and a site whose windows were closed three times within an hour gets the
 * badge and a notification only, until the hour is over.
 *
 * What is open is kept in session storage: the worker may be stopped while the window stands.
 */
import type { Notifications, Storage, Tabs, Windows } from "webextension-polyfill";
import type { Approval } from "../../core/consent/approval.ts";
import type { TabReader } from "./tabs.ts";

export interface Prompts {
  /** Everything that waits, oldest first; called again whenever that changes. */
  show(waiting: readonly Approval[]): Promise<void>;
  /** Brings one approval to the front, by the person's own act. */
  open(approvalId: string): Promise<void>;
  /** Hears of closed windows and clicked notifications. Call it in the worker's first turn. */
  listen(): void;
}

export interface PromptsOptions {
  readonly windows: Pick<Windows.Static, "create" | "get" | "update" | "onRemoved">;
  readonly tabs: Pick<Tabs.Static, "update">;
  readonly notifications: Pick<Notifications.Static, "create" | "clear" | "onClicked">;
  readonly session: Pick<Storage.StorageArea, "get" | "set">;
  readonly reader: Pick<TabReader, "isWatched" | "isShown">;
  /** Address of the consent page for one approval. */
  readonly pageFor: (approvalId: string) => string;
  /** Title and text of a notification. It may outlive a private window: for one, it must not name the site. */
  readonly words: (approval: Approval) => { readonly title: string; readonly message: string };
  readonly iconUrl: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

const SIZE = { width: 436, height: 640 } as const;
const NOTICE = "approval:";
const KEY = "prompts";
const QUIET_AFTER = 3;
const QUIET_MS = 60 * 60_000;

interface State {
  readonly window: { readonly id: number; readonly approvalId: string } | null;
  /** Closed without an answer. */
  readonly dismissed: readonly string[];
  /** Told by a notification. */
  readonly told: readonly string[];
  /** When windows were closed without an answer, by the site that asked. */
  readonly closed: readonly { readonly site: string; readonly at: number }[];
}
const NOTHING: State = { window: null, dismissed: [], told: [], closed: [] };

export function createPrompts(options: PromptsOptions): Prompts {
  const { windows, notifications, reader, session, pageFor } = options;
  /** Unknown until the first `show` after the worker started; until then nothing may be judged as gone. */
  let waiting: readonly Approval[] | undefined;
  let state: State | undefined;
  let queue: Promise<void> = Promise.resolve();

  /** One change after another: two windows must not open because two things happened at once. */
  const inTurn = (work: (now: State) => Promise<State>): Promise<void> => {
    const turn = queue.then(async () => {
      state ??= { ...NOTHING, ...((await session.get(KEY))[KEY] as Partial<State> | undefined) };
      const next = await work(state);
      if (next === state) return;
      state = next;
      await session.set({ [KEY]: next });
    });
    queue = turn.catch(() => {});
    return turn;
  };

  const settle = async (now: State, eligible: TabReader["isWatched"]): Promise<State> => {
    if (!waiting) return now;
    const ids = new Set(waiting.map(({ id }) => id));
    const { window } = now;
    const standing = window && (await windows.get(window.id).catch(() => undefined)) ? window : null;
    // Closed, and the browser has not told us yet: it is closed all the same.
    const current = window && !standing ? unanswered(now) : now;
    const gone = now.told.filter((id) => !ids.has(id));
    await Promise.all(gone.map((id) => notifications.clear(NOTICE + id)));
    const pruned: State = {
      closed: current.closed.filter(({ at }) => at > options.now() - QUIET_MS),
      window: standing,
      dismissed: current.dismissed.filter((id) => ids.has(id)),
      told: now.told.filter((id) => ids.has(id)),
    };
    // As when the browser tells us: the focus may still be on its way back from the window that closed.
    return announce(pruned, window && !standing ? reader.isShown : eligible);
  };

  /** The window is closed. What still waits was left unanswered by that, and stands for all that waits of its site. */
  const unanswered = (now: State): State => {
    const id = now.window?.approvalId ?? "";
    const asked = waiting?.find((approval) => approval.id === id);
    const others = asked ? (waiting ?? []).filter((other) => siteOf(other) === siteOf(asked)) : [];
    return {
      ...now,
      window: null,
      dismissed: [...new Set([...now.dismissed, id, ...others.map((other) => other.id)])],
      closed: asked ? [...now.closed, { site: siteOf(asked), at: options.now() }] : now.closed,
    };
  };

  const announce = async (now: State, eligible: TabReader["isWatched"]): Promise<State> => {
    let { window, told } = now;
    for (const approval of waiting ?? []) {
      const { id, place } = approval;
      if (id === window?.approvalId || now.dismissed.includes(id) || isUnbidden(approval)) continue;
      const mayOpen = !window && !isQuiet(now, approval);
      if (mayOpen && (await eligible(place.tabId))) window = await create(id);
      else if (!told.includes(id) && !(window && (await reader.isShown(place.tabId)))) {
        await notify(approval);
        told = [...told, id];
      }
    }
    return { ...now, window, told };
  };

  const create = async (approvalId: string): Promise<State["window"]> => {
    const made = await windows.create({ type: "popup", url: pageFor(approvalId), ...SIZE });
    return made.id === undefined ? null : { id: made.id, approvalId };
  };

  const notify = async (approval: Approval): Promise<void> => {
    const { title, message } = options.words(approval);
    await notifications.create(NOTICE + approval.id, { type: "basic", iconUrl: options.iconUrl, title, message });
  };

  const bringUp = async (now: State, approvalId: string): Promise<State> => {
    const standing = now.window && (await windows.get(now.window.id, { populate: true }).catch(() => undefined));
    const tabId = standing?.tabs?.[0]?.id;
    if (!now.window || tabId === undefined) return { ...now, window: await create(approvalId) };
    if (now.window.approvalId !== approvalId) await options.tabs.update(tabId, { url: pageFor(approvalId) });
    await windows.update(now.window.id, { focused: true });
    return { ...now, window: { id: now.window.id, approvalId } };
  };

  const open = (approvalId: string) => inTurn((now) => bringUp(now, approvalId));

  return {
    show(approvals) {
      waiting = approvals;
      return inTurn((now) => settle(now, reader.isWatched));
    },
    open,
    listen() {
      windows.onRemoved.addListener((windowId) => {
        void inTurn((now) => {
          if (now.window?.id !== windowId) return Promise.resolve(now);
          // The focus is still on its way back from our window; being shown is enough for the next in the queue.
          return settle(unanswered(now), reader.isShown);
        });
      });
      notifications.onClicked.addListener((noticeId) => {
        if (noticeId.startsWith(NOTICE)) void open(noticeId.slice(NOTICE.length));
      });
    },
  };
}

/** A site that asks to be connected without an act of the person's gets the badge and nothing more. */
function isUnbidden(approval: Approval): boolean {
  return approval.kind === "connect" && !approval.act;
}

function isQuiet({ closed }: State, approval: Approval): boolean {
  return closed.filter(({ site }) => site === siteOf(approval)).length >= QUIET_AFTER;
}

function siteOf({ principal }: Approval): string {
  return JSON.stringify([principal.origin, principal.private]);
}
