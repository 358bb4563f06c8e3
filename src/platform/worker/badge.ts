/**
 * The toolbar icon: what it says at a glance. Waiting approvals come before pause, because they are about to expire.
 */
import type { Action } from "webextension-polyfill";

export interface BadgeInput {
  readonly paused: boolean;
  readonly waiting: number;
}

export type BadgeState = "normal" | "paused" | "attention";

export interface BadgeView {
  readonly state: BadgeState;
  readonly text: string;
}

export function badgeView({ paused, waiting }: BadgeInput): BadgeView {
  if (waiting > 0) return { state: "attention", text: waiting > 99 ? "99+" : String(waiting) };
  return { state: paused ? "paused" : "normal", text: "" };
}

/** The part of `action` that the badge needs. */
export type BadgeApi = Pick<Action.Static, "setIcon" | "setBadgeText" | "setBadgeBackgroundColor" | "setTitle">;

export interface BadgeOptions {
  readonly action: BadgeApi;
  /** Tooltip for each state, in the person's language. */
  readonly title: (view: BadgeView) => string;
}

export interface Badge {
  set(input: BadgeInput): Promise<void>;
}

const SIZES = [16, 32, 48] as const;
const BADGE_COLOUR = "#9a3412";

export function createBadge({ action, title }: BadgeOptions): Badge {
  let shown = "";
  return {
    async set(input) {
      const view = badgeView(input);
      const key = `${view.state} ${view.text}`;
      if (key === shown) return;
      shown = key;
      await Promise.all([
        action.setIcon({ path: Object.fromEntries(SIZES.map((size) => [size, iconPath(view.state, size)])) }),
        action.setBadgeText({ text: view.text }),
        action.setBadgeBackgroundColor({ color: BADGE_COLOUR }),
        action.setTitle({ title: title(view) }),
      ]);
    },
  };
}

function iconPath(state: BadgeState, size: number): string {
  return `/icons/${state}-${size}.png`;
}
