/** Notifications on record: those a rule dropped, and those it would have dropped. */
import { describe, expect, it } from "vitest";
import { parseRule } from "../../../src/core/policy/parse.ts";
import { createWorld, type FakeWorld } from "../../fakes/gateway.ts";

const said = (data: string) => ({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data } });

/** A server that says something three times on the way to its answer. */
async function called(rule: object, data = "hello") {
  const world = await createWorld();
  const parsed = parseRule({ id: "quiet", on: ["event"], when: { method: "notifications/message" }, ...rule });
  if (!parsed.rule) throw new Error(JSON.stringify(parsed.problems));
  await world.gateway.rules.save(parsed.rule);
  world.upstream.answer = ({ frame }) => ({
    frames: [
      ...Array.from({ length: 3 }, () => JSON.stringify(said(data))),
      JSON.stringify({ jsonrpc: "2.0", id: frame.id, result: { content: [] } }),
    ],
  });
  const page = world.page();
  await page.initialize("2025-11-25");
  page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "file_read", arguments: { path: "a" } } });
  await page.reply(1);
  world.clock.advance(2_000);
  await world.gateway.records.flush();
  const heard = page.got.filter((frame) => (frame as { method?: string }).method === "notifications/message");
  return { world, heard };
}

const events = ({ tables }: FakeWorld) => tables.records.entries.filter(({ direction }) => direction === "event");

describe("a notification", () => {
  it("that a rule drops is on record with that rule, beside the call it came in, once for many", async () => {
    const { world, heard } = await called({ verdict: "deny" });
    expect(heard).toEqual([]);
    const call = world.tables.records.entries.find(({ tool }) => tool === "file_read");
    expect(events(world)).toMatchObject([
      {
        parent: call?.callId,
        method: "notifications/message",
        outcome: { kind: "dropped", name: "withheld", stage: "decide" },
        decisions: [{ phase: "event", verdict: "deny", reasons: [{ rule: "quiet" }] }],
        request: { text: JSON.stringify(said("hello")), digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
        count: 3,
      },
    ]);
  });

  it("that a rule would have dropped is on record as delivered", async () => {
    const { world, heard } = await called({ verdict: "deny", mode: "audit" });
    expect(heard).toHaveLength(3);
    expect(events(world)).toMatchObject([
      { outcome: { kind: "delivered" }, decisions: [{ verdict: "allow" }], count: 3 },
    ]);
  });

  it("is on record with secrets masked", async () => {
    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const { world } = await called({ verdict: "deny" }, token);
    expect(JSON.stringify(events(world))).not.toContain(token);
  });

  it("that passes leaves no record of its own", async () => {
    const { world } = await called({ verdict: "allow" });
    expect(events(world)).toEqual([]);
  });
});
