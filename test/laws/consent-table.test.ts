/** Consent as a table: what happens, in this order, and how each question ends. The calls are named by letters. */
import { describe, expect, it } from "vitest";
import { ARM_MS } from "../../src/ui/consent/arming.ts";
import { ASK_MS, run, type Step } from "./consent-machine.ts";

const ask = (call: string): Step => ({ do: "ask", call });
const look: Step = { do: "look" };
const see: Step = { do: "see" };
const press: Step = { do: "press" };
const click: Step = { do: "click" };
const wait = (ms: number): Step => ({ do: "wait", ms });
const focus = (on: boolean): Step => ({ do: "focus", on });
const armed = [look, see, wait(ARM_MS)];

/** Question, ending; what is missing waits still. */
const ROWS: readonly (readonly [what: string, steps: readonly Step[], ended: string])[] = [
  ["read to the end, waited, pressed", [ask("A"), ...armed, press, click], "c1 allow"],
  ["denied at once, without any wait", [ask("A"), look, { do: "deny" }], "c1 deny"],
  ["pressed before the wait was over", [ask("A"), look, see, wait(ARM_MS - 1), press, click], ""],
  ["pressed before, let go after", [ask("A"), look, see, wait(ARM_MS - 1), press, wait(1), click], ""],
  ["pressed early, then again", [ask("A"), look, see, press, wait(ARM_MS), click, press, click], "c1 allow"],
  ["a key that was held", [ask("A"), ...armed, { do: "press", repeat: true }, click], ""],
  ["not read to the end", [ask("A"), look, wait(10_000), press, click], ""],
  ["without focus", [ask("A"), focus(false), ...armed, press, click], ""],
  ["focus lost and back a moment ago", [ask("A"), ...armed, focus(false), focus(true), press, click], ""],
  [
    "focus lost, back, and waited again",
    [ask("A"), ...armed, focus(false), focus(true), wait(ARM_MS), press, click],
    "c1 allow",
  ],
  ["focus lost between press and click", [ask("A"), ...armed, press, focus(false), click], ""],
  [
    "something else is shown under the press",
    [ask("A"), ...armed, press, { do: "withdraw", of: "c1" }, ask("B"), look, click],
    "c1 deny",
  ],
  ["the definition changed under the eye", [ask("A"), ...armed, { do: "repin", to: "{1}" }, look, press, click], ""],
  [
    "the definition changed, read again",
    [ask("A"), ...armed, { do: "repin", to: "{1}" }, ...armed, press, click],
    "c1 allow",
  ],
  ["two alike, both shown", [ask("A"), ask("A"), ...armed, press, click], "c1 allow, c2 allow"],
  ["two alike, the second came after the look", [ask("A"), ...armed, ask("A"), press, click], "c1 allow"],
  ["two alike, denied together", [ask("A"), ask("A"), look, { do: "deny" }], "c1 deny, c2 deny"],
  ["two that differ", [ask("A"), ask("B"), ...armed, press, click], "c1 allow"],
  ["the agent left before the answer", [ask("A"), { do: "leave", of: "c1" }, ...armed, press, click], "c1 allow"],
  ["the agent left while it was read", [ask("A"), ...armed, { do: "leave", of: "c1" }, look, press, click], ""],
  [
    "left and asked again: the same seat",
    [ask("A"), { do: "leave", of: "c1" }, ask("A"), ...armed, press, click],
    "c1 allow",
  ],
  [
    "left, and another asked: two seats",
    [ask("A"), { do: "leave", of: "c1" }, ask("B"), ...armed, press, click],
    "c1 allow",
  ],
  ["answered twice", [ask("A"), ...armed, press, click, press, click], "c1 allow"],
  ["allowed, then denied", [ask("A"), ...armed, press, click, { do: "deny" }], "c1 allow"],
  ["too late by the clock", [ask("A"), look, see, wait(ASK_MS), press, click], "c1 expired"],
  [
    "too late, though no timer said so",
    [ask("A"), look, see, { do: "wait", ms: ASK_MS, unheard: true }, press, click],
    "c1 expired",
  ],
  ["at the last moment", [ask("A"), look, see, wait(ASK_MS - 1), press, click], "c1 allow"],
  ["taken back while it was read", [ask("A"), ...armed, { do: "withdraw", of: "c1" }, press, click], "c1 deny"],
  ["an answer for another digest", [ask("A"), { do: "forge", given: { id: "c1", digest: "B" } }], ""],
  [
    "an answer that names one not alike",
    [ask("A"), ask("B"), { do: "forge", given: { id: "c1", digest: "A", also: ["c2"] } }],
    "",
  ],
  ["an answer for what is not there", [ask("A"), { do: "forge", given: { id: "c9", digest: "A" } }], ""],
];

describe("a question to the person", () => {
  it.each(ROWS)("%s", (_what, steps, ended) => {
    const { endings } = run(steps);
    expect(endings.map(({ approval, answer }) => `${approval.id} ${answer.answer}`).join(", ")).toBe(ended);
  });
});
