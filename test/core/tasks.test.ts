/** Tasks of a server: who may ask about them, what they ask, and what is left of them when the worker dies. */
import { describe, expect, it } from "vitest";
import { createWorld, type FakePage, type FakeWorld, MODERN_META, SITE } from "../fakes/gateway.ts";
import { createFakeServer } from "../fakes/server.ts";

const TASKS = "io.modelcontextprotocol/tasks";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const ABLE = { ...MODERN_META, [CAPABILITIES]: { elicitation: {}, sampling: {}, extensions: { [TASKS]: {} } } };
const READ = { name: "file_read", arguments: { path: "/etc/hostname" } };
const MADE = { resultType: "task", taskId: "t-1", status: "working", ttlMs: 60_000 };
const FORM = { method: "elicitation/create", params: { message: "Sure?", requestedSchema: { type: "object" } } };
const SAMPLE = { method: "sampling/createMessage", params: { messages: [], maxTokens: 9 } };

async function modern(result: object): Promise<{ world: FakeWorld; page: FakePage }> {
  const world = await createWorld({ revision: "2026-07-28" });
  world.upstream.answer = () => ({ result });
  return { world, page: world.page() };
}

/** Calls the tool, which becomes the task `t-1`, and has every later request answered by `then`. */
async function began(then: object = {}): Promise<{ world: FakeWorld; page: FakePage }> {
  const { world, page } = await modern(MADE);
  await ask(page, { id: "call", method: "tools/call", params: { ...READ, _meta: ABLE } });
  world.upstream.answer = () => ({ result: { resultType: "complete", ...then } });
  return { world, page };
}

interface Asked {
  readonly id: string;
  readonly method: string;
  readonly params: object;
}

function ask(page: FakePage, request: Asked): Promise<Record<string, unknown>> {
  page.send({ jsonrpc: "2.0", ...request });
  return page.reply(request.id);
}

function about(taskId: string, id = "about"): Asked {
  return { id, method: "tasks/get", params: { taskId, _meta: ABLE } };
}

function reached(world: FakeWorld, method: string): number {
  return world.upstream.received.filter(({ frame }) => frame.method === method).length;
}

describe("a task of a server", () => {
  it("is made only for an agent that declared tasks, which the server is told", async () => {
    const { world, page } = await modern(MADE);
    const reply = await ask(page, { id: "1", method: "tools/call", params: { ...READ, _meta: ABLE } });
    expect(reply.result).toEqual(MADE);
    const sent = world.upstream.received.at(-1)?.frame.params?._meta as Record<string, unknown>;
    expect(sent[CAPABILITIES]).toEqual({ elicitation: {}, sampling: {}, extensions: { [TASKS]: {} } });
  });

  it("is a fault of the server's where nobody declared tasks", async () => {
    const { page } = await modern(MADE);
    const reply = await ask(page, { id: "1", method: "tools/call", params: { ...READ, _meta: MODERN_META } });
    expect(reply.error).toMatchObject({ data: { name: "upstream-broken" } });
  });

  it("tells its own site how it stands, byte for byte", async () => {
    const { page } = await began({ taskId: "t-1", status: "working", big: 1e21 });
    const reply = await ask(page, about("t-1"));
    expect(reply.result).toMatchObject({ taskId: "t-1", status: "working" });
  });

  it("does not exist for another site, and the server hears nothing of it", async () => {
    const { world } = await began();
    const other = { ...SITE, origin: "https://other.example", topSite: "https://other.example" };
    await world.gateway.connector.connect(other, world.server.id, ["file_read"]);
    const page = world.page({ principal: other, channel: "c2", place: { tabId: 8, frameId: 0, documentId: "doc-2" } });
    const reply = await ask(page, about("t-1"));
    expect(reply.error).toMatchObject({ code: -32602 });
    expect(reached(world, "tasks/get")).toBe(0);
  });

  it("does not exist after its time", async () => {
    const { world, page } = await began();
    world.clock.advance(60_001);
    expect((await ask(page, about("t-1"))).error).toMatchObject({ code: -32602 });
  });

  it("is not spoken of with an agent that did not declare tasks", async () => {
    const { world, page } = await began();
    const reply = await ask(page, { id: "2", method: "tasks/get", params: { taskId: "t-1", _meta: MODERN_META } });
    expect(reply.error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
    });
    expect(reached(world, "tasks/get")).toBe(0);
  });

  it("is unknown in the older era", async () => {
    const world = await createWorld();
    const page = world.page();
    await page.initialize("2025-11-25");
    const reply = await ask(page, { id: "2", method: "tasks/get", params: { taskId: "t-1" } });
    expect(reply.error).toMatchObject({ code: -32601 });
  });

  it("belongs to its site still when the worker died", async () => {
    const { world } = await began({ taskId: "t-1", status: "completed" });
    const page = (await world.reborn()).page();
    expect((await ask(page, about("t-1"))).result).toMatchObject({ status: "completed" });
  });

  it("leaves no row for a private window", async () => {
    const { world } = await modern(MADE);
    const hidden = { ...SITE, private: true };
    await world.gateway.connector.connect(hidden, world.server.id, ["file_read"]);
    const page = world.page({ principal: hidden });
    await ask(page, { id: "1", method: "tools/call", params: { ...READ, _meta: ABLE } });
    expect(world.tables.tasks.rows.size).toBe(0);
  });

  it("raises the session's labels by what it gives", async () => {
    const { world, page } = await began({ taskId: "t-1", status: "completed", result: { content: [] } });
    await world.gateway.registry.update(world.server.id, { trust: "untrusted" });
    await ask(page, about("t-1"));
    const [key] = [...world.tables.labels.rows.keys()];
    expect(world.tables.labels.rows.get(key ?? "")?.labels.integrity).toBe("untrusted");
  });
});

