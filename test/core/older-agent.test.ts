/** An agent that opens a session, in front of a server that knows none: what each of them sees of the other. */
import { describe, expect, it } from "vitest";
import { createWorld, type FakePage, type FakeWorld, type WorldOptions } from "../fakes/gateway.ts";

const READ = { name: "file_read", arguments: { path: "/etc/hostname" } };
const FORM = { method: "elicitation/create", params: { message: "Sure?", requestedSchema: { type: "object" } } };
const META = "io.modelcontextprotocol/";

interface Bench {
  readonly world: FakeWorld;
  readonly page: FakePage;
  /** The reply to `initialize`. */
  readonly opened: Record<string, unknown>;
  ask(id: string, method: string, params?: object): Promise<Record<string, unknown>>;
  /** Params of what reached the server by this method, in order. */
  sent(method: string): Record<string, unknown>[];
}

async function bench(capabilities: object = {}, version = "2025-11-25", options: WorldOptions = {}): Promise<Bench> {
  const world = await createWorld({ revision: "2026-07-28", ...options });
  const page = world.page();
  const ask: Bench["ask"] = (id, method, params) => {
    page.send({ jsonrpc: "2.0", id, method, ...(params && { params }) });
    return page.reply(id);
  };
  const clientInfo = { name: "old", version: "1" };
  const opened = await ask("init", "initialize", { protocolVersion: version, capabilities, clientInfo });
  const sent: Bench["sent"] = (method) =>
    world.upstream.received.filter(({ frame }) => frame.method === method).map(({ frame }) => frame.params ?? {});
  return { world, page, opened, ask, sent };
}

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !holds(); turn++) await new Promise(setImmediate);
  expect(holds()).toBe(true);
}

/** Answers the first request of the server's that reaches the page. */
async function answer(page: FakePage, method: string, outcome: object): Promise<Record<string, unknown>> {
  await until(() => page.got.some((frame) => frame.method === method));
  const asked = page.got.find((frame) => frame.method === method) ?? {};
  page.send({ jsonrpc: "2.0", id: asked.id, ...outcome });
  return asked;
}

describe("a session in front of a server without any", () => {
  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "opens in the agent's revision %s",
    async (version) => {
      const { opened, sent } = await bench({}, version);
      expect(opened.result).toEqual({
        protocolVersion: version,
        capabilities: { tools: {} },
        serverInfo: { name: "fake", version: "1.0.0" },
      });
      expect(sent("initialize")).toEqual([]);
    },
  );

  it("answers a ping by itself", async () => {
    const { ask, world } = await bench();
    const before = world.upstream.received.length;
    expect((await ask("p", "ping")).result).toEqual({});
    expect(world.upstream.received).toHaveLength(before);
  });

  it("tells the server version and capabilities with each call, and overwrites what the agent wrote there", async () => {
    const { ask, sent } = await bench({ elicitation: {}, roots: { listChanged: true } });
    await ask("1", "tools/call", { ...READ, _meta: { [`${META}clientCapabilities`]: { sampling: {} }, mine: 1e2 } });
    expect(sent("tools/call")[0]?._meta).toMatchObject({
      [`${META}protocolVersion`]: "2026-07-28",
      [`${META}clientCapabilities`]: { elicitation: {}, roots: {} },
      mine: 100,
    });
  });

  it("takes out of a result what its revision does not have, and leaves the rest", async () => {
    const { ask, world } = await bench();
    world.upstream.answer = () => ({
      result: {
        resultType: "complete",
        ttlMs: 5,
        cacheScope: "private",
        contents: [],
        _meta: { [`${META}serverInfo`]: { name: "x", version: "1" }, "com.example/kept": 1 },
      },
    });
    const { result } = await ask("1", "resources/read", { uri: "a:b" });
    expect(result).toEqual({ contents: [], _meta: { "com.example/kept": 1 } });
  });

  it("keeps the log level for the server's calls", async () => {
    const { ask, sent, world } = await bench();
    await ask("1", "tools/call", READ);
    expect((await ask("2", "logging/setLevel", { level: "error" })).result).toEqual({});
    await ask("3", "tools/call", READ);
    expect(sent("tools/call").map((params) => (params._meta as Record<string, unknown>)[`${META}logLevel`])).toEqual([
      "info",
      "error",
    ]);
    expect(sent("logging/setLevel")).toEqual([]);
    expect(world.gateway.registry.health(world.server.id)).toMatchObject({ state: "ok", revision: "2026-07-28" });
  });

  it.each(["resources/subscribe", "resources/unsubscribe"])("has no %s, and does not offer it", async (method) => {
    const { ask } = await bench();
    expect((await ask("1", method, { uri: "a:b" })).error).toMatchObject({ code: -32601 });
  });

  it("gives a missing resource the code it had", async () => {
    const { ask, world } = await bench();
    world.upstream.answer = () => ({ error: { code: -32602, message: "gone", data: { uri: "a:b" } } });
    const { error } = await ask("1", "resources/read", { uri: "a:b" });
    expect(error).toEqual({ code: -32002, message: "gone", data: { uri: "a:b" } });
  });

  it("does not pass on what the server says of capabilities of another hop", async () => {
    const { ask, world } = await bench();
    const data = { requiredCapabilities: { sampling: {} } };
    world.upstream.answer = () => ({ error: { code: -32021, message: "declare sampling", data } });
    const { error } = await ask("1", "tools/call", READ);
    expect(error).toMatchObject({ code: -32603 });
    expect(JSON.stringify(error)).not.toContain("requiredCapabilities");
  });

  it("gets no task and no kind of result it cannot know", async () => {
    const { ask, world } = await bench();
    world.upstream.answer = () => ({ result: { resultType: "task", taskId: "t" } });
    expect((await ask("1", "tools/call", READ)).error).toMatchObject({ data: { name: "upstream-broken" } });
  });
});

