/** The arming rules, fed by a real window: focus as the document reports it, ends of parts as they come into view. */
import type { RefObject } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import {
  type Arming,
  type ArmingEvent,
  armedShare,
  isArmed,
  mayAllow,
  stepArming,
  UNARMED,
  unseenParts,
} from "./arming.ts";

export interface ArmedButton {
  readonly armed: boolean;
  /** 0 to 1. */
  readonly share: number;
  readonly unseen: number;
  readonly press: (repeat: boolean) => void;
  /** Whether a click right now counts. */
  readonly mayAllow: () => boolean;
}

/** Often enough that the button fills smoothly and a lost focus is noticed where no event tells of it. */
const LOOK_EVERY = 50;

/** Parts are the elements with `data-part="0"`, `"1"`, … inside `body`, placed at the end of what must be seen. */
export function useArming(content: string, parts: number, body: RefObject<HTMLElement | null>): ArmedButton {
  const arming = useRef<Arming>(UNARMED);
  const [, redraw] = useState(0);
  /** How full the button was when it was last drawn. */
  const drawn = useRef(0);

  const step = useCallback((event: ArmingEvent) => {
    const before = arming.current;
    arming.current = stepArming(before, event);
    if (arming.current !== before) redraw((count) => count + 1);
  }, []);

  useEffect(() => {
    step({ type: "shown", content, parts, focused: hasFocus(), at: performance.now() });
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          const part = Number((target as HTMLElement).dataset.part);
          if (isIntersecting) step({ type: "seen", content, part });
        }
      },
      { root: body.current },
    );
    for (const end of body.current?.querySelectorAll("[data-part]") ?? []) observer.observe(end);
    return () => observer.disconnect();
  }, [content, parts, body, step]);

  useEffect(() => {
    const look = () => step({ type: "focus", focused: hasFocus(), at: performance.now() });
    const timer = setInterval(() => {
      look();
      // However late this comes on a busy machine: as long as the button is not drawn full, it is drawn again.
      if (drawn.current < 1) redraw((count) => count + 1);
    }, LOOK_EVERY);
    for (const event of ["focus", "blur"]) addEventListener(event, look);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      for (const event of ["focus", "blur"]) removeEventListener(event, look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [step]);

  const now = performance.now();
  // What is drawn now may not have been armed yet: until then nothing of the old arming counts for it.
  const current = (): Arming => (arming.current.content === content ? arming.current : UNARMED);
  drawn.current = armedShare(current(), now);
  return {
    armed: isArmed(current(), now),
    share: drawn.current,
    unseen: unseenParts(current()),
    press: (repeat) => step({ type: "press", repeat, at: performance.now() }),
    mayAllow: () => mayAllow(current(), performance.now()),
  };
}

function hasFocus(): boolean {
  return document.visibilityState === "visible" && document.hasFocus();
}
