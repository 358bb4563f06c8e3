/** Answers that wait for the person's release, through a whole gateway: the call is made once, whatever becomes of its answer. */
import { describe, expect, it } from "vitest";
import type { ReplyApproval } from "../../../src/core/consent/approval.ts";
import { parseRule } from "../../../src/core/policy/parse.ts";
import { principalKey } from "../../../src/core/principal.ts";
import { createWorld, type FakePage, type FakeWorld, SITE } from "../../fakes/gateway.ts";

const RULES = [
  { id: "go", verdict: "allow", when: {} },
  { id: "look-first", verdict: "ask", on: ["reply"], when: { tool: "file_read" } },
];

async function held(rules: readonly object[] = RULES): Promise<{ world: FakeWorld; page: FakePage }> {
  const world = await createWorld({ trust: "untrusted" });
  for (const rule of rules) await save(world, rule);
  const page = world.page();
  await page.initialize("2025-11-25");
  return { world, page };
}

async function save(world: FakeWorld, input: object): Promise<void> {
  const { rule, problems } = parseRule(input);
  expect(problems).toEqual([]);
  if (rule) await world.gateway.rules.save(rule);
}

function send(page: FakePage, id: number): void {
  const params = { name: "file_read", arguments: { path: "/etc/hostname" } };
  page.send({ jsonrpc: "2.0", id, method: "tools/call", params });
}

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !holds(); turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(holds()).toBe(true);
}

async function shown(world: FakeWorld): Promise<ReplyApproval> {
  await until(() => world.gateway.approvals.waiting().some(({ kind }) => kind === "reply"));
  const approval = world.gateway.approvals.questions().find(({ kind }) => kind === "reply");
  if (approval?.kind !== "reply") throw new Error("No answer waits.");
  return approval;
}

async function say(world: FakeWorld, answer: "allow" | "deny"): Promise<unknown> {
  const { id, digest } = await shown(world);
  return world.gateway.approvals.answer({ id, digest, answer, scope: "once" });
}

const calls = (world: FakeWorld): number =>
  world.upstream.received.filter(({ frame }) => frame.method === "tools/call").length;
const labels = (world: FakeWorld) => world.gateway.labels.of(principalKey(SITE));

