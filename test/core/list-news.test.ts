/** What an agent hears where its list of tools changed because of the person, and what is kept up only while somebody looks. */
import { describe, expect, it } from "vitest";
import { canonicalize } from "../../src/core/wire/canonical.ts";
import { createWorld, type FakePage, type FakeWorld, MODERN_META, SITE } from "../fakes/gateway.ts";
import { createFakeServer } from "../fakes/server.ts";
import { createOpenBody } from "./transports/fakes.ts";

const LIST_CHANGED = "notifications/tools/list_changed";
const OTHER = { ...SITE, origin: "https://other.example", topSite: "https://other.example" };

async function settle(world: FakeWorld, ms = 100): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  world.clock.advance(ms);
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function heard(page: FakePage): number {
  return page.got.splice(0).filter(({ method }) => method === LIST_CHANGED).length;
}

async function withSession() {
  const world = await createWorld();
  const page = world.page();
  await page.initialize("2025-11-25");
  await settle(world);
  page.got.length = 0;
  return { world, page, tools: world.gateway.registry.catalogue(world.server.id)?.tools ?? [] };
}

describe("an agent in a session", () => {
  it("hears once that its tools are others when the person ticks or takes some", async () => {
    const { world, page, tools } = await withSession();
    await world.gateway.setTools(
      SITE,
      world.server.id,
      tools.slice(1).map(({ name }) => name),
    );
    await world.gateway.setTools(SITE, world.server.id, []);
    await settle(world);
    expect(heard(page)).toBe(1);
  });

  it("hears once on a channel to all servers, however many have changed", async () => {
    const { world, tools } = await withSession();
    const { id } = await world.gateway.registry.add({ name: "two", url: "https://two.example/mcp", trust: "trusted" });
    await world.gateway.registry.refresh(id, new AbortController().signal);
    await world.gateway.connector.connect(SITE, id, []);
    const page = world.page({ channel: "all", server: "*" });
    await page.initialize("2025-11-25");
    await settle(world);
    page.got.length = 0;
    for (const server of [world.server.id, id]) {
      await world.gateway.setTools(
        SITE,
        server,
        tools.slice(1).map(({ name }) => name),
      );
    }
    await settle(world);
    expect(heard(page)).toBe(1);
  });

  it("hears nothing of what the person does for another site", async () => {
    const { world, page } = await withSession();
    await world.gateway.connector.connect(OTHER, world.server.id, []);
    await settle(world);
    expect(heard(page)).toBe(0);
  });

  it("hears of a tool that is quarantined, and of its approval", async () => {
    const { world, page, tools } = await withSession();
    const [tool] = tools;
    if (!tool) throw new Error("no tools");
    const other = canonicalize(tool.text.replace("{", '{"title":"changed",'));
    world.gateway.pins.state(world.server.id, tool.name, other);
    world.gateway.pins.state(world.server.id, tool.name, other);
    await settle(world);
    expect(heard(page)).toBe(1);
    await world.gateway.pins.approvePending(world.server.id, tool.name, other);
    await settle(world);
    expect(heard(page)).toBe(1);
  });

  it("hears of another policy, and nothing while it is not connected", async () => {
    const { world, page } = await withSession();
    const rule = {
      id: "r",
      verdict: "deny",
      priority: 0,
      on: ["list"],
      when: { tool: ["x"] },
      mode: "enforce",
    } as const;
    await world.gateway.rules.save(rule);
    await settle(world);
    expect(heard(page)).toBe(1);
    await world.gateway.disconnect(SITE, world.server.id);
    await world.gateway.rules.remove("r");
    await settle(world);
    expect(heard(page)).toBe(0);
  });

  it("hears nothing because a server is looked at or fails", async () => {
    const { world, page } = await withSession();
    for (let count = 0; count < 3; count += 1) {
      await world.gateway.registry.refresh(world.server.id, new AbortController().signal);
      world.gateway.registry.noteFailure(world.server.id, new Error("down"));
      await settle(world);
    }
    expect(heard(page)).toBe(0);
  });
});

