/** The window when there is nothing to decide: before the approval arrived, and after it ended. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { closeThisPage } from "../../platform/pages.ts";
import { Icon } from "../shared/icon.tsx";
import type { IconName } from "../shared/icon-shapes.ts";
import { t, tn } from "../shared/text.ts";

export type Outcome = "allowed" | "denied" | "gone" | "answered" | "declined" | "finished";

const ICONS: Readonly<Record<Outcome, IconName>> = {
  allowed: "allow",
  denied: "deny",
  gone: "clock",
  answered: "allow",
  declined: "deny",
  finished: "allow",
};

interface EndingProps {
  readonly outcome: Outcome;
  /** How many others wait; the worker opens the next one in a window of its own. */
  readonly waiting: number;
}

export function Ending({ outcome, waiting }: EndingProps): JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <main class="consent c-plain">
      <div class="empty" role="status">
        <Icon name={ICONS[outcome]} />
        <h1>{t(`consent_end_${outcome}`)}</h1>
        <p>{waiting > 0 ? tn("consent_end_waiting", waiting) : t(`consent_end_${outcome}_more`)}</p>
        <button type="button" class="btn" ref={button} onClick={() => void closeThisPage()}>
          {t("consent_close")}
        </button>
      </div>
    </main>
  );
}

export function Waking({ silent }: { readonly silent: boolean }): JSX.Element {
  return (
    <main class="consent c-plain" aria-busy={!silent}>
      {!silent && (
        <div class="prog late">
          <i />
        </div>
      )}
      <div class="empty late" role="status">
        <Icon name={silent ? "warn" : "gateopen"} />
        <h1>{t(silent ? "shared_silent" : "shared_waking")}</h1>
        {silent && <p>{t("shared_silent_more")}</p>}
      </div>
    </main>
  );
}
