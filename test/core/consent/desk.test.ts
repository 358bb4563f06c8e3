import { describe, expect, it } from "vitest";
import type { Approval } from "../../../src/core/consent/approval.ts";
import { type AnswerGiven, alikeOf, type Desk, EMPTY_DESK, headsOf, stepDesk } from "../../../src/core/consent/desk.ts";
import { callApproval, connectApproval } from "./sample.ts";

const deskOf = (...approvals: readonly Approval[]): Desk =>
  approvals.reduce((desk, approval) => stepDesk(desk, { type: "asked", approval }).desk, EMPTY_DESK);
const give = (more: Partial<AnswerGiven> = {}): AnswerGiven => ({
  id: "a",
  digest: "d1",
  answer: "allow",
  scope: "once",
  ...more,
});
const answers = (desk: Desk, given: AnswerGiven, at = 1) => {
  const { reply, endings, desk: after } = stepDesk(desk, { type: "answered", given, at });
  return {
    reply,
    endings: endings.map(({ approval, answer }) => `${approval.id} ${answer.answer}`),
    left: after.seats.map(({ id }) => id),
  };
};

describe("the desk", () => {
  const two = deskOf(callApproval("a"), callApproval("b"), callApproval("c", { digest: "d2" }));
  it.each([
    ["allows what the answer names", give(), { reply: "done", endings: ["a allow"], left: ["b", "c"] }],
    [
      "denies what the answer names",
      give({ answer: "deny" }),
      { reply: "done", endings: ["a deny"], left: ["b", "c"] },
    ],
    [
      "answers identical ones together",
      give({ also: ["b"] }),
      { reply: "done", endings: ["a allow", "b allow"], left: ["c"] },
    ],
    [
      "never answers a different one with it",
      give({ also: ["c"] }),
      { reply: "changed", endings: [], left: ["a", "b", "c"] },
    ],
    [
      "never answers one that is not there",
      give({ also: ["x"] }),
      { reply: "changed", endings: [], left: ["a", "b", "c"] },
    ],
    [
      "takes no answer to another content",
      give({ digest: "d2" }),
      { reply: "changed", endings: [], left: ["a", "b", "c"] },
    ],
    ["takes no answer to what is not there", give({ id: "x" }), { reply: "gone", endings: [], left: ["a", "b", "c"] }],
  ])("%s", (_title, given, expected) => {
    expect(answers(two, given)).toEqual(expected);
  });

  it("lets no answer reach a call whose time has run out, even before the clock said so", () => {
    expect(answers(deskOf(callApproval("a")), give(), 120_000)).toEqual({
      reply: "gone",
      endings: ["a expired"],
      left: [],
    });
  });

  it("gives an answer once", () => {
    const { desk } = stepDesk(two, { type: "answered", given: give(), at: 1 });
    expect(answers(desk, give()).reply).toBe("gone");
  });

  it("makes a standing grant of the call that was looked at only", () => {
    const { endings } = stepDesk(two, { type: "answered", given: give({ also: ["b"], scope: "tool" }), at: 1 });
    expect(endings.map(({ answer }) => answer)).toMatchObject([{ scope: "tool" }, { scope: "once" }]);
  });

  it("denies what is withdrawn", () => {
    expect(stepDesk(two, { type: "withdrawn", ids: ["b"] }).endings).toMatchObject([{ answer: { answer: "deny" } }]);
  });

  it("keeps the question of an asker that left, as a late one", () => {
    const { desk, endings } = stepDesk(two, { type: "left", id: "a" });
    expect(endings).toEqual([]);
    expect(desk.seats[0]).toMatchObject({ id: "a", live: false });
  });

  it("gives a call that is made again the seat of its late question", () => {
    const late = stepDesk(deskOf(callApproval("a")), { type: "left", id: "a" }).desk;
    const again = stepDesk(late, { type: "asked", approval: callApproval("z", { expiresAt: 240_000 }) });
    expect(again.desk.seats).toMatchObject([{ id: "a", callId: "call-z", live: true, expiresAt: 240_000 }]);
    expect(again.seat).toMatchObject({ id: "a" });
  });

  it.each([
    ["arguments", { digest: "d9" }],
    ["reasons", { rules: ["r1"], reasons: ["Your rule."] }],
    ["what was read", { labels: { integrity: "untrusted", confidentiality: "public", sources: ["s2"] } }],
    ["definition of the tool", { pinText: '{"x":1}' }],
    ["name of the agent", { agent: "Other" }],
    ["tab", { place: { tabId: 99, frameId: 0, documentId: "other" } }],
  ] as const)("does not call two calls identical that differ in %s", (_what, more) => {
    const desk = deskOf(callApproval("a"), callApproval("b", more));
    const [first] = desk.seats;
    expect(first && alikeOf(desk, first)).toEqual([]);
    expect(headsOf(desk)).toHaveLength(2);
    const late = stepDesk(deskOf(callApproval("a")), { type: "left", id: "a" }).desk;
    expect(stepDesk(late, { type: "asked", approval: callApproval("b", more) }).desk.seats).toHaveLength(2);
  });

  it("shows identical calls as one question, and never two requests to be connected", () => {
    expect(headsOf(deskOf(callApproval("a"), callApproval("b"), callApproval("c")))).toHaveLength(1);
    expect(headsOf(deskOf(connectApproval("a"), connectApproval("b")))).toHaveLength(2);
  });
});
