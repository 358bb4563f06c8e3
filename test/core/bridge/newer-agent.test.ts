/**
 * An agent that knows no sessions, in front of a server that needs one: held sessions, parked calls, added members. Each
 * `describe` is a row of the table of such bridges, by what the agent sends or the server does.
 */
import { describe, expect, it } from "vitest";
import { createWorld, MODERN_META, SITE } from "../../fakes/gateway.ts";
import { createFakeServer, FILE_READ } from "../../fakes/server.ts";
import { createOpenBody } from "../transports/fakes.ts";
import {
  ABLE,
  type Bench,
  FORM,
  inTime,
  META,
  methods,
  NAMED,
  newer,
  newerOf,
  quiet,
  READ,
  SUBSCRIPTION,
  serverOf,
  until,
} from "./bench.ts";

const bench = newer;
const CAPABILITIES = `${META}clientCapabilities`;

describe("server/discover", () => {
  it("is answered from the session that navra holds, for no time and for itself only", async () => {
    const { ask } = await bench();
    expect((await ask("1", "server/discover")).result).toEqual({
      resultType: "complete",
      supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
      capabilities: { tools: { listChanged: true } },
      ttlMs: 0,
      cacheScope: "private",
      _meta: NAMED,
    });
  });

  it("names what works here: changes and logging too, but no tasks of the older kind and no unknown extension", async () => {
    const capabilities = {
      tools: {},
      resources: { subscribe: true },
      logging: {},
      tasks: { list: {} },
      extensions: { "com.example/x": {}, [`${META}ui`]: {} },
    };
    const { ask } = await bench({ upstream: serverOf("2025-11-25", { capabilities }) });
    expect((await ask("1", "server/discover")).result).toHaveProperty("capabilities", {
      tools: {},
      resources: { subscribe: true },
      logging: {},
      extensions: { [`${META}ui`]: {} },
    });
  });
});

