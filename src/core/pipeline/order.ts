/**
 * The three lines, in full. INVARIANT: this order is the security argument. Admission comes before any upstream work;
 * payloads change only in `label` and `redact`, both before the digest that consent shows and forward sends; a reply is
 * judged before it is delivered.
 */
import type { StageName } from "./stage.ts";

export const REQUEST_LINE = [
  "admit",
  "resolve",
  "pin",
  "inspect",
  "label",
  "decide",
  "redact",
  "consent",
  "forward",
] as const satisfies readonly StageName[];

export const REPLY_LINE = [
  "inspect",
  "pin",
  "label",
  "decide",
  "redact",
  "consent",
  "deliver",
] as const satisfies readonly StageName[];

export const EVENT_LINE = ["inspect", "decide", "redact", "deliver"] as const satisfies readonly StageName[];