describe("what a task asks", () => {
  it("reaches the agent, and its answer the server", async () => {
    const { world, page } = await began({ status: "input_required", inputRequests: { sure: FORM } });
    expect((await ask(page, about("t-1"))).result).toMatchObject({ inputRequests: { sure: FORM } });
    const inputResponses = { sure: { action: "accept", content: { confirm: true } } };
    const params = { taskId: "t-1", inputResponses, _meta: ABLE };
    await ask(page, { id: "u", method: "tasks/update", params });
    expect(world.upstream.received.at(-1)?.frame.params).toMatchObject({ taskId: "t-1", inputResponses });
  });

  it("is withheld where a rule denies it", async () => {
    const { world, page } = await began({ status: "input_required", inputRequests: { sure: FORM } });
    await world.gateway.rules.save({
      id: "no-forms",
      verdict: "deny",
      priority: 0,
      on: ["request"],
      when: { method: ["elicitation/create"] },
      mode: "enforce",
    });
    expect((await ask(page, about("t-1"))).error).toMatchObject({ data: { name: "withheld" } });
  });

  it("is put to the person once, however often the agent looks", async () => {
    const { world, page } = await began({ status: "input_required", inputRequests: { say: SAMPLE } });
    page.send({ jsonrpc: "2.0", ...about("t-1", "first") });
    for (let turn = 0; turn < 500 && world.approvals().length === 0; turn++) await new Promise(setImmediate);
    const [approval] = world.approvals();
    if (!approval) throw new Error("Nothing was asked.");
    const { id, digest } = approval;
    await world.gateway.approvals.answer({ id, digest, answer: "allow", scope: "once" });
    expect((await page.reply("first")).result).toMatchObject({ inputRequests: { say: SAMPLE } });
    expect((await ask(page, about("t-1", "second"))).result).toMatchObject({ inputRequests: { say: SAMPLE } });
    expect(world.approvals()).toEqual([]);
  });
});

describe("extensions", () => {
  it("that navra does not carry are not declared to a server", async () => {
    const { world, page } = await modern({ resultType: "complete", content: [] });
    const other = { ...MODERN_META, [CAPABILITIES]: { extensions: { "com.example/other": {} } } };
    await ask(page, { id: "1", method: "tools/call", params: { ...READ, _meta: other } });
    const sent = world.upstream.received.at(-1)?.frame.params?._meta as Record<string, unknown>;
    expect(sent[CAPABILITIES]).toEqual({});
  });

  it("that navra does not carry are not told to an agent", async () => {
    const upstream = createFakeServer("2026-07-28");
    const fetch: typeof upstream.fetch = async (url, request) => {
      const response = await upstream.fetch(url, request);
      const reply = JSON.parse(await response.text());
      if (reply.result?.supportedVersions) {
        reply.result.capabilities.extensions = { [TASKS]: {}, "com.example/other": {} };
      }
      return Response.json(reply);
    };
    const page = (await createWorld({ revision: "2026-07-28", upstream: { ...upstream, fetch } })).page();
    const { result } = await ask(page, { id: "1", method: "server/discover", params: { _meta: MODERN_META } });
    expect(result).toMatchObject({ capabilities: { extensions: { [TASKS]: {} } } });
    expect(JSON.stringify(result)).not.toContain("com.example/other");
  });

  it("that make a result of another kind end the call", async () => {
    const { page } = await modern({ resultType: "com.example/other", secret: 1 });
    const reply = await ask(page, { id: "1", method: "tools/call", params: { ...READ, _meta: ABLE } });
    expect(reply.error).toMatchObject({ data: { name: "upstream-broken" } });
    expect(JSON.stringify(reply)).not.toContain("secret");
  });
});
