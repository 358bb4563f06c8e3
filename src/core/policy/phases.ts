/**
 * Which clause, verdict and obligation can exist in which phase. A clause about a fact that a phase does not have would
 * never match, and a rule that never matches looks like protection and is none; so it is refused when saved.
 */
import type { Obligations, Phase, Verdict, When } from "./policy.ts";

export const PHASES = ["request", "reply", "event", "list"] as const satisfies readonly Phase[];
export const VERDICTS = ["allow", "ask", "deny"] as const satisfies readonly Verdict[];

/** The phases that have the facts of a clause. */
export const CLAUSE_PHASES: Readonly<Record<keyof When, readonly Phase[]>> = {
  origin: PHASES,
  topSite: PHASES,
  frame: PHASES,
  private: PHASES,
  direction: ["request", "reply", "event"],
  era: ["request", "reply", "event"],
  server: PHASES,
  method: PHASES,
  tool: ["request", "reply", "list"],
  prompt: ["request", "reply", "list"],
  uri: ["request", "reply", "list"],
  class: ["request", "reply"],
  annotations: ["request", "reply"],
  pin: ["request", "reply"],
  args: ["request"],
  labels: ["request", "reply"],
  findings: ["request", "reply", "event"],
  size: ["request", "reply", "event"],
  // A list that changed by the clock would change without the agent being told.
  time: ["request", "reply", "event"],
  rate: ["request"],
  after: ["request"],
  inARow: ["request"],
  refusals: ["request"],
};

/** A notification or an item of a list is never held for an answer: nobody could tell what the person is asked about. */
export const VERDICT_PHASES: Readonly<Record<Verdict, readonly Phase[]>> = {
  allow: PHASES,
  ask: ["request", "reply"],
  deny: PHASES,
};

export const OBLIGATION_PHASES: Readonly<Record<keyof Obligations, readonly Phase[]>> = {
  redact: ["request", "reply", "event"],
  rate: ["request"],
  grant: ["request"],
  timeout: ["request"],
  say: ["request", "reply"],
};