describe("capabilities that differ by request", () => {
  it("have a session each, so that nobody is asked what it did not declare", async () => {
    const { ask, sent, page } = await bench();
    await ask("1", "tools/call", READ);
    page.send({ jsonrpc: "2.0", id: "2", method: "tools/call", params: { ...READ, _meta: MODERN_META } });
    await page.reply("2");
    expect(sent("initialize").map(({ capabilities }) => capabilities)).toEqual([{ elicitation: {}, roots: {} }, {}]);
  });

  it("that were missing are named when the call failed for want of them", async () => {
    const { world, page, sent } = await bench();
    const stream = createOpenBody();
    world.upstream.answer = () => ({ stream: stream.body });
    page.send({ jsonrpc: "2.0", id: "1", method: "tools/call", params: { ...READ, _meta: MODERN_META } });
    await until(() => sent("tools/call").length === 1);
    const say = (frame: object): void => stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n\n`);
    say({ id: "s1", method: "elicitation/create", params: FORM });
    const heard = () => world.upstream.received.find(({ frame }) => frame.method === undefined);
    await until(() => heard() !== undefined);
    expect(JSON.parse(heard()?.text ?? "{}")).toMatchObject({ id: "s1", error: { code: -32601 } });
    const up = world.upstream.received.find(({ frame }) => frame.method === "tools/call")?.frame.id;
    say({ id: up, error: { code: -32000, message: "cannot go on" } });
    expect((await page.reply("1")).error).toEqual({
      code: -32021,
      message: "cannot go on",
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
  });
});

describe("tools/call and the like", () => {
  it("go with the headers of the session and none of the newer ones, without what the server does not know", async () => {
    const tools = [
      {
        ...FILE_READ,
        inputSchema: { type: "object", properties: { path: { type: "string", "x-mcp-header": "Path" } } },
      },
    ];
    const { ask, sent, world } = await bench({ upstream: serverOf("2025-11-25", { tools }) });
    await ask("1", "tools/call", { ...READ, inputResponses: {}, _meta: { ...ABLE, traceparent: "00-1", mine: 1 } });
    expect(sent("tools/call")).toEqual([{ ...READ, _meta: { traceparent: "00-1", mine: 1 } }]);
    const { headers } = world.upstream.received.at(-1) ?? {};
    expect(headers).toMatchObject({ "mcp-session-id": "s1", "mcp-protocol-version": "2025-11-25" });
    expect(Object.keys(headers ?? {}).filter((name) => /^mcp-(method|name|param)/.test(name))).toEqual([]);
  });

  it("tell progress, and log messages as loud as the request asked for", async () => {
    const capabilities = { tools: {}, logging: {} };
    const { ask, sent, page, world } = await bench({ upstream: serverOf("2025-11-25", { capabilities }) });
    const message = (level: string): string =>
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level, data: level } });
    world.upstream.answer = ({ frame }) => {
      if (frame.method === "logging/setLevel") return { result: {} };
      const token = (frame.params?._meta as { progressToken?: number } | undefined)?.progressToken;
      const progress = {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: token, progress: 1 },
      };
      const done = JSON.stringify({ jsonrpc: "2.0", id: frame.id, result: { content: [] } });
      return { frames: [message("info"), message("error"), JSON.stringify(progress), done] };
    };
    const heard = () => page.got.splice(0).flatMap(({ params }) => (params as { level?: string })?.level ?? []);
    const at = (level: string) => ({ ...READ, _meta: { ...ABLE, [`${META}logLevel`]: level, progressToken: "p" } });
    await ask("1", "tools/call", READ);
    expect(sent("logging/setLevel")).toEqual([]);
    expect(heard()).toEqual([]);
    await ask("2", "tools/call", at("error"));
    expect(methods(page)).toContain("notifications/progress");
    expect(heard()).toEqual(["error"]);
    await ask("3", "tools/call", at("debug"));
    expect(heard()).toEqual(["info", "error"]);
    await ask("4", "tools/call", at("warning"));
    expect(heard()).toEqual(["error"]);
    expect(sent("logging/setLevel")).toEqual([{ level: "error" }, { level: "debug" }]);
  });
});

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

describe("a request of the server's during the call", () => {
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
    const after = newerOf(await call.world.reborn());
    const { requestState } = call.result;
    const late = await after.ask("2", "tools/call", { ...READ, inputResponses: {}, requestState });
    expect(late.error).toMatchObject({ data: { name: "unknown" } });
    expect(after.sent("tools/call")).toHaveLength(1);
  });
});

describe("whom the server means", () => {
  it("is the call whose stream it asked on, however many are open", async () => {
    const call = await asked();
    const { result } = call;
    expect(Object.keys(result.inputRequests)).toEqual(["input-1"]);
  });

  it.each([
    [1, { result: { action: "accept" } }],
    [2, { error: { code: -32601 } }],
  ])("is, where all share one connection, the call that is open: with %i of them", async (open, heard) => {
    const upstream = createFakeServer("2025-11-25");
    const world = await createWorld({ revision: "2025-11-25", upstream, url: "ws://127.0.0.1:9/mcp" });
    const page = world.page();
    upstream.answer = () => new Promise(() => undefined);
    for (let id = 1; id <= open; id += 1) {
      page.send({ jsonrpc: "2.0", id, method: "tools/call", params: { ...READ, _meta: ABLE } });
    }
    await until(() => upstream.received.filter(({ frame }) => frame.method === "tools/call").length === open);
    upstream.say?.({ id: "s1", method: "elicitation/create", params: FORM });
    const reply = () => upstream.received.find(({ frame }) => frame.method === undefined);
    if (open === 1) {
      await inTime(world, 25, () => page.got.some(({ id }) => id === 1));
      const { result } = (await page.reply(1)) as { result: Asked["result"] };
      const answers = { inputResponses: { "input-1": { action: "accept" } }, requestState: result.requestState };
      page.send({ jsonrpc: "2.0", id: 9, method: "tools/call", params: { ...READ, _meta: ABLE, ...answers } });
    }
    await inTime(world, 1_000, () => reply() !== undefined);
    expect(JSON.parse(reply()?.text ?? "{}")).toMatchObject({ id: "s1", ...heard });
  });
});

describe("-32042", () => {
  const DEMAND = {
    code: -32042,
    message: "open a page",
    data: { elicitations: [{ mode: "url", elicitationId: "e1", url: "https://x.example/?n=1e2", message: "Open" }] },
  };
  const OPENING = { ...MODERN_META, [CAPABILITIES]: { elicitation: { url: {} } } };

  async function demanded() {
    const base = await bench();
    const { world, page } = base;
    let through = false;
    world.upstream.answer = () => (through ? { result: { content: [] } } : { error: DEMAND });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...READ, _meta: OPENING } });
    await inTime(world, 25, () => page.got.some(({ id }) => id === 1));
    const { result } = (await page.reply(1)) as { result: Asked["result"] };
    const retry = (action: string): void =>
      page.send({
        jsonrpc: "2.0",
        id: 2,
        method: "tools/call",
        params: {
          ...READ,
          _meta: OPENING,
          inputResponses: { "input-1": { action } },
          requestState: result.requestState,
        },
      });
    const pass = (): void => {
      through = true;
    };
    return { ...base, result, retry, pass };
  }

  it("becomes a question for the agent, without the identifier that its revision does not have", async () => {
    const { result } = await demanded();
    const params = { mode: "url", url: "https://x.example/?n=1e2", message: "Open" };
    expect(result).toMatchObject({
      resultType: "input_required",
      inputRequests: { "input-1": { method: "elicitation/create", params } },
      requestState: expect.any(String),
    });
  });

  it("is over when the server says that the person is through, and the call is made again", async () => {
    const standing = createOpenBody();
    const call = await demanded();
    call.world.upstream.stand = () => standing.body;
    call.retry("accept");
    await until(() => call.sent("tools/call").length === 1);
    await quiet();
    expect(call.sent("tools/call")).toHaveLength(1);
    call.pass();
    await inTime(call.world, 2_000, () => call.page.got.some(({ id }) => id === 2));
    expect((await call.page.reply(2)).result).toMatchObject({ resultType: "complete", content: [] });
    expect(call.sent("tools/call")).toHaveLength(2);
  });

  it("is made again at once when the notification comes", async () => {
    const standing = createOpenBody();
    const upstream = serverOf("2025-11-25", { stand: () => standing.body });
    const { world, page, sent } = await bench({ upstream });
    let through = false;
    upstream.answer = () => (through ? { result: { content: [] } } : { error: DEMAND });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...READ, _meta: OPENING } });
    await inTime(world, 25, () => page.got.some(({ id }) => id === 1));
    const { result } = (await page.reply(1)) as { result: Asked["result"] };
    const answers = { inputResponses: { "input-1": { action: "accept" } }, requestState: result.requestState };
    page.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { ...READ, _meta: OPENING, ...answers } });
    await quiet();
    through = true;
    const params = { elicitationId: "e1" };
    const note = { jsonrpc: "2.0", method: "notifications/elicitation/complete", params };
    standing.write(`data: ${JSON.stringify(note)}\n\n`);
    expect((await page.reply(2)).result).toMatchObject({ content: [] });
    expect(sent("tools/call")).toHaveLength(2);
    expect(methods(page)).toEqual([]);
  });

  it("ends the call, with a code of the agent's revision, when the answer is no", async () => {
    const { retry, page, sent } = await demanded();
    retry("decline");
    expect((await page.reply(2)).error).toMatchObject({ code: -32603 });
    expect(sent("tools/call")).toHaveLength(1);
  });

  it("is never shown where nobody can be asked", async () => {
    const { ask, world } = await bench();
    world.upstream.answer = () => ({ error: { code: -32042, message: "open a page" } });
    expect((await ask("1", "tools/call", READ)).error).toMatchObject({ code: -32603 });
  });
});

describe("subscriptions/listen", () => {
  const CAPABLE = { tools: { listChanged: true }, prompts: {}, resources: { subscribe: true } };
  const WANTS = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ["file:///a", "file:///b"] };
  const UPDATED = "notifications/resources/updated";

  async function listening() {
    const standing = createOpenBody();
    const upstream = serverOf("2025-11-25", {
      capabilities: CAPABLE,
      stand: () => standing.body,
      answer: ({ frame }) =>
        frame.method === "resources/subscribe" && frame.params?.uri === "file:///b"
          ? { error: { code: -32602, message: "no" } }
          : { result: {} },
    });
    const base = await bench({ upstream });
    const { page } = base;
    const listen = (id: unknown, notifications: object): void =>
      page.send({ jsonrpc: "2.0", id, method: "subscriptions/listen", params: { notifications, _meta: ABLE } });
    listen("mine", WANTS);
    await until(() => page.got.length === 1);
    const say = (method: string, params: object = {}): void =>
      standing.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method, params })}\n\n`);
    return { ...base, listen, say };
  }

  it("is agreed to first, as far as the server can", async () => {
    const { page } = await listening();
    expect(page.got).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/subscriptions/acknowledged",
        params: {
          notifications: { toolsListChanged: true, resourceSubscriptions: ["file:///a"] },
          _meta: { [SUBSCRIPTION]: "mine" },
        },
      },
    ]);
  });

  it("hears of changes under its own tag, of what it asked for only, and an agent without one hears nothing", async () => {
    const { world, page, say } = await listening();
    const other = world.page({ channel: "c2" });
    for (const list of ["tools", "prompts", "resources"]) say(`notifications/${list}/list_changed`);
    say(UPDATED, { uri: "file:///c" });
    say(UPDATED, { uri: "file:///a/part" });
    await until(() => page.got.length === 3);
    await quiet();
    expect(page.got.slice(1)).toMatchObject([
      { method: "notifications/tools/list_changed", params: { _meta: { [SUBSCRIPTION]: "mine" } } },
      { method: UPDATED, params: { uri: "file:///a/part", _meta: { [SUBSCRIPTION]: "mine" } } },
    ]);
    expect(other.got).toEqual([]);
  });

  it("subscribes once however many want a resource, and leaves it with the last", async () => {
    const { page, listen, sent } = await listening();
    listen(2, { resourceSubscriptions: ["file:///a"] });
    await until(() => page.got.length === 2);
    expect(sent("resources/subscribe").filter(({ uri }) => uri === "file:///a")).toHaveLength(1);
    page.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "mine" } });
    await quiet();
    expect(sent("resources/unsubscribe")).toEqual([]);
    page.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
    await until(() => sent("resources/unsubscribe").length === 1);
    expect(page.got.some(({ id }) => id === 2)).toBe(false);
  });
});

