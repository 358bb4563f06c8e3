/** A verdict or an ending: outline, word and colour together, never colour alone. */
import type { JSX } from "preact";
import type { CallView } from "../../bridge/control-api.ts";
import type { Verdict as PolicyVerdict } from "../../core/policy/policy.ts";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-shapes.ts";
import { t } from "./text.ts";

export type Mark = PolicyVerdict | "unknown" | "run" | "off" | "audit";

interface VerdictProps {
  readonly mark: Mark;
  /** The word beside the outline; `""` leaves the outline alone and gives it its word as a label. */
  readonly word?: string;
}

export function Verdict({ mark, word = t(`shared_mark_${mark}`) }: VerdictProps): JSX.Element {
  return (
    <span class={`v v-${mark}`}>
      <Icon name={ICONS[mark]} label={word === "" ? t(`shared_mark_${mark}`) : undefined} />
      {word !== "" && <span>{word}</span>}
    </span>
  );
}

/** How a call ended or where it stands, in one mark and one word. */
export function callMark(call: CallView): { readonly mark: Mark; readonly word: string } {
  const { outcome } = call;
  switch (outcome.kind) {
    case "open":
      return outcome.stage === "consent"
        ? { mark: "ask", word: t("shared_call_waits") }
        : { mark: "run", word: t("shared_call_running") };
    case "answered":
      return outcome.error
        ? { mark: "allow", word: t("shared_call_error") }
        : { mark: "allow", word: t("shared_call_passed") };
    case "delivered":
      return { mark: "allow", word: t("shared_call_passed") };
    case "refused":
    case "dropped":
      return outcome.name === "not-sent"
        ? { mark: "off", word: t("shared_call_not_sent") }
        : { mark: "deny", word: t("shared_call_denied") };
    case "fault":
      if (outcome.name === "withheld") return { mark: "deny", word: t("shared_call_withheld") };
      if (outcome.name === "unknown") return { mark: "unknown", word: t("shared_call_unknown") };
      if (outcome.name === "not-sent") return { mark: "off", word: t("shared_call_not_sent") };
      if (outcome.name === "cancelled") return { mark: "off", word: t("shared_call_cancelled") };
      if (outcome.stage === "decide") return { mark: "deny", word: t("shared_call_denied") };
      return { mark: "off", word: t("shared_call_failed") };
  }
}

const ICONS: Readonly<Record<Mark, IconName>> = {
  allow: "allow",
  ask: "ask",
  deny: "deny",
  unknown: "unknown",
  run: "run",
  off: "clear",
  audit: "audit",
};
