/**
 * Laws of consent, over the two machines together: the desk that holds what waits and the window that arms its Allow.
 * Whatever happens in whatever order, nothing is sent that was not shown, armed and in focus when the person pressed.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ARM_MS, isArmed, stepArming, UNARMED } from "../../src/ui/consent/arming.ts";
import { contentOf } from "../../src/ui/consent/shown.ts";
import { ASK_MS, BEGINNING, type Machine, type Step, stepMachine } from "./consent-machine.ts";

const CALL = fc.constantFrom("A", "B");
const SEAT = fc.integer({ min: 1, max: 6 }).map((n) => `c${n}`);
const STEPS: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: CALL.map((call): Step => ({ do: "ask", call })) },
    { weight: 1, arbitrary: SEAT.map((of): Step => ({ do: "leave", of })) },
    { weight: 1, arbitrary: SEAT.map((of): Step => ({ do: "withdraw", of })) },
    { weight: 4, arbitrary: fc.constantFrom(50, 400, ARM_MS, 130_000).map((ms): Step => ({ do: "wait", ms })) },
    { weight: 1, arbitrary: fc.constantFrom(700, 130_000).map((ms): Step => ({ do: "wait", ms, unheard: true })) },
    {
      weight: 3,
      arbitrary: fc.option(SEAT, { nil: undefined }).map((of): Step => ({ do: "look", ...(of && { of }) })),
    },
    { weight: 1, arbitrary: fc.constantFrom("{}", "{1}").map((to): Step => ({ do: "repin", to })) },
    { weight: 3, arbitrary: fc.constant<Step>({ do: "see" }) },
    { weight: 2, arbitrary: fc.boolean().map((on): Step => ({ do: "focus", on })) },
    { weight: 3, arbitrary: fc.boolean().map((repeat): Step => ({ do: "press", repeat })) },
    { weight: 4, arbitrary: fc.constant<Step>({ do: "click" }) },
    { weight: 1, arbitrary: fc.constant<Step>({ do: "deny" }) },
    {
      weight: 1,
      arbitrary: fc
        .record({ id: SEAT, digest: fc.constantFrom("A", "B", "C"), also: fc.array(SEAT, { maxLength: 2 }) })
        .map((given): Step => ({ do: "forge", given })),
    },
  ),
  { maxLength: 60 },
);

/** Runs the steps and looks at the machine after each. */
function follow(steps: readonly Step[], look: (after: Machine, step: Step, before: Machine) => void): Machine {
  let machine = BEGINNING;
  for (const step of steps) {
    const before = machine;
    machine = stepMachine(before, step);
    look(machine, step, before);
  }
  return machine;
}

describe("consent", () => {
  it("lets pass only what an armed, focused, unchanged view showed: no path leads from one thing shown to another sent", () => {
    fc.assert(
      fc.property(STEPS, (steps) => {
        let since = Number.POSITIVE_INFINITY;
        let read = false;
        let drawn = "";
        follow(steps, (after, step, before) => {
          for (const { approval, answer, by } of after.endings.slice(before.endings.length)) {
            if (answer.answer !== "allow" || by === "forge") continue;
            // Said a second time, without the machine: since when has this stood here with focus, and was it read.
            expect(by).toBe("click");
            expect(before.focused).toBe(true);
            expect(before.now - since).toBeGreaterThanOrEqual(ARM_MS);
            expect(read).toBe(true);
            const shown = before.drawn;
            expect([shown?.approval.id, ...(shown?.alike ?? [])]).toContain(approval.id);
            expect(shown?.approval.digest).toBe(approval.digest);
            expect(approval.expiresAt).toBeGreaterThan(before.now);
          }
          const content = after.drawn ? contentOf(after.drawn) : "";
          if (content !== drawn) [drawn, read, since] = [content, false, after.focused ? after.now : Infinity];
          if (step.do === "see" && after.drawn) read = true;
          if (step.do === "focus") since = !step.on ? Infinity : since === Infinity ? after.now : since;
        });
      }),
      { numRuns: 2_000 },
    );
  });

  it("ends each question once, and strands none", () => {
    fc.assert(
      fc.property(STEPS, (steps) => {
        const machine = follow([...steps, { do: "wait", ms: ASK_MS }], () => undefined);
        const ended = machine.endings.map(({ approval }) => approval.id);
        expect(new Set(ended).size).toBe(ended.length);
        expect(machine.desk.seats).toEqual([]);
        // A call that takes the seat of one that was left ends with that seat.
        const taken = new Set<string>();
        follow(steps, ({ desk }) => desk.seats.forEach(({ id }) => void taken.add(id)));
        expect([...taken].sort()).toEqual([...ended].sort());
      }),
      { numRuns: 1_000 },
    );
  });

  it("takes no answer that names another content, however it was made", () => {
    fc.assert(
      fc.property(STEPS, (steps) => {
        follow(steps, (after, step, before) => {
          if (step.do !== "forge") return;
          const { id, digest, also = [] } = step.given;
          for (const { approval, answer } of after.endings.slice(before.endings.length)) {
            if (answer.answer !== "allow") continue;
            expect(before.desk.seats.find((seat) => seat.id === id)?.digest).toBe(digest);
            expect(approval.digest).toBe(digest);
            expect([id, ...also]).toContain(approval.id);
          }
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it("never arms without 700 ms of focus on the content that stands there, all of it seen", () => {
    const EVENTS = fc.array(
      fc.oneof(
        fc.record({
          type: fc.constant("shown" as const),
          content: fc.constantFrom("a", "b"),
          parts: fc.integer({ min: 1, max: 3 }),
          focused: fc.boolean(),
        }),
        fc.record({ type: fc.constant("focus" as const), focused: fc.boolean() }),
        fc.record({ type: fc.constant("seen" as const), content: fc.constantFrom("a", "b"), part: fc.nat(2) }),
        fc.record({ type: fc.constant("press" as const), repeat: fc.boolean() }),
      ),
    );
    fc.assert(
      fc.property(EVENTS, fc.array(fc.nat(500), { minLength: 100, maxLength: 100 }), (events, gaps) => {
        let state = UNARMED;
        let at = 0;
        let since = Number.POSITIVE_INFINITY;
        let shown = "";
        let seen = new Set<number>();
        let parts = 1;
        events.forEach((event, index) => {
          at += gaps[index % gaps.length] ?? 0;
          if (event.type === "shown" && (event.content !== shown || event.parts !== parts)) {
            [shown, parts, seen] = [event.content, event.parts, new Set()];
            since = event.focused ? at : Number.POSITIVE_INFINITY;
          }
          if (event.type === "focus" && shown !== "") {
            if (!event.focused) since = Number.POSITIVE_INFINITY;
            else if (since === Number.POSITIVE_INFINITY) since = at;
          }
          if (event.type === "seen" && event.content === shown) seen.add(event.part);
          state = stepArming(state, { ...event, at } as Parameters<typeof stepArming>[1]);
          if (isArmed(state, at)) {
            expect(at - since).toBeGreaterThanOrEqual(ARM_MS);
            expect(Array.from({ length: parts }, (_, part) => seen.has(part))).not.toContain(false);
          }
        });
      }),
      { numRuns: 1_000 },
    );
  });
});