describe("an answer that policy asks about", () => {
  it("is shown with whose it is and what it says, and reaches nobody before it is released", async () => {
    const { world, page } = await held();
    send(page, 1);
    expect(await shown(world)).toMatchObject({
      serverName: "files",
      tool: "file_read",
      direction: "out",
      rules: ["look-first"],
      cut: false,
      resultText: expect.stringContaining("desktop"),
    });
    expect(page.got.some((frame) => frame.id === 1)).toBe(false);
    expect(labels(world).integrity).toBe("trusted");
    await say(world, "allow");
    expect(await page.reply(1)).toMatchObject({ result: { content: [{ text: "desktop" }] } });
    expect(labels(world).integrity).toBe("untrusted");
    expect(calls(world)).toBe(1);
    await world.gateway.records.flush();
    expect(world.gateway.records.recent(1)[0]).toMatchObject({
      outcome: { kind: "answered" },
      released: { answer: "allowed" },
    });
  });

  it("that is not released is refused by name, and teaches the session nothing", async () => {
    const { world, page } = await held();
    send(page, 1);
    await say(world, "deny");
    const reply = await page.reply(1);
    expect(reply).toMatchObject({ error: { data: { name: "withheld", reasons: ["person"] } } });
    expect(JSON.stringify(reply)).not.toContain("desktop");
    expect(labels(world).integrity).toBe("trusted");
    await world.gateway.records.flush();
    expect(world.gateway.records.recent(1)[0]).toMatchObject({
      outcome: { kind: "fault", name: "withheld", stage: "consent" },
      released: { answer: "denied" },
    });
  });

  it("that nobody releases in time says so, and to look before trying again", async () => {
    const { world, page } = await held();
    send(page, 1);
    await shown(world);
    world.clock.advance(120_000);
    expect(await page.reply(1)).toMatchObject({ error: { data: { name: "not-answered", retry: "check" } } });
    expect(calls(world)).toBe(1);
  });

  it("leaves no grant behind, whatever scope is named", async () => {
    const { world, page } = await held();
    send(page, 1);
    const { id, digest } = await shown(world);
    await world.gateway.approvals.answer({ id, digest, answer: "allow", scope: "tool" });
    await page.reply(1);
    expect(world.gateway.grants.list()).toEqual([]);
    send(page, 2);
    await shown(world);
  });

  it("of a call that was asked about too is a second question", async () => {
    const [, look = {}] = RULES;
    const { world, page } = await held([{ id: "ask", verdict: "ask", when: { tool: "file_read" } }, look]);
    send(page, 1);
    await until(() => world.gateway.approvals.waiting().length > 0);
    const [call] = world.gateway.approvals.waiting();
    if (call?.kind !== "call") throw new Error("No call waits.");
    await world.gateway.approvals.answer({ id: call.id, digest: call.digest, answer: "allow", scope: "once" });
    await say(world, "allow");
    expect(await page.reply(1)).toMatchObject({ result: { content: [{ text: "desktop" }] } });
    await world.gateway.records.flush();
    expect(world.gateway.records.recent(1)[0]).toMatchObject({
      answered: { answer: "allowed" },
      released: { answer: "allowed" },
    });
  });

  it("is withheld although it was released, where a rule denies it by then", async () => {
    const { world, page } = await held();
    send(page, 1);
    await shown(world);
    await save(world, { id: "no", verdict: "deny", on: ["reply"], when: {} });
    await say(world, "allow");
    expect(await page.reply(1)).toMatchObject({ error: { data: { name: "withheld" } } });
  });

  it("waits again where a rule asks that was not shown", async () => {
    const { world, page } = await held();
    send(page, 1);
    const first = await shown(world);
    await save(world, { id: "more", verdict: "ask", on: ["reply"], when: {} });
    await say(world, "allow");
    await until(() => world.gateway.approvals.waiting().some(({ id }) => id !== first.id));
    expect((await shown(world)).rules).toEqual(["look-first", "more"]);
    await say(world, "allow");
    expect(await page.reply(1)).toMatchObject({ result: { content: [{ text: "desktop" }] } });
  });

  it("that is too long to show is released whole, and says that it was cut", async () => {
    const { world, page } = await held();
    const text = "long ".repeat(10_000);
    world.upstream.answer = () => ({ result: { content: [{ type: "text", text }] } });
    send(page, 1);
    const approval = await shown(world);
    expect(approval).toMatchObject({ cut: true });
    expect(approval.resultText).toHaveLength(20_000);
    expect(approval.bytes).toBeGreaterThan(50_000);
    await say(world, "allow");
    expect(await page.reply(1)).toMatchObject({ result: { content: [{ text }] } });
  });

  it("is not kept where too much waits already", async () => {
    const { world, page } = await held();
    const text = "x".repeat(20 * 1024 * 1024);
    world.upstream.answer = () => ({ result: { content: [{ type: "text", text }] } });
    send(page, 1);
    await shown(world);
    send(page, 2);
    expect(await page.reply(2)).toMatchObject({ error: { data: { name: "withheld" } } });
    await say(world, "deny");
    await page.reply(1);
    send(page, 3);
    await shown(world);
  });

  it.each([
    ["the site is disconnected", (world: FakeWorld) => world.gateway.disconnect(SITE, world.server.id)],
    ["the server is removed", (world: FakeWorld) => world.gateway.removeServer(world.server.id)],
    ["everything is paused", (world: FakeWorld) => world.gateway.setPause({ until: null })],
    ["the tool is taken from the site", (world: FakeWorld) => world.gateway.setTools(SITE, world.server.id, [])],
  ])("ends with its question when %s", async (_what, act) => {
    const { world, page } = await held();
    send(page, 1);
    const { id, digest } = await shown(world);
    await act(world);
    expect(await page.reply(1)).toMatchObject({ error: { data: { name: "cancelled" } } });
    expect(world.gateway.approvals.waiting()).toEqual([]);
    const late = { id, digest, answer: "allow", scope: "once" } as const;
    expect(await world.gateway.approvals.answer(late)).toBe("gone");
    expect(page.got.filter((frame) => frame.id === 1)).toHaveLength(1);
  });

  it("is gone with its question when the agent gives up", async () => {
    const { world, page } = await held();
    send(page, 1);
    await shown(world);
    page.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await until(() => world.gateway.approvals.waiting().length === 0);
    expect(page.got.some((frame) => frame.id === 1)).toBe(false);
  });

  it("is written nowhere, and after the worker's death is a named fault and not asked about again", async () => {
    const { world, page } = await held();
    send(page, 1);
    await shown(world);
    expect(JSON.stringify([...world.tables.approvals.rows.values()])).not.toContain("desktop");
    const next = await world.reborn();
    expect(next.gateway.approvals.waiting()).toEqual([]);
    await next.gateway.records.flush();
    expect(next.gateway.records.recent(5)).toContainEqual(
      expect.objectContaining({ outcome: expect.objectContaining({ kind: "fault", name: "unknown" }) }),
    );
    expect(calls(world)).toBe(1);
  });
});
