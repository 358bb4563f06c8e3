import { describe, expect, it } from "vitest";
import { annoyanceOf } from "../../../src/core/consent/annoyance.ts";
import { changesSince } from "../../../src/core/consent/changes.ts";
import { createPause } from "../../../src/core/consent/pause.ts";
import { createSilence, SILENCE_MS } from "../../../src/core/consent/silence.ts";
import type { RecordEntry } from "../../../src/core/recorder/entry.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { SITE } from "../../fakes/gateway.ts";
import { createFakeTable } from "../../fakes/tables.ts";

describe("silence", () => {
  it("begins with the third refusal and ends an hour after the first of them", async () => {
    const clock = createFakeClock();
    const silence = createSilence(createFakeTable(), clock);
    for (let refusal = 0; refusal < 3; refusal++) {
      expect(silence.isSilent(SITE)).toBe(false);
      await silence.refused(SITE);
      clock.advance(1000);
    }
    expect(silence.isSilent(SITE)).toBe(true);
    expect(silence.isSilent({ ...SITE, origin: "https://other.example" })).toBe(false);
    clock.advance(SILENCE_MS - 3000);
    expect(silence.isSilent(SITE)).toBe(false);
  });

  it("covers the site in whatever page frames it, outlives the worker, and ends when the person connects the site", async () => {
    const clock = createFakeClock();
    const table = createFakeTable<{ site: string; at: readonly number[] }>();
    const silence = createSilence(table, clock);
    for (const top of ["a", "b", "c"]) await silence.refused({ ...SITE, topSite: `https://${top}.example` });
    const next = createSilence(table, clock);
    await next.restore();
    expect(next.isSilent(SITE)).toBe(true);
    await next.forgive(SITE);
    expect(next.isSilent(SITE)).toBe(false);
    expect(table.rows.size).toBe(0);
  });

  it("writes nothing of a private window", async () => {
    const table = createFakeTable<{ site: string; at: readonly number[] }>();
    await createSilence(table, createFakeClock()).refused({ ...SITE, private: true });
    expect(table.rows.size).toBe(0);
  });
});

describe("a pause", () => {
  const other = { origin: "https://other.example", topSite: "https://other.example" };
  it.each([
    ["everything", { kind: "all" } as const, { site: true, other: true, s2: true }],
    ["one site", { kind: "site", site: SITE.origin } as const, { site: true, other: false, s2: true }],
    ["one server", { kind: "server", serverId: "s1" } as const, { site: true, other: true, s2: false }],
  ])("of %s holds back what it says", async (_what, scope, expected) => {
    const pause = createPause(createFakeTable(), createFakeClock());
    await pause.set({ until: null }, scope);
    expect({
      site: pause.of(SITE, "s1") !== null,
      other: pause.of(other, "s1") !== null,
      s2: pause.of(SITE, "s2") !== null,
    }).toEqual(expected);
    await pause.set(null, scope);
    expect(pause.of(SITE, "s1")).toBeNull();
  });

  it("of a site holds back what others frame in it, and what it frames in others", async () => {
    const pause = createPause(createFakeTable(), createFakeClock());
    await pause.set({ until: null }, { kind: "site", site: SITE.origin });
    expect(pause.of({ ...other, topSite: SITE.origin }, "s1")).not.toBeNull();
    expect(pause.of({ ...other, origin: SITE.origin }, "s1")).not.toBeNull();
  });

  it("outlives the worker and ends at its time", async () => {
    const table = createFakeTable<{ until: number | null; since: number }>();
    const clock = createFakeClock();
    await createPause(table, clock).set({ until: clock.now() + 1000 }, { kind: "server", serverId: "s1" });
    const next = createPause(table, clock);
    await next.restore();
    expect(next.list()).toMatchObject([{ serverId: "s1" }]);
    clock.advance(1000);
    expect(next.list()).toEqual([]);
    expect(next.of(SITE, "s1")).toBeNull();
  });

  it("of a private window's site is not written down", async () => {
    const table = createFakeTable<{ until: number | null; since: number }>();
    await createPause(table, createFakeClock()).set(
      { until: null },
      { kind: "site", site: SITE.origin, private: true },
    );
    expect(table.rows.size).toBe(0);
  });
});

describe("changes since the last approval", () => {
  it("name what is new, other, and gone, and pass over order and layout", () => {
    expect(changesSince('{"a":1,"b":"x","c":null}', '{ "d":[], "b":"x", "a":1.0 }')).toEqual([
      { name: "d", kind: "new" },
      { name: "a", kind: "changed", was: "1" },
      { name: "c", kind: "gone", was: "null" },
    ]);
    expect(changesSince('{"a":1,"b":2}', '{"b":2, "a":1}')).toEqual([]);
  });
});

describe("the measure of annoyance", () => {
  const entry = (answer: string | undefined, args: object, more: { rule?: string; tool?: string } = {}): RecordEntry =>
    ({
      method: "tools/call",
      principal: SITE,
      serverId: "s1",
      serverName: "mail",
      tool: more.tool ?? "send",
      decisions: [
        {
          phase: "request",
          reasons: [{ rule: more.rule ?? "default:other", verdict: "ask", mode: "enforce", sentence: "It asks." }],
        },
      ],
      request: { text: JSON.stringify({ params: { arguments: args } }), cut: false },
      ...(answer ? { answered: { answer } } : {}),
    }) as unknown as RecordEntry;
  const three = (answer: string, args: (n: number) => object, more = {}) =>
    [0, 1, 2].map((n) => entry(answer, args(n), more));

  it("counts asks for each hundred calls, and what grants spared", () => {
    const entries = [entry("allowed", {}), entry("grant", {}), entry(undefined, {}), entry(undefined, {})];
    expect(annoyanceOf(entries)).toMatchObject({ calls: 4, asks: 1, spared: 1, perHundred: 25 });
    expect(annoyanceOf([])).toMatchObject({ calls: 0, perHundred: 0, rows: [] });
  });

  it.each([
    [
      "always allowed with the same value",
      three("allowed", (n) => ({ to: "ada", n })),
      { kind: "same-values", names: ["to"] },
    ],
    ["always allowed with other values, by our row", three("allowed", (n) => ({ n })), { kind: "none" }],
    [
      "always allowed with other values, by a rule",
      three("allowed", (n) => ({ n }), { rule: "r1" }),
      { kind: "own-rule" },
    ],
    [
      "always allowed after untrusted reading",
      three("allowed", () => ({ to: 1 }), { rule: "flow:x" }),
      { kind: "new-task" },
    ],
    ["always denied", three("denied", (n) => ({ n })), { kind: "deny-rule" }],
    ["now allowed, now denied", [...three("allowed", () => ({})), entry("denied", {})], { kind: "none" }],
    ["asked twice only", three("denied", () => ({})).slice(1), { kind: "none" }],
  ] as const)("for what was %s names what is safe", (_title, entries, remedy) => {
    expect(annoyanceOf(entries).rows[0]?.remedy).toEqual(remedy);
  });
});
