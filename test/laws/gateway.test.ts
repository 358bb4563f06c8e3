/**
 * Laws of the whole gateway: whatever agents and servers do, every request gets exactly one answer (unless the agent itself
 * cancelled it), every admitted call ends in exactly one record, the chain verifies, and nothing stays open.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createWorld } from "../fakes/gateway.ts";
import type { FakeAnswer, FakeRequest } from "../fakes/server.ts";

type Behaviour = "answers" | "fails" | "hangs" | "html" | "half" | "foreign" | "twice" | "throws" | "back" | "large";
const BEHAVIOURS: readonly Behaviour[] = [
  "answers",
  "fails",
  "hangs",
  "html",
  "half",
  "foreign",
  "twice",
  "throws",
  "back",
  "large",
];

const ACTS = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ act: fc.constant("call" as const), server: fc.constantFrom(...BEHAVIOURS) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("list" as const) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("garbage" as const), text: fc.string() }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("cancel" as const), of: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("pause" as const) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("resume" as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        act: fc.constant("deny" as const),
        on: fc.constantFrom("request" as const, "reply" as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("wait" as const) }) },
  ),
  { maxLength: 24 },
);

describe("the gateway", () => {
  it("ends every call in one answer and one record, whatever happens", async () => {
    await fc.assert(
      fc.asyncProperty(ACTS, async (acts) => {
        const world = await createWorld();
        const page = world.page();
        await page.initialize("2025-11-25");
        let behaviour: Behaviour = "answers";
        world.upstream.answer = (request) => misbehave(behaviour, request);
        const cancelled = new Set<number>();
        let id = 0;

        for (const act of acts) {
          if (act.act === "call") {
            behaviour = act.server;
            page.send({
              jsonrpc: "2.0",
              id: ++id,
              method: "tools/call",
              params: { name: "file_read", arguments: { path: "x" } },
            });
          }
          if (act.act === "list") page.send({ jsonrpc: "2.0", id: ++id, method: "tools/list" });
          if (act.act === "garbage") page.send(act.text);
          if (act.act === "cancel") {
            cancelled.add(act.of);
            page.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: act.of } });
          }
          if (act.act === "pause") await world.gateway.setPause({ until: null });
          if (act.act === "resume") await world.gateway.setPause(null);
          if (act.act === "deny") {
            await world.gateway.rules.save({
              id: act.on,
              verdict: "deny",
              priority: 0,
              on: [act.on],
              when: {},
              mode: "enforce",
            });
          }
          if (act.act === "wait") await turn();
        }
        for (let round = 0; round < 8; round++) {
          await turn();
          world.clock.advance(10 * 60_000);
        }
        await turn();
        await world.gateway.records.flush();

        expect(world.gateway.openCalls()).toEqual([]);
        for (let asked = 1; asked <= id; asked++) {
          const answers = page.got.filter((frame) => frame.id === asked && !("method" in frame));
          if (cancelled.has(asked)) expect(answers.length).toBeLessThanOrEqual(1);
          else expect(answers).toHaveLength(1);
        }
        const recorded = world.tables.records.entries.filter(
          ({ direction, stages }) => direction === "out" && stages.length > 0,
        );
        expect(new Set(recorded.map(({ callId }) => callId)).size).toBe(recorded.length);
        expect(await world.gateway.records.verifyAll()).toMatchObject({ state: "whole" });
        expect(world.tables.journal.rows.size).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it("lets nothing pass when a port throws in the middle of a stage", async () => {
    const world = await createWorld({ trust: "untrusted" });
    const page = world.page();
    await page.initialize("2025-11-25");
    world.tables.approvals.failure = new Error("disk");
    world.tables.journal.failure = new Error("disk");
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "file_read", arguments: { path: "x" } } });
    for (let count = 0; count < 20; count++) await turn();
    // The question stands although it could not be written down, and nothing was sent.
    expect(world.approvals()).toHaveLength(1);
    expect(world.upstream.received.some(({ frame }) => frame.method === "tools/call")).toBe(false);
  });
});

function misbehave(behaviour: Behaviour, { frame }: FakeRequest): FakeAnswer | Promise<FakeAnswer> {
  const good = { jsonrpc: "2.0", id: frame.id, result: { content: [{ type: "text", text: "ok" }] } };
  switch (behaviour) {
    case "answers":
      return { result: good.result };
    case "fails":
      return { error: { code: -32000, message: "no", extra: { member: true } } };
    case "hangs":
      return new Promise(() => undefined);
    case "html":
      return { status: 200, type: "text/html", body: "<h1>Sign in</h1>" };
    case "half":
      return { status: 200, type: "application/json", body: JSON.stringify(good).slice(0, 20) };
    case "foreign":
      return { frames: [JSON.stringify({ ...good, id: 4_000_000 })] };
    case "twice":
      return { frames: [JSON.stringify(good), JSON.stringify(good)] };
    case "throws":
      throw new TypeError("fetch failed");
    case "back":
      return {
        frames: [JSON.stringify({ jsonrpc: "2.0", id: 1, method: "roots/list" }), JSON.stringify(good)],
      };
    case "large":
      return {
        frames: [JSON.stringify({ ...good, result: { content: [{ type: "text", text: "\u0000".repeat(10) }] } })],
      };
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
