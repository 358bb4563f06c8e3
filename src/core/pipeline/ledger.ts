/**
 * The ledger of one call: what the stages learned, in the order they learned it. It only grows: a fact that was noted
 * cannot be noted again, so no later stage can rewrite what an earlier one judged. The record is written from it.
 */

import type { Labels } from "../flow/labels.ts";
import type { Finding } from "../inspect/finding.ts";
import type { Action, MethodRow } from "../mcp/methods.ts";
import type { Revision } from "../mcp/revision.ts";
import type { Decision } from "../policy/policy.ts";
import type { Answered, StageTime } from "../recorder/entry.ts";
import type { ToolClass, ToolDefinition } from "../servers/server.ts";

export type PinState = "approved" | "changed" | "new" | "none";

export interface LedgerFacts {
  readonly action: Action;
  readonly method: MethodRow;
  readonly definition: ToolDefinition;
  readonly class: ToolClass;
  readonly pin: PinState;
  readonly requestFindings: readonly Finding[];
  readonly sessionLabels: Labels;
  readonly digest: string;
  readonly answered: Answered;
  /** What the reply holds was typed by the person into navra's own window: it is not kept. */
  readonly typed: boolean;
  /** How the person answered about the reply, where it was held. */
  readonly released: Answered;
  readonly sentAt: number;
  /** The revision spoken with the server. */
  readonly served: Revision;
  readonly replyFindings: readonly Finding[];
  readonly replyLabels: Labels;
  /** Names of listed tools that changed since they were approved. */
  readonly quarantined: ReadonlySet<string>;
  /** Names of list items that the asker does not get. */
  readonly hidden: ReadonlySet<string>;
}

export interface Ledger {
  note<Name extends keyof LedgerFacts>(name: Name, value: LedgerFacts[Name]): void;
  read<Name extends keyof LedgerFacts>(name: Name): LedgerFacts[Name] | undefined;
  decided(decision: Decision): void;
  readonly decisions: readonly Decision[];
  /** The stage the call is in now. */
  enter(stage: string): void;
  readonly current: string;
  timed(time: StageTime): void;
  readonly stages: readonly StageTime[];
}

export function createLedger(): Ledger {
  const facts: Partial<LedgerFacts> = {};
  const decisions: Decision[] = [];
  const stages: StageTime[] = [];
  let current = "";
  return {
    enter(stage) {
      current = stage;
    },
    get current() {
      return current;
    },
    note(name, value) {
      if (Object.hasOwn(facts, name)) throw new Error(`The fact "${name}" was noted twice.`);
      facts[name] = value;
    },
    read: (name) => facts[name],
    decided: (decision) => void decisions.push(decision),
    decisions,
    timed: (time) => void stages.push(time),
    stages,
  };
}
