/**
 * Laws of consent, over the two machines together: the desk that holds what waits and the window that arms its Allow.
 * Whatever happens in whatever order, nothing is sent that was not shown, armed and in focus when the person pressed.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alikeOf, type Desk, EMPTY_DESK, headsOf, stepDesk } from "../../src/core/consent/desk.ts";
import { ARM_MS, type Arming, isArmed, mayAllow, stepArming, UNARMED } from "../../src/ui/consent/arming.ts";
import { callApproval } from "../core/consent/sample.ts";

const STEPS = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant("ask" as const), digest: fc.constantFrom("A", "B") }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("leave" as const), of: fc.nat(6) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("withdraw" as const), of: fc.nat(6) }) },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(50, 400, 700, 130_000) }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("look" as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("see" as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("focus" as const), on: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("press" as const), repeat: fc.boolean() }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("click" as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("deny" as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("forge" as const),
        of: fc.nat(6),
        digest: fc.constantFrom("A", "B", "C"),
      }),
    },
  ),
  { maxLength: 60 },
);

/** What the window has drawn: it may be older than the desk. */
interface Drawn {
  readonly id: string;
  readonly digest: string;
  readonly also: readonly string[];
}

describe("consent", () => {
  it("sends only what an armed, focused, unchanged view showed, ends each question once, and strands none", () => {
    fc.assert(
      fc.property(STEPS, (steps) => {
        let desk: Desk = EMPTY_DESK;
        let arming: Arming = UNARMED;
        let drawn: Drawn | undefined;
        let focused = true;
        let now = 0;
        let calls = 0;
        /** Asked calls by id of their seat; which call ended how. */
        const digests = new Map<string, string>();
        const ended = new Map<string, string>();
        const settle = (endings: ReturnType<typeof stepDesk>["endings"], allowed: ReadonlySet<string>) => {
          for (const { approval, answer } of endings) {
            expect(ended.has(approval.id)).toBe(false);
            ended.set(approval.id, answer.answer);
            if (answer.answer === "allow") expect(allowed.has(approval.id)).toBe(true);
          }
        };
        const NONE: ReadonlySet<string> = new Set();

        for (const step of steps) {
          switch (step.do) {
            case "ask": {
              const id = `c${++calls}`;
              const approval = callApproval(id, { digest: step.digest, createdAt: now, expiresAt: now + 120_000 });
              const taken = stepDesk(desk, { type: "asked", approval });
              desk = taken.desk;
              digests.set(taken.seat?.id ?? id, step.digest);
              break;
            }
            case "leave":
              desk = stepDesk(desk, { type: "left", id: `c${step.of}` }).desk;
              break;
            case "withdraw": {
              const out = stepDesk(desk, { type: "withdrawn", ids: [`c${step.of}`] });
              desk = out.desk;
              settle(out.endings, NONE);
              break;
            }
            case "wait": {
              now += step.ms;
              const out = stepDesk(desk, { type: "time", at: now });
              desk = out.desk;
              settle(out.endings, NONE);
              break;
            }
            case "look": {
              const [head] = headsOf(desk);
              if (!head) break;
              drawn = { id: head.id, digest: head.digest, also: alikeOf(desk, head).map(({ id }) => id) };
              arming = stepArming(arming, {
                type: "shown",
                content: JSON.stringify(drawn),
                parts: 1,
                focused,
                at: now,
              });
              break;
            }
            case "see":
              if (drawn) arming = stepArming(arming, { type: "seen", content: JSON.stringify(drawn), part: 0 });
              break;
            case "focus":
              focused = step.on;
              arming = stepArming(arming, { type: "focus", focused, at: now });
              break;
            case "press":
              arming = stepArming(arming, { type: "press", repeat: step.repeat, at: now });
              break;
            case "click": {
              if (!drawn || !mayAllow(arming, now)) break;
              // What Allow rests on, said a second time without the machine.
              expect(focused).toBe(true);
              expect(arming.content).toBe(JSON.stringify(drawn));
              expect(now - (arming.since ?? now)).toBeGreaterThanOrEqual(ARM_MS);
              const { id, digest, also } = drawn;
              const given = { id, digest, also, answer: "allow", scope: "once" } as const;
              const out = stepDesk(desk, { type: "answered", given, at: now });
              desk = out.desk;
              settle(out.endings, new Set([id, ...also]));
              for (const { approval, answer } of out.endings)
                if (answer.answer === "allow") expect(digests.get(approval.id)).toBe(digest);
              break;
            }
            case "deny": {
              if (!drawn) break;
              const given = { ...drawn, answer: "deny", scope: "once" } as const;
              const out = stepDesk(desk, { type: "answered", given, at: now });
              desk = out.desk;
              settle(out.endings, NONE);
              break;
            }
            case "forge": {
              // An answer with a digest that is not the one of the seat it names.
              const id = `c${step.of}`;
              if (digests.get(id) === step.digest) break;
              const given = { id, digest: step.digest, answer: "allow", scope: "once" } as const;
              const out = stepDesk(desk, { type: "answered", given, at: now });
              desk = out.desk;
              settle(out.endings, NONE);
              break;
            }
          }
        }

        const last = stepDesk(desk, { type: "time", at: now + 200_000 });
        settle(last.endings, NONE);
        expect(last.desk.seats).toEqual([]);
        expect([...digests.keys()].every((id) => ended.has(id))).toBe(true);
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
