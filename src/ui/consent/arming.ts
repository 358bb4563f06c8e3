/**
 * When Allow may be pressed. A window that opens under a moving pointer or into someone's typing must not be answered by
 * accident or by a page's timing, so Allow works only after it was shown with focus for a while, only when the end of
 * everything that would be sent has been on screen, and only for a press that began after that.
 *
 * INVARIANT: whatever changes what is shown, or takes the focus away, starts the wait from zero.
 */

/** Milliseconds of being shown with focus; the same as `--arm` of the tokens. */
export const ARM_MS = 700;

export interface Arming {
  /** Names exactly what is shown: the approval and its digest. */
  readonly content: string;
  /** How many parts there are whose end must have been on screen. */
  readonly parts: number;
  readonly seen: ReadonlySet<number>;
  /** Since when it is shown with focus; null without focus. */
  readonly since: number | null;
  /** How the press now going on began; a click without any press comes from assistive technology. */
  readonly press: "none" | "armed" | "early";
}

export type ArmingEvent =
  | {
      readonly type: "shown";
      readonly content: string;
      readonly parts: number;
      readonly focused: boolean;
      readonly at: number;
    }
  | { readonly type: "focus"; readonly focused: boolean; readonly at: number }
  /** The end of one part came into view. */
  | { readonly type: "seen"; readonly content: string; readonly part: number }
  /** A pointer or key went down on Allow; `repeat` for a key that is held. */
  | { readonly type: "press"; readonly repeat: boolean; readonly at: number };

/** Nothing shown yet: can never be pressed. */
export const UNARMED: Arming = Object.freeze({
  content: "",
  parts: 1,
  seen: new Set<number>(),
  since: null,
  press: "none",
});

export function stepArming(state: Arming, event: ArmingEvent): Arming {
  switch (event.type) {
    case "shown": {
      if (event.content === state.content && event.parts === state.parts) return state;
      const { content, parts, focused, at } = event;
      return { content, parts, seen: new Set(), since: focused ? at : null, press: "none" };
    }
    case "focus": {
      if (event.focused === (state.since !== null) || state.content === "") return state;
      return { ...state, since: event.focused ? event.at : null, press: "none" };
    }
    case "seen": {
      const known = event.part >= 0 && event.part < state.parts;
      if (event.content !== state.content || !known || state.seen.has(event.part)) return state;
      return { ...state, seen: new Set(state.seen).add(event.part) };
    }
    case "press":
      return { ...state, press: isArmed(state, event.at) && !event.repeat ? "armed" : "early" };
  }
}

export function isArmed(state: Arming, now: number): boolean {
  return armedShare(state, now) >= 1 && unseenParts(state) === 0;
}

/** Whether a click on Allow at this moment counts. */
export function mayAllow(state: Arming, now: number): boolean {
  return isArmed(state, now) && state.press !== "early";
}

/** How much of the wait has passed, 0 to 1. */
export function armedShare(state: Arming, now: number): number {
  if (state.since === null) return 0;
  return Math.min(1, Math.max(0, (now - state.since) / ARM_MS));
}

export function unseenParts(state: Arming): number {
  return Math.max(0, state.parts - state.seen.size);
}
