/** A call in words: what was called, how it passed the gate, and how it ended on the other side. */
import type { CallView } from "../../bridge/control-api.ts";
import type { FaultName } from "../../core/errors.ts";
import { t } from "./text.ts";
import type { Mark } from "./verdict.tsx";

export interface Passage {
  readonly mark: Mark;
  readonly word: string;
}

/** The verdict column: what happened at the gate, whatever the server answered. */
export function passage(call: CallView): Passage {
  const { outcome } = call;
  switch (outcome.kind) {
    case "open":
      return outcome.stage === "consent"
        ? { mark: "ask", word: t("record_end_waiting") }
        : { mark: "run", word: t("record_end_running") };
    case "answered":
    case "delivered":
      return letThrough(call.verdict);
    case "dropped":
      return { mark: "deny", word: t("record_dropped") };
    case "refused":
      return { mark: "deny", word: t(refusalKey(outcome.name, outcome.stage)) };
    case "fault":
      if (outcome.name === "unknown") return { mark: "unknown", word: t("record_unknown") };
      if (outcome.name === "withheld") return { mark: "deny", word: t("record_withheld") };
      // What is hidden from the site's lists is refused like something that is not there.
      if (outcome.stage === "decide") return { mark: "deny", word: t("record_denied_rule") };
      return letThrough(call.verdict);
  }
}

/** The outcome column: what came of it. */
export function ending(call: CallView): string {
  const { outcome } = call;
  switch (outcome.kind) {
    case "open":
      return t(outcome.stage === "consent" ? "record_end_waiting" : "record_end_running");
    case "answered":
      return t(outcome.error ? "record_end_error" : "record_end_ok");
    case "delivered":
      return t("record_end_ok");
    case "refused":
      return t("record_end_not_sent");
    case "dropped":
      return t("record_end_dropped");
    case "fault":
      return t(`record_fault_${outcome.name.replaceAll("-", "_")}`);
  }
}

export function endedBadly(call: CallView): boolean {
  return call.outcome.kind === "fault" || (call.outcome.kind === "answered" && call.outcome.error);
}

function letThrough(verdict: CallView["verdict"]): Passage {
  if (verdict === "ask") return { mark: "ask", word: t("record_asked_allowed") };
  if (verdict === "allow") return { mark: "allow", word: t("record_allowed") };
  return { mark: "off", word: t("record_not_judged") };
}

function refusalKey(name: FaultName, stage: string): string {
  if (name === "paused") return "record_denied_paused";
  if (stage === "consent") return name === "not-answered" ? "record_not_answered" : "record_asked_denied";
  return stage === "decide" ? "record_denied_rule" : "record_denied";
}