describe("a result", () => {
  it("says what it is and whose, and where the revision wants it how long it holds", async () => {
    const { ask, world } = await bench();
    world.upstream.answer = () => ({ result: { contents: [] } });
    expect((await ask("1", "tools/call", READ)).result).toEqual({ contents: [], resultType: "complete", _meta: NAMED });
    for (const [id, method, params] of [
      ["2", "resources/read", { uri: "a:b" }],
      ["3", "tools/list", {}],
      ["4", "prompts/list", {}],
    ] as const) {
      const { result } = await ask(id, method, params);
      expect(result).toMatchObject({ resultType: "complete", ttlMs: 0, cacheScope: "private" });
    }
  });

  it("keeps the bytes of everything else", async () => {
    const { world, page } = await bench();
    const exact = '{ "content" : [ ], "n":9007199254740993 , "e":1e2';
    world.upstream.answer = ({ frame }) => ({
      status: 200,
      type: "application/json",
      body: `{"jsonrpc":"2.0","id":${frame.id},"result":${exact}}}`,
    });
    page.send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { ...READ, _meta: ABLE } });
    await page.reply(7);
    expect(page.gotText.at(-1)).toContain(exact);
  });

  it("of a missing resource has the new code and the address", async () => {
    const { ask, world } = await bench();
    world.upstream.answer = () => ({ error: { code: -32002, message: "gone" } });
    const { error } = await ask("1", "resources/read", { uri: "a:b" });
    expect(error).toEqual({ code: -32602, message: "gone", data: { uri: "a:b" } });
  });

  it.each([-32020, -32021, -32022])("that is an error has no code (%i) that means something else now", async (code) => {
    const { ask, world } = await bench();
    world.upstream.answer = () => ({ error: { code, message: "of the server's own" } });
    expect((await ask("1", "tools/call", READ)).error).toMatchObject({ code: -32603, message: "of the server's own" });
  });
});

