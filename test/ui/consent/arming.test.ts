/** Allow cannot be pressed by accident, by a held key, or by a page's timing. */
import { describe, expect, it } from "vitest";
import {
  ARM_MS,
  type Arming,
  type ArmingEvent,
  armedShare,
  isArmed,
  mayAllow,
  stepArming,
  UNARMED,
  unseenParts,
} from "../../../src/ui/consent/arming.ts";

const SHOWN = { type: "shown", content: "call-1:aa", parts: 1, focused: true, at: 1_000 } as const;
const SEEN = { type: "seen", content: "call-1:aa", part: 0 } as const;
const READY = 1_000 + ARM_MS;

function arming(...events: readonly ArmingEvent[]): Arming {
  return events.reduce(stepArming, UNARMED);
}

describe("arming of Allow", () => {
  it("never arms before something is shown", () => {
    expect(isArmed(arming({ type: "focus", focused: true, at: 0 }, SEEN), 1e9)).toBe(false);
  });

  it("arms when it was shown with focus for the whole wait and its end was on screen", () => {
    const state = arming(SHOWN, SEEN);
    expect(isArmed(state, READY - 1)).toBe(false);
    expect(isArmed(state, READY)).toBe(true);
  });

  it("fills while it waits", () => {
    expect(armedShare(arming(SHOWN), 1_000 + ARM_MS / 2)).toBe(0.5);
    expect(armedShare(arming(SHOWN), READY + 5_000)).toBe(1);
  });

  it("does not arm while the last argument was not on screen, however long it waits", () => {
    const state = arming({ ...SHOWN, parts: 3 }, SEEN, { ...SEEN, part: 1 });
    expect(unseenParts(state)).toBe(1);
    expect(isArmed(state, 1e9)).toBe(false);
    expect(isArmed(stepArming(state, { ...SEEN, part: 2 }), READY)).toBe(true);
  });

  it("counts a part once", () => {
    expect(unseenParts(arming({ ...SHOWN, parts: 2 }, SEEN, SEEN))).toBe(1);
  });

  it("does not arm without focus", () => {
    expect(isArmed(arming({ ...SHOWN, focused: false }, SEEN), 1e9)).toBe(false);
  });

  it("starts again when the window gets the focus back", () => {
    const state = arming(
      SHOWN,
      SEEN,
      { type: "focus", focused: false, at: 1_200 },
      { type: "focus", focused: true, at: 9_000 },
    );
    expect(isArmed(state, 9_000 + ARM_MS - 1)).toBe(false);
    expect(isArmed(state, 9_000 + ARM_MS)).toBe(true);
  });

  it("goes on waiting when the focus is reported twice", () => {
    expect(isArmed(arming(SHOWN, SEEN, { type: "focus", focused: true, at: 1_500 }), READY)).toBe(true);
  });

  it("starts again, unseen, when what is shown changes", () => {
    const state = arming(SHOWN, SEEN, { ...SHOWN, content: "call-1:bb", at: 5_000 });
    expect(isArmed(state, READY + 10_000)).toBe(false);
    expect(isArmed(stepArming(state, { ...SEEN, content: "call-1:bb" }), 5_000 + ARM_MS - 1)).toBe(false);
  });

  it("ignores that an older content was seen", () => {
    const state = arming(SHOWN, { ...SHOWN, content: "call-1:bb" }, SEEN);
    expect(isArmed(state, 1e9)).toBe(false);
  });

  it("goes on when the same content is shown again", () => {
    expect(isArmed(arming(SHOWN, SEEN, { ...SHOWN, at: 1_600 }), READY)).toBe(true);
  });
});

describe("a press on Allow", () => {
  const state = arming(SHOWN, SEEN);

  it("counts when it began after arming", () => {
    expect(mayAllow(stepArming(state, { type: "press", repeat: false, at: READY }), READY + 50)).toBe(true);
  });

  it("does not count when it began before arming, even if it ends after", () => {
    expect(mayAllow(stepArming(state, { type: "press", repeat: false, at: READY - 1 }), READY + 50)).toBe(false);
  });

  it("does not count for a key that is held", () => {
    expect(mayAllow(stepArming(state, { type: "press", repeat: true, at: READY + 1 }), READY + 50)).toBe(false);
  });

  it("counts when a later press began after arming", () => {
    const early = stepArming(state, { type: "press", repeat: false, at: READY - 1 });
    expect(mayAllow(stepArming(early, { type: "press", repeat: false, at: READY + 10 }), READY + 50)).toBe(true);
  });

  it("counts without pointer or key, as assistive technology does it", () => {
    expect(mayAllow(state, READY)).toBe(true);
  });

  it("does not count after the content changed under it", () => {
    const pressed = stepArming(state, { type: "press", repeat: false, at: READY });
    expect(mayAllow(stepArming(pressed, { ...SHOWN, content: "call-1:bb", at: READY + 1 }), READY + 2)).toBe(false);
  });
});
