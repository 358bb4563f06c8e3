/** What changes at a server and who hears of it: subscriptions of 2026-07-28, notifications of sessions, log messages. */
import { describe, expect, it } from "vitest";
import { createWorld, type FakePage, MODERN_META, SITE } from "../fakes/gateway.ts";
import { createFakeServer, FILE_READ } from "../fakes/server.ts";
import { createOpenBody } from "./transports/fakes.ts";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const LISTEN = { notifications: { toolsListChanged: true }, _meta: MODERN_META };

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !holds(); turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(holds()).toBe(true);
}

async function listening(id: unknown) {
  const world = await createWorld({ revision: "2026-07-28" });
  const page = world.page();
  const stream = createOpenBody();
  world.upstream.answer = () => ({ stream: stream.body });
  page.send({ jsonrpc: "2.0", id, method: "subscriptions/listen", params: LISTEN });
  await until(() => world.upstream.received.length === 1);
  const ours = world.upstream.received[0]?.frame.id;
  const say = (frame: object): void => stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n\n`);
  const notify = (method: string, params: object = {}): void =>
    say({ method, params: { ...params, _meta: { [SUBSCRIPTION]: ours } } });
  return { world, page, stream, ours, say, notify };
}

describe("a subscription", () => {
  it("tells the agent what the server tells, under the agent's own id and of its type", async () => {
    const { page, notify } = await listening("mine");
    notify("notifications/subscriptions/acknowledged", { notifications: { toolsListChanged: true } });
    notify("notifications/tools/list_changed");
    await until(() => page.got.length === 2);
    expect(page.got).toMatchObject([
      {
        method: "notifications/subscriptions/acknowledged",
        params: { notifications: { toolsListChanged: true }, _meta: { [SUBSCRIPTION]: "mine" } },
      },
      { method: "notifications/tools/list_changed", params: { _meta: { [SUBSCRIPTION]: "mine" } } },
    ]);
  });

  it("lasts longer than any call, and ends by the server's result with the agent's id", async () => {
    const { world, page, say, notify, ours } = await listening(4);
    notify("notifications/subscriptions/acknowledged");
    await until(() => page.got.length === 1);
    world.clock.advance(60 * 60_000);
    say({ id: ours, result: { resultType: "complete", _meta: { [SUBSCRIPTION]: ours } } });
    expect(await page.reply(4)).toMatchObject({ result: { _meta: { [SUBSCRIPTION]: 4 } } });
  });

  it("ends with the agent's cancellation, which closes the stream", async () => {
    const { world, page, stream } = await listening(4);
    page.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 4 } });
    await until(() => stream.cancelled() || world.upstream.received[0]?.signal.aborted === true);
    await until(() => world.gateway.openCalls().length === 0);
  });

  it("makes navra look at a list of tools that changed", async () => {
    const { world, notify } = await listening(1);
    notify("notifications/tools/list_changed");
    await until(() => {
      world.clock.advance(1);
      return world.upstream.received.some(({ frame }) => frame.method === "tools/list");
    });
  });

  it("has no place in an older session", async () => {
    const world = await createWorld();
    const page = world.page();
    await page.initialize("2025-11-25");
    page.send({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params: { notifications: {} } });
    expect(await page.reply(1)).toMatchObject({ error: { code: -32601 } });
  });
});

describe("log messages of 2026-07-28", () => {
  const LEVEL = "io.modelcontextprotocol/logLevel";
  const LOG = { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x" } };

  async function called(level: unknown) {
    const world = await createWorld({ revision: "2026-07-28" });
    const page = world.page();
    world.upstream.answer = ({ frame }) => ({
      frames: [
        JSON.stringify(LOG),
        JSON.stringify({ jsonrpc: "2.0", id: frame.id, result: { resultType: "complete", content: [] } }),
      ],
    });
    const _meta = level === undefined ? MODERN_META : { ...MODERN_META, [LEVEL]: level };
    const params = { name: "file_read", arguments: { path: "/a" }, _meta };
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const reply = await page.reply(1);
    return { page, reply, world };
  }

  it("reach an agent that asked for them in that request", async () => {
    const { page, world } = await called("info");
    expect(page.got).toContainEqual(LOG);
    expect((world.upstream.received[0]?.frame.params?._meta as Record<string, unknown> | undefined)?.[LEVEL]).toBe(
      "info",
    );
  });

  it("reach no agent that did not", async () => {
    expect((await called(undefined)).page.got).not.toContainEqual(LOG);
  });

  it("have eight levels", async () => {
    expect((await called("loud")).reply).toMatchObject({ error: { code: -32602 } });
  });
});

describe("a server's request outside any call", () => {
  it("goes to the one agent that declared it, and to none where there are two", async () => {
    const world = await createWorld();
    const standing = createOpenBody();
    const replies: unknown[] = [];
    world.upstream.stand = () => standing.body;
    world.upstream.replied = (frame) => replies.push(frame);
    const open = async (channel: string) => {
      const page = world.page({ channel });
      const params = { protocolVersion: "2025-11-25", capabilities: { roots: {} }, clientInfo: { name: "t" } };
      page.send({ jsonrpc: "2.0", id: "i", method: "initialize", params });
      await page.reply("i");
      page.send({ jsonrpc: "2.0", method: "notifications/initialized" });
      return page;
    };
    const page = await open("c1");
    const ask = (id: number) => standing.write(`data: {"jsonrpc":"2.0","id":${id},"method":"roots/list"}\n\n`);
    ask(1);
    await until(() => page.got.some(({ method }) => method === "roots/list"));
    const asked = page.got.find(({ method }) => method === "roots/list");
    page.send({ jsonrpc: "2.0", id: asked?.id, result: { roots: [] } });
    await until(() => replies.length === 1);
    expect(replies[0]).toMatchObject({ id: 1, result: { roots: [] } });

    const other = await open("c2");
    ask(2);
    await until(() => replies.length === 2);
    expect(replies[1]).toMatchObject({ id: 2, error: { code: -32601 } });
    other.close();
    ask(3);
    await until(() => page.got.filter(({ method }) => method === "roots/list").length === 2);
  });

  it("waits until the agent has taken its session up", async () => {
    const world = await createWorld();
    const standing = createOpenBody();
    world.upstream.stand = () => standing.body;
    standing.write('data: {"jsonrpc":"2.0","id":1,"method":"roots/list"}\n\n');
    const page = world.page();
    const params = { protocolVersion: "2025-11-25", capabilities: { roots: {} }, clientInfo: { name: "t" } };
    page.send({ jsonrpc: "2.0", id: "i", method: "initialize", params });
    await page.reply("i");
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(page.got.some(({ method }) => method === "roots/list")).toBe(false);
    page.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    await until(() => page.got.some(({ method }) => method === "roots/list"));
  });
});

describe("a list that navra made shorter for a site", () => {
  it("is for that site alone, whatever the server said of caching", async () => {
    const upstream = createFakeServer("2026-07-28", [FILE_READ, { ...FILE_READ, name: "file_write" }]);
    const world = await createWorld({ revision: "2026-07-28", upstream, ticked: ["file_read"] });
    const { fetch } = upstream;
    const shared = async (...asked: Parameters<typeof fetch>): Promise<Response> => {
      const response = await fetch(...asked);
      const text = (await response.text()).replace('"cacheScope":"private"', '"cacheScope":"public"');
      return new Response(text, { status: response.status, headers: response.headers });
    };
    Object.assign(upstream, { fetch: shared });
    const listed = await createWorld({ revision: "2026-07-28", upstream, tables: world.tables });
    const page = listed.page();
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: MODERN_META } });
    expect(await page.reply(1)).toMatchObject({ result: { tools: [{ name: "file_read" }], cacheScope: "private" } });
  });
});

describe("a resource that an older session subscribed to", () => {
  it("is told of to the channels that want it, also in part, and to no others", async () => {
    const { world, tell, wanting, other } = await subscribers();
    tell("file:///a/part.txt");
    tell("file:///b");
    await until(() => wanting.got.length > 0);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(wanting.got).toMatchObject([{ method: UPDATED, params: { uri: "file:///a/part.txt" } }]);
    expect(other.got).toEqual([]);
    expect(world.upstream.received.filter(({ frame }) => frame.method === "resources/subscribe")).toHaveLength(1);
  });

  it("is left by the site with the last channel that wants it, not with the first", async () => {
    const { world, wanting, other } = await subscribers();
    const left = () => world.upstream.received.filter(({ frame }) => frame.method === "resources/unsubscribe").length;
    await asks(other, 3, "resources/subscribe");
    await asks(other, 4, "resources/unsubscribe");
    expect(left()).toBe(0);
    await asks(wanting, 5, "resources/unsubscribe");
    expect(left()).toBe(1);
  });

  it("keeps the worker alive while a document in sight hears of it", async () => {
    const { world, wanting, other } = await subscribers();
    await until(() => world.reasons() === 1);
    other.show(false);
    expect(world.reasons()).toBe(1);
    wanting.show(false);
    await until(() => world.reasons() === 0);
    wanting.show(true);
    await until(() => world.reasons() === 1);
    wanting.close();
    await until(() => world.reasons() === 0);
  });

  it("is heard of again where its channel came back after the worker's death, without a word from the agent", async () => {
    const { world } = await subscribers();
    const fresh = createOpenBody();
    world.upstream.stand = () => fresh.body;
    const later = await world.reborn();
    const back = later.page({ channel: "c1" });
    await until(() => later.reasons() === 1);
    const params = { uri: "file:///a" };
    fresh.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method: UPDATED, params })}\n\n`);
    await until(() => back.got.some(({ method }) => method === UPDATED));
  });

  it("is subscribed to again where the server forgot the session while nobody looked, and so is the log level", async () => {
    const { world, wanting, other } = await subscribers();
    wanting.send({ jsonrpc: "2.0", id: 8, method: "logging/setLevel", params: { level: "error" } });
    await wanting.reply(8);
    for (const page of [wanting, other]) page.show(false);
    world.upstream.received.length = 0;
    world.upstream.session = "s2";
    const fresh = createOpenBody();
    world.upstream.stand = () => fresh.body;
    wanting.show(true);
    const again = () => world.upstream.received.filter(({ frame }) => frame.method === "resources/subscribe");
    await until(() => again().length > 0);
    expect(again().map(({ frame, headers }) => [frame.params, headers["mcp-session-id"]])).toEqual([
      [{ uri: "file:///a" }, "s2"],
    ]);
    const levels = world.upstream.received.filter(({ frame }) => frame.method === "logging/setLevel");
    expect(levels.map(({ frame }) => frame.params)).toEqual([{ level: "error" }]);
    const params = { uri: "file:///a" };
    fresh.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method: UPDATED, params })}\n\n`);
    await until(() => wanting.got.some(({ method }) => method === UPDATED));
  });

  it("is subscribed to again for an agent of 2026-07-28 too", async () => {
    const capabilities = { resources: { subscribe: true } };
    const upstream = Object.assign(createFakeServer("2025-11-25"), { capabilities, answer: () => ({ result: {} }) });
    const world = await createWorld({ upstream });
    const page = world.page();
    const notifications = { resourceSubscriptions: ["file:///a", "file:///b"] };
    const listen = { jsonrpc: "2.0", method: "subscriptions/listen", params: { notifications, _meta: MODERN_META } };
    page.send({ ...listen, id: "one" });
    page.send({ ...listen, id: "two" });
    await until(() => page.got.length === 2);
    world.upstream.received.length = 0;
    upstream.session = "s2";
    page.send({ jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "file:///a", _meta: MODERN_META } });
    await page.reply(1);
    const again = () => world.upstream.received.filter(({ frame }) => frame.method === "resources/subscribe");
    await until(() => again().length === 2);
    expect(again().map(({ frame }) => frame.params?.uri)).toEqual(["file:///a", "file:///b"]);
  });

  it("is not heard of by a site that was disconnected while it was out of sight", async () => {
    const { world, wanting, other } = await subscribers();
    for (const page of [wanting, other]) page.show(false);
    await until(() => world.reasons() === 0);
    await world.gateway.disconnect(SITE, world.server.id);
    wanting.show(true);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(world.reasons()).toBe(0);
  });

  const UPDATED = "notifications/resources/updated";

  async function asks(page: FakePage, id: number, method: string): Promise<void> {
    page.send({ jsonrpc: "2.0", id, method, params: { uri: "file:///a" } });
    expect(await page.reply(id)).toMatchObject({ result: {} });
    page.got.length = 0;
  }

  async function subscribers() {
    const world = await createWorld();
    const standing = createOpenBody();
    world.upstream.stand = () => standing.body;
    world.upstream.answer = () => ({ result: {} });
    const wanting = world.page({ channel: "c1" });
    await wanting.initialize("2025-11-25");
    const other = world.page({ channel: "c2" });
    await other.initialize("2025-11-25");
    await asks(wanting, 1, "resources/subscribe");
    const tell = (uri: string): void =>
      standing.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method: UPDATED, params: { uri } })}\n\n`);
    return { world, tell, wanting, other };
  }
});
