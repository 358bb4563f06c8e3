/** An agent that knows no sessions, in front of a server that needs one: held sessions, parked calls, added members. */
import { describe, expect, it } from "vitest";
import { createWorld, type FakePage, type FakeWorld, MODERN_META, SITE } from "../fakes/gateway.ts";
import { createOpenBody } from "./transports/fakes.ts";

const READ = { name: "file_read", arguments: { path: "/etc/hostname" } };
const FORM = { message: "Sure?", requestedSchema: { type: "object", properties: {} } };
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const ABLE = { ...MODERN_META, [CAPABILITIES]: { elicitation: {}, roots: {} } };
const NAMED = { "io.modelcontextprotocol/serverInfo": { name: "fake", version: "1.0.0" } };

interface Bench {
  readonly world: FakeWorld;
  readonly page: FakePage;
  ask(id: string, method: string, params?: object): Promise<Record<string, unknown>>;
  /** Params of what reached the server by this method, in order. */
  sent(method: string): Record<string, unknown>[];
}

async function bench(): Promise<Bench> {
  const world = await createWorld({ revision: "2025-11-25" });
  return benchOf(world);
}

function benchOf(world: FakeWorld): Bench {
  const page = world.page();
  return {
    world,
    page,
    ask(id, method, params = {}) {
      page.send({ jsonrpc: "2.0", id, method, params: { _meta: ABLE, ...params } });
      return page.reply(id);
    },
    sent: (method) =>
      world.upstream.received.filter(({ frame }) => frame.method === method).map(({ frame }) => frame.params ?? {}),
  };
}

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !holds(); turn++) await new Promise(setImmediate);
  expect(holds()).toBe(true);
}

interface Asked extends Bench {
  readonly result: { inputRequests: Record<string, unknown>; requestState: string; resultType: string };
  readonly say: (frame: object) => void;
  /** What the server got for its request of this id. */
  heard(id: string): Record<string, unknown> | undefined;
  retry(id: string, params: object): Promise<Record<string, unknown>>;
}