describe("tasks", () => {
  const WORKS = { ...FILE_READ, execution: { taskSupport: "required" } };

  it("of the older kind are not there", async () => {
    const { ask } = await bench();
    expect((await ask("1", "tasks/get", { taskId: "t" })).error).toBeDefined();
  });

  it("that a tool works as only are asked for and waited for by navra, and the agent gets the plain result", async () => {
    const { ask, sent, world } = await bench({ upstream: serverOf("2025-11-25", { tools: [WORKS] }) });
    world.upstream.answer = ({ frame }) => {
      if (frame.method === "tasks/result") return { result: { content: [{ type: "text", text: "done" }] } };
      return frame.params?.task
        ? { result: { task: { taskId: "t", status: "working" } } }
        : { error: { code: -32601, message: "as a task only" } };
    };
    expect((await ask("1", "tools/call", READ)).result).toMatchObject({
      resultType: "complete",
      content: [{ type: "text", text: "done" }],
    });
    expect(sent("tools/call")).toMatchObject([{ ...READ, task: { ttl: expect.any(Number) } }]);
    expect(sent("tasks/result")).toEqual([{ taskId: "t" }]);
  });

  it("are so for an agent of the same revision too, whose own `task` is left out", async () => {
    const upstream = serverOf("2025-11-25", { tools: [FILE_READ], capabilities: { tools: {}, tasks: { list: {} } } });
    const world = await createWorld({ revision: "2025-11-25", upstream });
    const page = world.page();
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "o" } };
    page.send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    expect((await page.reply(1)).result).toHaveProperty("capabilities", { tools: {} });
    page.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { ...READ, task: { ttl: 1 } } });
    await page.reply(2);
    expect(upstream.received.at(-1)?.frame.params).toEqual(READ);
  });

  it("are cancelled when the agent gives the call up", async () => {
    const { page, sent, world } = await bench({ upstream: serverOf("2025-11-25", { tools: [WORKS] }) });
    world.upstream.answer = ({ frame }) =>
      frame.method === "tools/call"
        ? { result: { task: { taskId: "t", status: "working" } } }
        : new Promise(() => undefined);
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...READ, _meta: ABLE } });
    await until(() => sent("tasks/result").length === 1);
    page.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await until(() => sent("tasks/cancel").length === 1);
  });
});

describe("the session over HTTP", () => {
  it("is not shared between sites", async () => {
    const { world, ask, sent } = await bench();
    await ask("1", "tools/call", READ);
    const other = { ...SITE, origin: "https://other.example", topSite: "https://other.example" };
    await world.gateway.connector.connect(other, world.server.id, ["file_read"]);
    const page = world.page({ principal: other, channel: "c2", place: { tabId: 8, frameId: 0, documentId: "doc-2" } });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...READ, _meta: ABLE } });
    await page.reply(1);
    expect(sent("initialize")).toHaveLength(2);
  });

  it("that the server forgot is opened anew and the call made once more, because it did not run", async () => {
    const { ask, sent, world } = await bench();
    await ask("1", "tools/call", READ);
    let forgot = true;
    world.upstream.answer = () => {
      if (!forgot) return { result: { content: [] } };
      forgot = false;
      return { status: 404, body: "" };
    };
    expect((await ask("2", "tools/call", READ)).result).toMatchObject({ content: [] });
    expect(sent("initialize")).toHaveLength(2);
    expect(sent("tools/call")).toHaveLength(3);
  });
});
