/**
 * Deciding again after a wait. What may have changed meanwhile is read fresh: the connection, pause, the tool's pin, the
 * session's labels, the rules, the time.
 */
import type { MutableCall } from "../call.ts";
import type { SessionLabels } from "../flow/session-labels.ts";
import type { Pins } from "../pins/pins.ts";
import { pinStateOf } from "../pins/stage.ts";
import { refuse, type Stage, type Stop } from "../pipeline/stage.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import { decide } from "../policy/decide.ts";
import type { Decision } from "../policy/policy.ts";
import { denial, requestFacts } from "../policy/stage.ts";
import type { UsageBook } from "../policy/usage.ts";
import type { Clock } from "../ports.ts";

export interface AgainOptions {
  readonly admit: Stage;
  readonly pins: Pins;
  readonly labels: SessionLabels;
  readonly policy: () => CompiledPolicy;
  readonly usage: UsageBook;
  readonly clock: Clock;
}

export function decideAgain({
  admit,
  pins,
  labels,
  policy,
  usage,
  clock,
}: AgainOptions): (call: MutableCall) => Stop | Decision {
  return (call) => {
    const refused = admit.request?.(call);
    if (refused && !(refused instanceof Promise)) return refused;
    const earlier = call.ledger.decisions.at(-1);
    const decision = decide(policy(), {
      ...requestFacts(call, { usage, clock }),
      labels: labels.of(call.principalKey),
      pin: pinStateOf(pins, call),
      usage: usage.of(call.principalKey, call.callId),
    });
    call.ledger.decided(decision);
    if (decision.verdict === "deny") return denial(decision, call);
    // What was shown would no longer be what policy wants sent.
    return decision.redact.every((kind) => earlier?.redact.includes(kind)) ? decision : RULES_CHANGED;
  };
}

const RULES_CHANGED: Stop = refuse(
  "denied",
  "The person's policy changed while this call waited for their answer, so it was not sent. It is safe to try again.",
  ["rule"],
);