describe("a subscriber of 2026-07-28", () => {
  it.each([
    ["hears under its own id, where the server agreed to tell of tools", true, 1],
    ["hears nothing where the server did not agree", false, 0],
  ])("%s", async (_what, agreed, times) => {
    const world = await createWorld({ revision: "2026-07-28" });
    const stream = createOpenBody();
    world.upstream.answer = ({ frame: { id } }) => {
      const _meta = { "io.modelcontextprotocol/subscriptionId": id };
      const params = { notifications: agreed ? { toolsListChanged: true } : {}, _meta };
      const ack = { jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params };
      stream.write(`data: ${JSON.stringify(ack)}\n\n`);
      return { stream: stream.body };
    };
    const page = world.page();
    const params = { notifications: { toolsListChanged: true }, _meta: MODERN_META };
    page.send({ jsonrpc: "2.0", id: "sub", method: "subscriptions/listen", params });
    await settle(world);
    page.got.length = 0;
    await world.gateway.setTools(SITE, world.server.id, []);
    await settle(world);
    const told = page.got.filter(({ method }) => method === LIST_CHANGED);
    expect(told).toHaveLength(times);
    if (agreed)
      expect(told[0]).toMatchObject({ params: { _meta: { "io.modelcontextprotocol/subscriptionId": "sub" } } });
  });
});

describe("a document", () => {
  it("that nobody sees has no standing stream, and has it back when it is seen", async () => {
    const streams: ReturnType<typeof createOpenBody>[] = [];
    const world = await createWorld();
    world.upstream.stand = () => {
      const open = createOpenBody();
      streams.push(open);
      return open.body;
    };
    const [page, other] = [world.page(), world.page({ channel: "c2" })];
    for (const one of [page, other]) await one.initialize("2025-11-25");
    await settle(world);
    expect(streams).toHaveLength(1);
    page.show(false);
    await settle(world);
    expect(streams[0]?.cancelled()).toBe(false);
    other.show(false);
    await settle(world);
    expect(streams[0]?.cancelled()).toBe(true);
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    await page.reply(1);
    await settle(world);
    expect(streams).toHaveLength(1);
    other.show(true);
    await settle(world);
    expect(streams).toHaveLength(2);
    other.close();
    await settle(world);
    expect(streams[1]?.cancelled()).toBe(true);
  });

  it("keeps the worker awake for a subscription of 2026-07-28 only while it is seen, and for its calls always", async () => {
    let open = 0;
    const upstream = createFakeServer("2026-07-28");
    const world = await createWorld({ revision: "2026-07-28", upstream, busy: (now) => (open = now) });
    upstream.answer = () => ({ stream: createOpenBody().body });
    const page = world.page();
    const listen = { notifications: { toolsListChanged: true }, _meta: MODERN_META };
    page.send({ jsonrpc: "2.0", id: "sub", method: "subscriptions/listen", params: listen });
    await settle(world);
    expect(open).toBe(1);
    page.show(false);
    expect(open).toBe(0);
    const params = { name: "file_read", arguments: { path: "/a" }, _meta: MODERN_META };
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    await settle(world);
    expect(open).toBe(1);
    page.show(true);
    expect(open).toBe(2);
    page.close();
    await settle(world);
    expect(open).toBe(0);
  });

  it("keeps the worker awake for what it subscribed to, and only while it is seen", async () => {
    let open = 0;
    const world = await createWorld({ busy: (now) => (open = now) });
    const page = world.page();
    await page.initialize("2025-11-25");
    page.send({ jsonrpc: "2.0", id: 1, method: "resources/subscribe", params: { uri: "file:///a" } });
    await page.reply(1);
    await settle(world);
    expect(open).toBe(1);
    page.show(false);
    expect(open).toBe(0);
    page.show(true);
    expect(open).toBe(1);
    page.close();
    expect(open).toBe(0);
  });
});