describe("what the server needs during a call", () => {
  /** Asks for `sure` until it is there. */
  function asksOnce(world: FakeWorld, more: object = {}): void {
    world.upstream.answer = ({ frame }) => ({
      result: frame.params?.inputResponses
        ? { resultType: "complete", content: [{ type: "text", text: "done" }] }
        : { resultType: "input_required", inputRequests: { sure: FORM }, ...more },
    });
  }

  it("is asked of the agent as a request, and its answer goes back with the state byte for byte", async () => {
    const { world, page, sent } = await bench({ elicitation: {} });
    asksOnce(world, { requestState: "a\u2028b \\ c" });
    page.send({ jsonrpc: "2.0", id: "1", method: "tools/call", params: READ });
    const asked = await answer(page, "elicitation/create", { result: { action: "accept", content: { n: 1 } } });
    expect(asked.params).toEqual(FORM.params);
    expect((await page.reply("1")).result).toEqual({ content: [{ type: "text", text: "done" }] });
    const [first, second] = sent("tools/call");
    expect(first).not.toHaveProperty("requestState");
    expect(second).toMatchObject({
      ...READ,
      inputResponses: { sure: { action: "accept", content: { n: 1 } } },
      requestState: "a\u2028b \\ c",
    });
  });

  it("sends no state where the server gave none", async () => {
    const { world, page, sent } = await bench({ elicitation: {} });
    asksOnce(world);
    page.send({ jsonrpc: "2.0", id: "1", method: "tools/call", params: READ });
    await answer(page, "elicitation/create", { result: { action: "decline" } });
    await page.reply("1");
    expect(sent("tools/call")[1]).not.toHaveProperty("requestState");
  });

  it("gives a page to be opened the identifier that its revision has", async () => {
    const { world, page } = await bench({ elicitation: { url: {} } });
    const url = { mode: "url", url: "https://x.example/", message: "Open" };
    world.upstream.answer = () => ({
      result: { resultType: "input_required", inputRequests: { a: { method: FORM.method, params: url } } },
    });
    page.send({ jsonrpc: "2.0", id: "1", method: "tools/call", params: READ });
    await until(() => page.got.some(({ method }) => method === "elicitation/create"));
    const { params } = page.got.find(({ method }) => method === "elicitation/create") ?? {};
    expect(params).toMatchObject({ ...url, elicitationId: expect.any(String) });
  });

  it("ends the call in words where the agent did not declare it", async () => {
    const { world, ask, page } = await bench();
    asksOnce(world);
    expect((await ask("1", "tools/call", READ)).result).toMatchObject({ isError: true });
    expect(page.got.some(({ method }) => method === "elicitation/create")).toBe(false);
  });

  it("ends any other call with an error", async () => {
    const { world, ask } = await bench();
    asksOnce(world);
    expect((await ask("1", "prompts/get", { name: "p" })).error).toMatchObject({ data: { name: "withheld" } });
  });

  it("ends when the server asks without end", async () => {
    const { world, ask, sent } = await bench();
    world.upstream.answer = () => ({ result: { resultType: "input_required", requestState: "again" } });
    expect((await ask("1", "tools/call", READ)).error).toMatchObject({ data: { name: "upstream-broken" } });
    expect(sent("tools/call")).toHaveLength(11);
  });
});