/** A call during which the server asked these; the agent has what it asks. */
async function asked(questions: readonly object[] = [{ id: "s1", method: "elicitation/create", params: FORM }]) {
  const base = await bench();
  const { world, page } = base;
  const stream = createOpenBody();
  world.upstream.answer = () => ({ stream: stream.body });
  const say = (frame: object): void => stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n\n`);
  page.send({ jsonrpc: "2.0", id: "1", method: "tools/call", params: { ...READ, _meta: ABLE } });
  await until(() => base.sent("tools/call").length === 1);
  for (const question of questions) say(question);
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  world.clock.advance(25);
  const { result } = await page.reply("1");
  const whole: Asked = {
    ...base,
    say,
    result: result as Asked["result"],
    heard: (id) => {
      const found = world.upstream.received.find(({ frame }) => frame.method === undefined && frame.id === id);
      return found && JSON.parse(found.text);
    },
    retry: (id, params) => base.ask(id, "tools/call", { ...READ, ...params }),
  };
  return whole;
}

function finish({ world, say }: Asked): void {
  const up = world.upstream.received.find(({ frame }) => frame.method === "tools/call")?.frame.id;
  say({ id: up, result: { content: [{ type: "text", text: "done" }] } });
}

describe("a newer agent in front of an older server", () => {
  it("discovers what the session says, for no time and for itself only", async () => {
    const { ask } = await bench();
    expect((await ask("1", "server/discover")).result).toEqual({
      resultType: "complete",
      supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: "private",
      _meta: NAMED,
    });
  });

  it("reaches the server without the members that it does not know, and with the others", async () => {
    const { ask, sent } = await bench();
    await ask("1", "tools/call", { ...READ, inputResponses: {}, _meta: { ...ABLE, traceparent: "00-1" } });
    expect(sent("tools/call")).toEqual([{ ...READ, _meta: { traceparent: "00-1" } }]);
  });

  it("gets results that say what they are and whose", async () => {
    const { ask, world } = await bench();
    world.upstream.answer = () => ({ result: { contents: [] } });
    expect((await ask("1", "tools/call", READ)).result).toEqual({ contents: [], resultType: "complete", _meta: NAMED });
    const read = await ask("2", "resources/read", { uri: "a:b" });
    expect(read.result).toMatchObject({ resultType: "complete", ttlMs: 0, cacheScope: "private" });
  });

  it("gets the new code for a missing resource, with its address", async () => {
    const { ask, world } = await bench();
    world.upstream.answer = () => ({ error: { code: -32002, message: "gone" } });
    const { error } = await ask("1", "resources/read", { uri: "a:b" });
    expect(error).toEqual({ code: -32602, message: "gone", data: { uri: "a:b" } });
  });

  it("never gets the code that its revision gave up", async () => {
    const { ask, world } = await bench();
    world.upstream.answer = () => ({ error: { code: -32042, message: "open a page" } });
    expect((await ask("1", "tools/call", READ)).error).toMatchObject({ code: -32603 });
  });

  it.each([
    ["subscriptions/listen", { notifications: {} }],
    ["tasks/get", { taskId: "t" }],
  ])("has no %s there", async (method, params) => {
    const { ask } = await bench();
    expect((await ask("1", method, params)).error).toBeDefined();
  });
});

describe("a call during which the server asks", () => {
  it("is parked: the question is its result, the answer goes to the server, and nothing runs twice", async () => {
    const call = await asked();
    expect(call.result).toEqual({
      resultType: "input_required",
      inputRequests: { "input-1": { method: "elicitation/create", params: FORM } },
      requestState: expect.any(String),
    });
    const content = { action: "accept", content: { big: 9007199254740993n.toString() } };
    const { requestState } = call.result;
    const second = call.retry("2", { inputResponses: { "input-1": content }, requestState });
    await until(() => call.heard("s1") !== undefined);
    expect(call.heard("s1")).toEqual({ jsonrpc: "2.0", id: "s1", result: content });
    finish(call);
    expect(await second).toMatchObject({
      id: "2",
      result: { resultType: "complete", content: [{ type: "text", text: "done" }] },
    });
    expect(call.sent("tools/call")).toHaveLength(1);
  });

  it("gives what is asked together in one result, and asks again for what was not answered", async () => {
    const call = await asked([
      { id: "s1", method: "elicitation/create", params: FORM },
      { id: "s2", method: "roots/list" },
    ]);
    expect(Object.keys(call.result.inputRequests)).toEqual(["input-1", "input-2"]);
    const { requestState } = call.result;
    const second = call.retry("2", { inputResponses: { "input-1": { action: "decline" }, other: {} }, requestState });
    await until(() => call.heard("s1") !== undefined);
    call.world.clock.advance(25);
    const { result } = (await second) as { result: Asked["result"] };
    expect(result.inputRequests).toEqual({ "input-2": { method: "roots/list", params: {} } });
    expect(result.requestState).not.toBe(requestState);
  });

  it("tells a server politely what the agent did not declare", async () => {
    const base = await bench();
    const stream = createOpenBody();
    base.world.upstream.answer = () => ({ stream: stream.body });
    base.page.send({ jsonrpc: "2.0", id: "1", method: "tools/call", params: { ...READ, _meta: MODERN_META } });
    await until(() => base.sent("tools/call").length === 1);
    const question = { jsonrpc: "2.0", id: "s1", method: "elicitation/create", params: FORM };
    stream.write(`data: ${JSON.stringify(question)}\n\n`);
    const heard = () => base.world.upstream.received.find(({ frame }) => frame.method === undefined);
    await until(() => heard() !== undefined);
    expect(JSON.parse(heard()?.text ?? "{}")).toMatchObject({ id: "s1", error: { code: -32601 } });
  });

  it("keeps its handle for the site and the call it was given to, and for once", async () => {
    const call = await asked();
    const { requestState } = call.result;
    const elsewhere = await call.ask("2", "tools/call", { ...READ, arguments: { path: "/etc/shadow" }, requestState });
    expect(elsewhere.error).toMatchObject({ code: -32602 });
    void call.retry("3", { inputResponses: { "input-1": { action: "accept" } }, requestState });
    await until(() => call.heard("s1") !== undefined);
    expect((await call.retry("4", { requestState })).error).toMatchObject({ code: -32602 });
  });

  it("counts as open while it is parked, and ends when the person disconnects the site", async () => {
    const call = await asked();
    expect(call.world.gateway.openCalls()).toHaveLength(1);
    await call.world.gateway.disconnect(SITE, call.world.server.id);
    expect(call.world.gateway.openCalls()).toHaveLength(0);
    await until(() => call.sent("notifications/cancelled").length === 1);
  });

  it("gives way to newer ones of the same site, because each holds a connection", async () => {
    const call = await asked();
    const streams = ["a", "b"].map(() => createOpenBody());
    for (const [at, stream] of streams.entries()) {
      call.world.upstream.answer = () => ({ stream: stream.body });
      const next = call.retry(`n${at}`, {});
      await until(() => call.sent("tools/call").length === at + 2);
      const question = { jsonrpc: "2.0", id: `n${at}`, method: "elicitation/create", params: FORM };
      stream.write(`data: ${JSON.stringify(question)}\n\n`);
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      call.world.clock.advance(25);
      await next;
    }
    await until(() => call.world.gateway.openCalls().length === 2);
    await until(() => call.sent("notifications/cancelled").length === 1);
  });

  it("ends at the server when the agent does not come back", async () => {
    const call = await asked();
    call.world.clock.advance(5 * 60_000 + 1);
    expect(call.world.gateway.openCalls()).toHaveLength(0);
    const late = await call.retry("2", { requestState: call.result.requestState });
    expect(late.error).toMatchObject({ data: { name: "unknown" } });
    expect(call.sent("tools/call")).toHaveLength(1);
  });

  it("is not run again when the worker died meanwhile: the agent hears that it may have happened", async () => {
    const call = await asked();
    const after = benchOf(await call.world.reborn());
    const { requestState } = call.result;
    const late = await after.ask("2", "tools/call", { ...READ, inputResponses: {}, requestState });
    expect(late.error).toMatchObject({ data: { name: "unknown" } });
    expect(after.sent("tools/call")).toHaveLength(1);
  });
});
