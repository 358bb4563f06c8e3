import { describe, expect, it } from "vitest";
import type { Decision } from "../../../src/core/policy/policy.ts";
import { callOf } from "../../../src/ui/shared/call-of.ts";
import { recordsAt } from "../../shots/fixtures-records.ts";

const [RECORD] = recordsAt(0);

function decision(phase: Decision["phase"], verdict: Decision["verdict"]): Decision {
  const reason = { rule: "r", verdict, priority: 0, mode: "enforce", sentence: `${verdict} in ${phase}` } as const;
  return { phase, verdict, reasons: [reason], redact: [] };
}

describe.runIf(RECORD)("a record as a call of the lists", () => {
  const shown = (...decisions: readonly Decision[]) => RECORD && callOf({ ...RECORD, decisions });

  it("is explained by the decision that did not simply allow", () => {
    expect(shown(decision("request", "allow"), decision("reply", "deny"))).toMatchObject({
      verdict: "deny",
      why: "deny in reply",
    });
  });

  it("is explained by the first decision where all allow", () => {
    expect(shown(decision("request", "allow"), decision("reply", "allow"))?.why).toBe("allow in request");
  });

  it("has no verdict where it ended before any decision", () => {
    expect(shown()).toMatchObject({ verdict: null, why: "" });
  });
});
