import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import { createCircuit } from "../../../src/core/servers/circuit.ts";
import { backoffMs } from "../../../src/core/transports/backoff.ts";
import { retryAfterMs, StatusFault } from "../../../src/core/transports/http-status.ts";
import { createFakeClock } from "../../fakes/clock.ts";

const unreachable = () => Promise.reject(new GatewayError("upstream-unreachable", "down"));
const broken = () => Promise.reject(new GatewayError("upstream-broken", "odd"));

function setUp(random = "ffffffff") {
  const clock = createFakeClock();
  const circuit = createCircuit({ clock, randomId: () => random.padEnd(32, "0") });
  let ran = 0;
  const run = (work: () => Promise<unknown>): Promise<unknown> =>
    circuit
      .through(() => {
        ran += 1;
        return work();
      })
      .catch((problem: unknown) => problem);
  return { clock, circuit, run, ran: () => ran };
}

describe("a circuit", () => {
  it("opens after three failures in a row to reach the server, and fails at once then", async () => {
    const { run, ran } = setUp();
    for (let count = 0; count < 5; count += 1) await run(unreachable);
    expect(ran()).toBe(3);
    expect(await run(unreachable)).toMatchObject({ fault: "upstream-unreachable" });
  });

  it("lets one call through when its time is over, and closes when that one reaches the server", async () => {
    const { clock, run, ran } = setUp();
    for (let count = 0; count < 3; count += 1) await run(unreachable);
    clock.advance(2_000);
    let answer: (value: unknown) => void = () => {};
    const first = run(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    expect(await run(async () => "second")).toMatchObject({ fault: "upstream-unreachable" });
    answer("reached");
    expect(await first).toBe("reached");
    expect(await run(async () => "third")).toBe("third");
    expect(ran()).toBe(5);
  });

  it("stays open longer with each failure, up to a minute", async () => {
    const { clock, run, ran } = setUp();
    for (let count = 0; count < 3; count += 1) await run(unreachable);
    clock.advance(2_000);
    await run(unreachable);
    clock.advance(2_000);
    await run(unreachable);
    expect(ran()).toBe(4);
    clock.advance(2_000);
    await run(unreachable);
    expect(ran()).toBe(5);
  });

  it("does not count answers, however unfriendly, nor what the agent gave up", async () => {
    const { run, ran } = setUp();
    for (let count = 0; count < 2; count += 1) await run(unreachable);
    await run(broken);
    for (let count = 0; count < 2; count += 1) await run(unreachable);
    await run(() => Promise.reject(new GatewayError("cancelled", "gone")));
    await run(unreachable);
    expect(ran()).toBe(7);
    await run(unreachable);
    expect(ran()).toBe(7);
  });

  it("starts afresh after a long time, as after a sleep", async () => {
    const { clock, run, ran } = setUp();
    for (let count = 0; count < 3; count += 1) await run(unreachable);
    clock.advance(8 * 60 * 60_000);
    for (let count = 0; count < 3; count += 1) await run(unreachable);
    expect(ran()).toBe(6);
  });
});

describe("a circuit whose clock is set back", () => {
  it("starts afresh", async () => {
    let now = 1_000_000_000;
    const circuit = createCircuit({ clock: { ...createFakeClock(), now: () => now }, randomId: () => "f".repeat(32) });
    for (let count = 0; count < 3; count += 1) await circuit.through(unreachable).catch(() => undefined);
    await expect(circuit.through(async () => "no")).rejects.toMatchObject({ fault: "upstream-unreachable" });
    now -= 24 * 60 * 60_000;
    expect(await circuit.through(async () => "reached")).toBe("reached");
  });
});

describe("a server that says when it wants to be asked again", () => {
  const busy = (status: number, retryAfter: string) => () => Promise.reject(new StatusFault(status, { retryAfter }));

  it("is left alone until then, and the agent hears how long that is", async () => {
    const { clock, run, ran } = setUp();
    await run(busy(429, "120"));
    expect(await run(async () => "early")).toMatchObject({
      fault: "upstream-unreachable",
      data: { retryAfterMs: 120_000 },
    });
    clock.advance(119_999);
    await run(async () => "early");
    expect(ran()).toBe(1);
    clock.advance(1);
    expect(await run(async () => "then")).toBe("then");
    expect(await run(async () => "after")).toBe("after");
  });

  it("may name a date, and cannot keep itself quiet for longer than an hour", () => {
    const now = Date.UTC(2026, 10, 1, 12);
    expect(retryAfterMs("Sun, 01 Nov 2026 12:00:30 GMT", now)).toBe(30_000);
    expect(retryAfterMs("Sun, 01 Nov 2026 11:00:00 GMT", now)).toBe(0);
    expect(retryAfterMs(" 7 ", now)).toBe(7_000);
    expect(retryAfterMs("999999999", now)).toBe(60 * 60_000);
    expect([null, "", "soon", "-3x"].map((written) => retryAfterMs(written, now))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("is not heard where it answered for another reason", async () => {
    const { run, ran } = setUp();
    await run(busy(500, "600"));
    expect(await run(async () => "next")).toBe("next");
    expect(ran()).toBe(2);
  });
});

describe("a back-off", () => {
  it("is anywhere between nothing and a bound that doubles up to its most", () => {
    const bounds = { firstMs: 1_000, mostMs: 10_000 };
    expect([1, 2, 3, 4, 5, 99].map((failures) => backoffMs(failures, bounds, 0.999_999_99))).toEqual([
      1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ]);
    expect(backoffMs(5, bounds, 0)).toBe(0);
  });
});
