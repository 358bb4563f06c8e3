/**
 * What holds without any rule of the person's. *Floors* stand above their rules and can only deny: a changed tool is off
 * until somebody looked at it. *Rows* stand below: data from outside in a
 * session makes changes a question, reading with connected tools is allowed, and everything else is asked.
 */
import { sentenceFor } from "./explain.ts";
import type { Facts, Reason, Verdict } from "./policy.ts";

/** The names of our rows and floors among reasons. */
type BaselineRow =
  | "pin:changed"
  | "default:back"
  | "default:sampling"
  | "flow:untrusted-write"
  | "default:read"
  | "default:other"
  | "default:method"
  | "default:reply"
  | "default:event"
  | "default:list";

/** What no rule can lift. */
export function floorOf(facts: Facts): Reason | undefined {
  if (facts.phase !== "request" && facts.phase !== "list") return undefined;
  return facts.pin === "changed" && facts.tool !== undefined ? ROWS["pin:changed"] : undefined;
}

/** What decides when no enforced rule matches. */
export function baselineOf(facts: Facts): Reason {
  if (facts.phase === "reply") return ROWS["default:reply"];
  if (facts.phase === "event") return ROWS["default:event"];
  if (facts.phase === "list") return ROWS["default:list"];
  if (facts.direction === "back")
    return ROWS[facts.method === "sampling/createMessage" ? "default:sampling" : "default:back"];
  if (facts.method !== "tools/call") return ROWS["default:method"];
  if (facts.class === "read") return ROWS["default:read"];
  return facts.labels?.integrity === "untrusted" ? ROWS["flow:untrusted-write"] : ROWS["default:other"];
}

const row = (rule: BaselineRow, verdict: Verdict): Reason =>
  Object.freeze({ rule, verdict, priority: 0, mode: "enforce", sentence: sentenceFor(rule) });

const ROWS: Readonly<Record<BaselineRow, Reason>> = Object.freeze({
  "pin:changed": row("pin:changed", "deny"),
  "default:back": row("default:back", "allow"),
  "default:sampling": row("default:sampling", "ask"),
  "flow:untrusted-write": row("flow:untrusted-write", "ask"),
  "default:read": row("default:read", "allow"),
  "default:other": row("default:other", "ask"),
  "default:method": row("default:method", "allow"),
  "default:reply": row("default:reply", "allow"),
  "default:event": row("default:event", "allow"),
  "default:list": row("default:list", "allow"),
});
