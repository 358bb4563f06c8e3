/**
 * The desk that holds what waits and the window that arms its Allow, as the one machine they are: what the window draws is
 * what it read from the desk some time ago, what it answers is made from what it drew. Nothing else decides.
 */
import type { Approval } from "../../src/core/consent/approval.ts";
import {
  type AnswerGiven,
  alikeOf,
  type Desk,
  EMPTY_DESK,
  type Ending,
  headsOf,
  stepDesk,
} from "../../src/core/consent/desk.ts";
import { type Arming, mayAllow, stepArming, UNARMED } from "../../src/ui/consent/arming.ts";
import { answerOf, contentOf, type Shown } from "../../src/ui/consent/shown.ts";
import { callApproval } from "../core/consent/sample.ts";

/** How long a question waits in this machine. */
export const ASK_MS = 120_000;

export type Step =
  /** A call is asked about; the same letter is the same call. */
  | { readonly do: "ask"; readonly call: string }
  | { readonly do: "leave" | "withdraw"; readonly of: string }
  /** `unheard`: the timer is late. */
  | { readonly do: "wait"; readonly ms: number; readonly unheard?: boolean }
  /** The window reads the desk and draws the oldest question, or the one it was opened for. */
  | { readonly do: "look"; readonly of?: string }
  /** The server's approved definition of the tool changes under the window. */
  | { readonly do: "repin"; readonly to: string }
  /** The end of what is drawn came into view. */
  | { readonly do: "see" }
  | { readonly do: "focus"; readonly on: boolean }
  | { readonly do: "press"; readonly repeat?: boolean }
  | { readonly do: "click" | "deny" }
  /** An answer that no window gave. */
  | { readonly do: "forge"; readonly given: Pick<AnswerGiven, "id" | "digest" | "also"> };

export interface Machine {
  readonly now: number;
  readonly desk: Desk;
  readonly arming: Arming;
  readonly drawn: Shown | undefined;
  readonly focused: boolean;
  readonly pinned: string;
  readonly asked: number;
  /** Every ending so far, with what was drawn when it came and how. */
  readonly endings: readonly MachineEnding[];
}

export interface MachineEnding extends Ending {
  readonly by: Step["do"];
  readonly drawn: Shown | undefined;
  readonly arming: Arming;
  readonly focused: boolean;
  readonly at: number;
}

export const BEGINNING: Machine = {
  now: 0,
  desk: EMPTY_DESK,
  arming: UNARMED,
  drawn: undefined,
  focused: true,
  pinned: "{}",
  asked: 0,
  endings: [],
};

export function run(steps: readonly Step[], from: Machine = BEGINNING): Machine {
  return steps.reduce(stepMachine, from);
}

export function stepMachine(machine: Machine, step: Step): Machine {
  const { now, desk, arming, drawn, focused, pinned } = machine;
  const onDesk = (event: Parameters<typeof stepDesk>[1], at = now): Machine => {
    const next = stepDesk(desk, event);
    const endings = next.endings.map((ending) => ({ ...ending, by: step.do, drawn, arming, focused, at }));
    return { ...machine, now: at, desk: next.desk, endings: [...machine.endings, ...endings] };
  };
  switch (step.do) {
    case "ask":
      return { ...onDesk({ type: "asked", approval: approvalOf(step.call, machine) }), asked: machine.asked + 1 };
    case "leave":
      return onDesk({ type: "left", id: step.of });
    case "withdraw":
      return onDesk({ type: "withdrawn", ids: [step.of] });
    case "wait":
      if (step.unheard) return { ...machine, now: now + step.ms };
      return onDesk({ type: "time", at: now + step.ms }, now + step.ms);
    case "repin":
      return { ...machine, pinned: step.to };
    case "look": {
      const head = step.of === undefined ? headsOf(desk)[0] : desk.seats.find(({ id }) => id === step.of);
      if (!head) return { ...machine, drawn: undefined, arming: UNARMED };
      const shown: Shown = { approval: head, alike: alikeOf(desk, head).map(({ id }) => id), pinned, twin: undefined };
      const event = { type: "shown", content: contentOf(shown), parts: 1, focused, at: now } as const;
      return { ...machine, drawn: shown, arming: stepArming(arming, event) };
    }
    case "see":
      if (!drawn) return machine;
      return { ...machine, arming: stepArming(arming, { type: "seen", content: contentOf(drawn), part: 0 }) };
    case "focus":
      return {
        ...machine,
        focused: step.on,
        arming: stepArming(arming, { type: "focus", focused: step.on, at: now }),
      };
    case "press":
      return { ...machine, arming: stepArming(arming, { type: "press", repeat: step.repeat === true, at: now }) };
    case "click":
      if (!drawn || !mayAllow(arming, now)) return machine;
      return onDesk({ type: "answered", given: answerOf(drawn, { answer: "allow", scope: "once" }), at: now });
    case "deny":
      if (!drawn) return machine;
      return onDesk({ type: "answered", given: answerOf(drawn, { answer: "deny", scope: "once" }), at: now });
    case "forge":
      return onDesk({ type: "answered", given: { ...step.given, answer: "allow", scope: "once" }, at: now });
  }
}

function approvalOf(call: string, { asked, now }: Machine): Approval {
  return callApproval(`c${asked + 1}`, { digest: call, createdAt: now, expiresAt: now + ASK_MS });
}
