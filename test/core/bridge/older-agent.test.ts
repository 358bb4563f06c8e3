/**
 * An agent that opens a session, in front of a server that knows none: what each of them sees of the other. Each `describe`
 * is a row of the table of such bridges, by what the agent sees or sends.
 */
import { describe, expect, it } from "vitest";
import { createWorld } from "../../fakes/gateway.ts";
import { createFakeServer, FILE_READ } from "../../fakes/server.ts";
import { createOpenBody } from "../transports/fakes.ts";
import { answer, FORM, inTime, META, methods, type OlderBench, older, quiet, READ, serverOf, until } from "./bench.ts";

const ASK = { method: "elicitation/create", params: FORM };
const CAPABLE = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: {},
  logging: {},
  completions: {},
  extensions: { "com.example/unknown": {}, [`${META}tasks`]: {} },
};

describe("initialize", () => {
  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "opens in the agent's revision %s, from the server's discovery",
    async (version) => {
      const { opened, sent } = await older({ version });
      expect(opened.result).toEqual({
        protocolVersion: version,
        capabilities: { tools: {} },
        serverInfo: { name: "fake", version: "1.0.0" },
      });
      expect(sent("initialize")).toEqual([]);
    },
  );

  it("offers what the server has and the revision knows: changes and logging too, extensions only if carried", async () => {
    const upstream = serverOf("2026-07-28", { capabilities: CAPABLE });
    const { opened } = await older({ upstream });
    const { extensions: _extensions, ...rest } = CAPABLE;
    expect(opened.result).toMatchObject({ capabilities: rest });
    expect(opened.result).toHaveProperty("capabilities.extensions", {});
  });

  it("has no completions before 2025-03-26, and no extensions before 2025-11-25", async () => {
    const upstream = serverOf("2026-07-28", { capabilities: CAPABLE });
    const { opened } = await older({ upstream, version: "2024-11-05" });
    const { extensions: _extensions, completions: _completions, ...rest } = CAPABLE;
    expect(opened.result).toHaveProperty("capabilities", rest);
  });

  it("remembers what the agent declared: roots without changes, an empty elicitation as forms", async () => {
    const { ask, sent } = await older({ capabilities: { elicitation: {}, roots: { listChanged: true } } });
    await ask("1", "tools/call", READ);
    expect(sent("tools/call")[0]?._meta).toMatchObject({
      [`${META}clientCapabilities`]: { elicitation: { form: {} }, roots: {} },
    });
  });
});

describe("any request", () => {
  it("tells the server version and capabilities, keeps what is the agent's, and takes out what it said of the protocol", async () => {
    const { ask, sent } = await older();
    await ask("1", "tools/call", {
      ...READ,
      _meta: { [`${META}clientCapabilities`]: { sampling: {} }, [`${META}invented`]: 1, mine: 1e2, progressToken: "p" },
    });
    expect(sent("tools/call")[0]?._meta).toEqual({
      [`${META}protocolVersion`]: "2026-07-28",
      [`${META}clientCapabilities`]: {},
      [`${META}clientInfo`]: { name: "navra", version: "0.1.0" },
      [`${META}logLevel`]: "info",
      mine: 100,
      progressToken: expect.any(Number),
      traceparent: expect.any(String),
    });
  });
});

describe("a result", () => {
  it("loses what the older era does not have, and nothing else", async () => {
    const { ask, world } = await older();
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

  it("keeps a structured object, byte for byte", async () => {
    const { page, world } = await older();
    const exact = '{ "content" : [ ], "structuredContent":{"n":9007199254740993,"e":1e2},"resultType":"complete"}';
    world.upstream.answer = ({ frame }) => ({
      status: 200,
      type: "application/json",
      body: `{"jsonrpc":"2.0","id":${frame.id},"result":${exact}}`,
    });
    page.send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: READ });
    await page.reply(7);
    expect(page.gotText.at(-1)).toContain('{ "content" : [ ], "structuredContent":{"n":9007199254740993,"e":1e2}}');
  });

  const LIST = { type: "array", items: { $ref: "#/$defs/row" }, $defs: { row: { $ref: "#" } } };

  it("wraps a structured value that is no object, and its schema with the references in it", async () => {
    const tools = [{ ...FILE_READ, outputSchema: LIST }];
    const { ask, world, page } = await older({ upstream: serverOf("2026-07-28", { tools }) });
    const { result } = await ask("1", "tools/list");
    expect(result).toMatchObject({
      tools: [
        {
          outputSchema: {
            type: "object",
            properties: {
              result: {
                type: "array",
                items: { $ref: "#/properties/result/$defs/row" },
                $defs: { row: { $ref: "#/properties/result" } },
              },
            },
            required: ["result"],
          },
        },
      ],
    });
    const content = [{ type: "text", text: "[1]" }];
    world.upstream.answer = () => ({ result: { resultType: "complete", content, structuredContent: [1] } });
    expect((await ask("2", "tools/call", READ)).result).toEqual({ content, structuredContent: { result: [1] } });
    expect(page.gotText.at(-1)).toContain('{"result":[1]}');
  });

  it("gives an agent before 2025-06-18 no structured value: in words where the server said it in none", async () => {
    const { ask, world } = await older({ version: "2025-03-26" });
    world.upstream.answer = () => ({ result: { content: [], structuredContent: { n: 1 } } });
    expect((await ask("1", "tools/call", READ)).result).toEqual({ content: [{ type: "text", text: '{"n":1}' }] });
    const content = [{ type: "text", text: "one" }];
    world.upstream.answer = () => ({ result: { content, structuredContent: { n: 1 } } });
    expect((await ask("2", "tools/call", READ)).result).toEqual({ content });
  });

  const LINK = { type: "resource_link", name: "notes", uri: "file:///n", annotations: { priority: 1 } };
  const AUDIO = { type: "audio", data: "AAAA", mimeType: "audio/wav" };

  it.each([
    ["2025-06-18", ["resource_link", "audio"]],
    ["2025-03-26", ["text", "audio"]],
    ["2024-11-05", ["text", "text"]],
  ])("says in text what %s has no kind of content for", async (version, kinds) => {
    const { ask, world } = await older({ version });
    world.upstream.answer = () => ({ result: { content: [LINK, AUDIO] } });
    const { result } = (await ask("1", "tools/call", READ)) as { result: { content: Record<string, unknown>[] } };
    expect(result.content.map(({ type }) => type)).toEqual(kinds);
    if (kinds[0] === "text")
      expect(result.content[0]).toMatchObject({ text: "notes: file:///n", annotations: { priority: 1 } });
    world.upstream.answer = () => ({ result: { messages: [{ role: "user", content: AUDIO }] } });
    const prompt = (await ask("2", "prompts/get", { name: "p" })) as { result: { messages: { content: object }[] } };
    expect(prompt.result.messages[0]?.content).toHaveProperty("type", kinds[1]);
  });

  it.each([
    ["2024-11-05", ["description", "inputSchema", "name", "vendor"]],
    ["2025-03-26", ["annotations", "description", "inputSchema", "name", "vendor"]],
    ["2025-06-18", ["_meta", "annotations", "description", "inputSchema", "name", "outputSchema", "title", "vendor"]],
    [
      "2025-11-25",
      ["_meta", "annotations", "description", "icons", "inputSchema", "name", "outputSchema", "title", "vendor"],
    ],
  ])("gives a tool the members that %s has, and the server's own", async (version, members) => {
    const tool = {
      ...FILE_READ,
      title: "Read",
      icons: [],
      outputSchema: { type: "object" },
      _meta: { a: 1 },
      vendor: 1,
    };
    const { ask } = await older({ version, upstream: serverOf("2026-07-28", { tools: [tool] }) });
    const { result } = (await ask("1", "tools/list")) as { result: { tools: object[] } };
    expect(Object.keys(result.tools[0] ?? {}).sort()).toEqual(members);
  });

  it("leaves pins alone: what the person approved is what the server said, whatever the agent is given", async () => {
    const tools = [{ ...FILE_READ, title: "Read", outputSchema: LIST }];
    const { ask, world } = await older({ version: "2024-11-05", upstream: serverOf("2026-07-28", { tools }) });
    await ask("1", "tools/list");
    expect(world.gateway.pins.quarantined(world.server.id, "file_read")).toBe(false);
  });

  it("has no words beside a progress for an agent of 2024-11-05", async () => {
    for (const [version, words] of [
      ["2024-11-05", undefined],
      ["2025-03-26", "half"],
    ] as const) {
      const { page, world } = await older({ version });
      const stream = createOpenBody();
      world.upstream.answer = () => ({ stream: stream.body });
      page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...READ, _meta: { progressToken: "p" } } });
      await until(() => world.upstream.received.some(({ frame }) => frame.method === "tools/call"));
      const token = world.upstream.received.at(-1)?.frame.id;
      const params = { progressToken: token, progress: 1, total: 2, message: "half" };
      stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params })}\n\n`);
      await until(() => methods(page).includes("notifications/progress"));
      const told = page.got.find(({ method }) => method === "notifications/progress")?.params;
      expect(told).toEqual({ progressToken: "p", progress: 1, total: 2, ...(words && { message: words }) });
    }
  });
});

describe("input_required", () => {
  /** Asks for `sure` until it is there. */
  function asksOnce({ world }: OlderBench, more: object = {}): void {
    world.upstream.answer = ({ frame }) => ({
      result: frame.params?.inputResponses
        ? { resultType: "complete", content: [{ type: "text", text: "done" }] }
        : { resultType: "input_required", inputRequests: { sure: ASK }, ...more },
    });
  }

  it("is asked of the agent as a request while its call is held, and the answer goes back with the state byte for byte", async () => {
    const bench = await older({ capabilities: { elicitation: {} } });
    const { page, sent } = bench;
    asksOnce(bench, { requestState: "a\u2028b \\ c" });
    page.send({ jsonrpc: "2.0", id: "1", method: "tools/call", params: READ });
    const asked = await answer(page, "elicitation/create", { result: { action: "accept", content: { n: 1 } } });
    expect(asked.params).toEqual(FORM);
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
    const bench = await older({ capabilities: { elicitation: {} } });
    asksOnce(bench);
    bench.page.send({ jsonrpc: "2.0", id: "1", method: "tools/call", params: READ });
    await answer(bench.page, "elicitation/create", { result: { action: "decline" } });
    await bench.page.reply("1");
    expect(bench.sent("tools/call")[1]).not.toHaveProperty("requestState");
  });

  it.each([
    ["sampling/createMessage", { sampling: {} }, { messages: [], maxTokens: 1 }, { role: "assistant", model: "m" }],
    ["roots/list", { roots: {} }, undefined, { roots: [] }],
  ])("carries %s as well", async (method, capabilities, params, result) => {
    const { world, page, sent } = await older({ capabilities, trust: "trusted" });
    world.upstream.answer = ({ frame }) => ({
      result: frame.params?.inputResponses
        ? { resultType: "complete", content: [] }
        : { resultType: "input_required", inputRequests: { k: { method, ...(params && { params }) } } },
    });
    page.send({ jsonrpc: "2.0", id: "1", method: "tools/call", params: READ });
    await until(() => methods(page).includes(method) || world.approvals().length > 0);
    const [approval] = world.approvals();
    if (approval) {
      const { id, digest } = approval;
      await world.gateway.approvals.answer({ id, digest, answer: "allow", scope: "once" });
    }
    await answer(page, method, { result });
    await page.reply("1");
    expect(sent("tools/call")[1]).toHaveProperty("inputResponses", { k: result });
  });

  it("puts a choice with titles into the words that forms had before 2025-11-25", async () => {
    const { world, page } = await older({ version: "2025-06-18", capabilities: { elicitation: {} } });
    const color = { type: "string", oneOf: [{ const: "#f00", title: "Red" }, { const: "#00f" }] };
    const params = { message: "Which?", requestedSchema: { type: "object", properties: { color } } };
    world.upstream.answer = () => ({
      result: { resultType: "input_required", inputRequests: { k: { method: ASK.method, params } } },
    });
    page.send({ jsonrpc: "2.0", id: "1", method: "tools/call", params: READ });
    const asked = await answer(page, "elicitation/create", { result: { action: "decline" } });
    expect(asked.params).toHaveProperty("requestedSchema.properties.color", {
      type: "string",
      enum: ["#f00", "#00f"],
      enumNames: ["Red", "#00f"],
    });
  });

  it("ends a tool's call in words where the agent did not declare it, and any other with an error", async () => {
    const bench = await older();
    asksOnce(bench);
    expect((await bench.ask("1", "tools/call", READ)).result).toMatchObject({ isError: true });
    expect(methods(bench.page)).not.toContain("elicitation/create");
    expect((await bench.ask("2", "prompts/get", { name: "p" })).error).toMatchObject({ data: { name: "withheld" } });
  });

  it("paces a server that asks for nothing, and ends when it asks without end", async () => {
    const { world, page, sent } = await older();
    world.upstream.answer = () => ({ result: { resultType: "input_required", requestState: "again" } });
    page.send({ jsonrpc: "2.0", id: "1", method: "tools/call", params: READ });
    await until(() => sent("tools/call").length === 1);
    await quiet();
    expect(sent("tools/call")).toHaveLength(1);
    await inTime(world, 250, () => page.got.some(({ id }) => id === "1"));
    expect((await page.reply("1")).error).toMatchObject({ data: { name: "upstream-broken" } });
    expect(sent("tools/call")).toHaveLength(11);
  });

  const PAGE = { mode: "url", url: "https://x.example/", message: "Open" };

  it("gives a page to be opened an identifier, asks for it once, and tells when it is done with", async () => {
    const { world, page, sent } = await older({ capabilities: { elicitation: { url: {} } } });
    let through = false;
    world.upstream.answer = () => ({
      result: through
        ? { resultType: "complete", content: [] }
        : { resultType: "input_required", inputRequests: { a: { method: ASK.method, params: PAGE } } },
    });
    page.send({ jsonrpc: "2.0", id: "1", method: "tools/call", params: READ });
    const asked = await answer(page, "elicitation/create", { result: { action: "accept" } });
    expect(asked.params).toMatchObject({ ...PAGE, elicitationId: expect.any(String) });
    await inTime(world, 1_000, () => sent("tools/call").length >= 4);
    expect(methods(page)).toEqual([]);
    through = true;
    await inTime(world, 1_000, () => page.got.some(({ id }) => id === "1"));
    const { elicitationId } = asked.params as { elicitationId: string };
    expect(page.got.slice(1)).toMatchObject([
      { method: "notifications/elicitation/complete", params: { elicitationId } },
      { id: "1", result: { content: [] } },
    ]);
  });

  it("does not show a page to an agent whose revision has none", async () => {
    const { world, ask, sent } = await older({ version: "2025-06-18", capabilities: { elicitation: { url: {} } } });
    world.upstream.answer = () => ({
      result: { resultType: "input_required", inputRequests: { a: { method: ASK.method, params: PAGE } } },
    });
    expect((await ask("1", "tools/call", READ)).result).toMatchObject({ isError: true });
    const meta = sent("tools/call")[0]?._meta as Record<string, unknown>;
    expect(meta[`${META}clientCapabilities`]).toEqual({ elicitation: { form: {} } });
  });
});

describe("an agent's own time limit", () => {
  it("is kept off by progress while somebody is asked, in words where the revision has them", async () => {
    const { world, page } = await older({ capabilities: { elicitation: {} } });
    world.upstream.answer = ({ frame }) => ({
      result: frame.params?.inputResponses
        ? { resultType: "complete", content: [] }
        : { resultType: "input_required", inputRequests: { sure: ASK } },
    });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...READ, _meta: { progressToken: "p" } } });
    await until(() => methods(page).includes("elicitation/create"));
    world.clock.advance(31_000);
    const told = page.got.filter(({ method }) => method === "notifications/progress").map(({ params }) => params);
    expect(told).toEqual([
      { progressToken: "p", progress: 0, message: expect.stringContaining("person") },
      { progressToken: "p", progress: 1e-6, message: expect.any(String) },
    ]);
    await answer(page, "elicitation/create", { result: { action: "decline" } });
    await page.reply(1);
    world.clock.advance(60_000);
    expect(page.got.filter(({ method }) => method === "notifications/progress")).toHaveLength(2);
  });

  it("is kept off while the person is asked whether the call may go, too, and the server's own numbers go on from there", async () => {
    const tools = [{ ...FILE_READ, annotations: {} }];
    const { world, page } = await older({ version: "2024-11-05", upstream: serverOf("2026-07-28", { tools }) });
    world.upstream.answer = ({ frame }) => {
      const progressToken = (frame.params?._meta as { progressToken?: number } | undefined)?.progressToken;
      const at = (progress: number): string =>
        JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress } });
      return { frames: [at(0), at(1), JSON.stringify({ jsonrpc: "2.0", id: frame.id, result: { content: [] } })] };
    };
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...READ, _meta: { progressToken: "p" } } });
    await until(() => world.approvals().length === 1);
    world.clock.advance(15_001);
    const [approval] = world.approvals();
    if (!approval) throw new Error("Nobody was asked.");
    const { id, digest } = approval;
    await world.gateway.approvals.answer({ id, digest, answer: "allow", scope: "once" });
    await page.reply(1);
    const told = page.got.filter(({ method }) => method === "notifications/progress").map(({ params }) => params);
    expect(told).toEqual([
      { progressToken: "p", progress: 0 },
      { progressToken: "p", progress: 1 },
    ]);
  });

  it("hears nothing where the agent did not ask for progress", async () => {
    const { world, page } = await older({ capabilities: { elicitation: {} } });
    world.upstream.answer = () => ({ result: { resultType: "input_required", inputRequests: { sure: ASK } } });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    await until(() => methods(page).includes("elicitation/create"));
    world.clock.advance(61_000);
    expect(methods(page)).toEqual(["elicitation/create"]);
  });
});

/** A server that is listened to: each listen request has a stream of its own. */
async function listened(options: { version?: string } = {}) {
  const streams: {
    ours: unknown;
    wants: Record<string, unknown>;
    say(method: string, params?: object): void;
    end(): void;
  }[] = [];
  const ended: unknown[] = [];
  let refuses: readonly string[] = [];
  const upstream = serverOf("2026-07-28", {
    capabilities: CAPABLE,
    answer({ frame, signal }) {
      if (frame.method !== "subscriptions/listen") return { result: { resultType: "complete", contents: [] } };
      const stream = createOpenBody();
      const say = (method: string, params: object = {}): void => {
        const tagged = { ...params, _meta: { [`${META}subscriptionId`]: frame.id } };
        stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method, params: tagged })}\n\n`);
      };
      const wants = frame.params?.notifications as Record<string, unknown>;
      streams.push({ ours: frame.id, wants, say, end: () => stream.end() });
      signal.addEventListener("abort", () => void ended.push(frame.id));
      const uris = (wants.resourceSubscriptions as string[] | undefined)?.filter((uri) => !refuses.includes(uri));
      const notifications = { ...wants, ...(uris && { resourceSubscriptions: uris }) };
      say("notifications/subscriptions/acknowledged", { notifications });
      return { stream: stream.body };
    },
  });
  const bench = await older({ upstream, ...options });
  await until(() => streams.length === 1);
  await quiet();
  const refuse = (...uris: string[]): void => {
    refuses = uris;
  };
  return { ...bench, streams, ended, refuse };
}

const UPDATED = "notifications/resources/updated";

describe("resources/subscribe and resources/unsubscribe", () => {
  it("become part of the one request that listens, and the old one ends when the new one stands", async () => {
    const { ask, streams, ended, page, sent } = await listened();
    expect((await ask("1", "resources/subscribe", { uri: "file:///a" })).result).toEqual({});
    expect((await ask("2", "resources/subscribe", { uri: "file:///b" })).result).toEqual({});
    expect(streams.at(-1)?.wants).toMatchObject({ resourceSubscriptions: ["file:///a", "file:///b"] });
    await until(() => ended.length === 2);
    streams.at(-1)?.say(UPDATED, { uri: "file:///a" });
    await until(() => methods(page).includes(UPDATED));
    expect(page.got.find(({ method }) => method === UPDATED)?.params).toEqual({ uri: "file:///a" });
    expect(sent("resources/subscribe")).toEqual([]);
    expect((await ask("3", "resources/unsubscribe", { uri: "file:///a" })).result).toEqual({});
    await until(() => streams.length === 4);
    expect(streams.at(-1)?.wants).toMatchObject({ resourceSubscriptions: ["file:///b"] });
  });

  it("are shared by the agents of a site, and each hears of its own", async () => {
    const { world, ask, streams, page } = await listened();
    const other = world.page({ channel: "c2" });
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "o" } };
    other.send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    await other.reply(1);
    await ask("1", "resources/subscribe", { uri: "file:///a" });
    other.send({ jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: "file:///b" } });
    await other.reply(2);
    expect(streams.at(-1)?.wants).toMatchObject({ resourceSubscriptions: ["file:///a", "file:///b"] });
    streams.at(-1)?.say(UPDATED, { uri: "file:///b" });
    await until(() => methods(other).includes(UPDATED));
    expect(methods(page)).not.toContain(UPDATED);
  });

  it("say so where the server does not agree, or the person's policy does not, and then ask for nothing", async () => {
    const { world, ask, streams, refuse } = await listened();
    refuse("file:///no");
    expect((await ask("1", "resources/subscribe", { uri: "file:///no" })).error).toMatchObject({ code: -32602 });
    const rule = { id: "no", verdict: "deny", priority: 1, on: ["request"], when: { uri: ["file:///secret"] } };
    await world.gateway.rules.save({ ...rule, mode: "enforce" } as never);
    expect((await ask("2", "resources/subscribe", { uri: "file:///secret" })).error).toMatchObject({
      data: { name: "denied" },
    });
    await ask("3", "resources/subscribe", { uri: "file:///a" });
    expect(streams.at(-1)?.wants).toMatchObject({ resourceSubscriptions: ["file:///a"] });
  });
});

describe("list_changed", () => {
  it("is listened to for the site and told as a session tells it: without a tag", async () => {
    const { page, streams, sent } = await listened();
    expect(sent("subscriptions/listen")).toMatchObject([
      { notifications: { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true } },
    ]);
    streams[0]?.say("notifications/tools/list_changed");
    await until(() => methods(page).length === 1);
    expect(page.got.at(-1)).toEqual({ jsonrpc: "2.0", method: "notifications/tools/list_changed", params: {} });
  });

  it("is listened to again when the stream breaks, and no more when the agent is gone", async () => {
    const { world, page, streams, ended } = await listened();
    streams[0]?.end();
    await inTime(world, 1_000, () => streams.length === 2);
    page.close();
    await until(() => ended.includes(streams[1]?.ours));
    world.clock.advance(120_000);
    await quiet();
    expect(streams).toHaveLength(2);
  });

  it("is not listened to again while nobody sees the page, and is when somebody does", async () => {
    const { world, page, streams } = await listened();
    streams[0]?.end();
    await quiet();
    page.show(false);
    world.clock.advance(120_000);
    await quiet();
    expect(streams).toHaveLength(1);
    page.show(true);
    await until(() => streams.length === 2);
  });

  it("is listened to as soon as it can be, where the server could not be reached when the page came into sight", async () => {
    const { world, page, streams, ended } = await listened();
    page.show(false);
    await until(() => ended.length === 1);
    const { answer: answers } = world.upstream;
    world.upstream.answer = () => ({ status: 503, body: "" });
    page.show(true);
    await quiet();
    expect(streams).toHaveLength(1);
    world.upstream.answer = answers;
    await inTime(world, 1_000, () => streams.length === 2);
  });

  it("is listened to again when the worker died and the page came back", async () => {
    const { world, streams } = await listened();
    const page = (await world.reborn()).page();
    await until(() => streams.length === 2);
    await quiet();
    streams[1]?.say("notifications/prompts/list_changed");
    await until(() => methods(page).length === 1);
  });
});

describe("logging/setLevel", () => {
  it("is kept by navra, goes with each later call, and lets nothing quieter through", async () => {
    const { ask, sent, page, world } = await older();
    await ask("1", "tools/call", READ);
    expect((await ask("2", "logging/setLevel", { level: "error" })).result).toEqual({});
    world.upstream.answer = ({ frame }) => ({
      frames: [
        ...["info", "critical"].map((level) =>
          JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level, data: level } }),
        ),
        JSON.stringify({ jsonrpc: "2.0", id: frame.id, result: { resultType: "complete", content: [] } }),
      ],
    });
    await ask("3", "tools/call", READ);
    expect(sent("tools/call").map((params) => (params._meta as Record<string, unknown>)[`${META}logLevel`])).toEqual([
      "info",
      "error",
    ]);
    expect(sent("logging/setLevel")).toEqual([]);
    expect(page.got.filter(({ method }) => method)).toMatchObject([{ params: { level: "critical" } }]);
  });
});

describe("ping", () => {
  it("is answered by navra", async () => {
    const { ask, world } = await older();
    const before = world.upstream.received.length;
    expect((await ask("p", "ping")).result).toEqual({});
    expect(world.upstream.received).toHaveLength(before);
  });
});

describe("notifications/cancelled", () => {
  it("closes the stream of the call, and is not sent", async () => {
    const { page, sent, world } = await older();
    let closed = false;
    world.upstream.answer = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          closed = true;
          reject(signal.reason);
        });
      });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    await until(() => sent("tools/call").length === 1);
    page.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await until(() => closed);
    await quiet();
    expect(sent("notifications/cancelled")).toEqual([]);
    expect(page.got.some(({ id }) => id === 1)).toBe(false);
  });
});

describe("notifications/roots/list_changed", () => {
  it("is swallowed", async () => {
    const { page, world, ask } = await older({ capabilities: { roots: { listChanged: true } } });
    page.send({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
    await ask("1", "tools/call", READ);
    expect(world.upstream.received.map(({ frame }) => frame.method)).not.toContain("notifications/roots/list_changed");
  });
});

describe("completion/complete", () => {
  it("passes with everything in it", async () => {
    const { ask, sent, world } = await older();
    world.upstream.answer = () => ({ result: { resultType: "complete", completion: { values: ["a"] } } });
    const params = {
      ref: { type: "ref/prompt", name: "p" },
      argument: { name: "a", value: "" },
      context: { arguments: { b: "c" } },
    };
    expect((await ask("1", "completion/complete", params)).result).toEqual({ completion: { values: ["a"] } });
    expect(sent("completion/complete")[0]).toMatchObject(params);
  });
});

describe("errors", () => {
  it("give a missing resource the code it had", async () => {
    const { ask, world } = await older();
    world.upstream.answer = () => ({ error: { code: -32602, message: "gone", data: { uri: "a:b" } } });
    const { error } = await ask("1", "resources/read", { uri: "a:b" });
    expect(error).toEqual({ code: -32002, message: "gone", data: { uri: "a:b" } });
  });

  it("of a missing capability are words: in a result of a tool, else in an error", async () => {
    const { ask, world } = await older();
    const data = { requiredCapabilities: { sampling: {} } };
    world.upstream.answer = () => ({ error: { code: -32021, message: "declare sampling", data } });
    expect((await ask("1", "tools/call", READ)).result).toMatchObject({ isError: true });
    const { error } = await ask("2", "prompts/get", { name: "p" });
    expect(error).toMatchObject({ code: -32603 });
    expect(JSON.stringify(error)).not.toContain("requiredCapabilities");
  });

  it.each([-32020, -32022])("of navra's own hop (%i) are never shown", async (code) => {
    const { ask, world } = await older();
    world.upstream.answer = () => ({ error: { code, message: "about headers", data: { supported: ["2026-07-28"] } } });
    const { error } = (await ask("1", "tools/call", READ)) as { error: { code: number } };
    expect(error.code).not.toBe(code);
    expect(JSON.stringify(error)).not.toContain("about headers");
  });
});

describe("tasks", () => {
  const INSISTS = {
    code: -32021,
    message: "tasks only",
    data: { requiredCapabilities: { extensions: { [`${META}tasks`]: {} } } },
  };

  it("are not offered, and an agent's own `task` is left out", async () => {
    const upstream = serverOf("2026-07-28", { capabilities: CAPABLE });
    const { opened, ask, sent } = await older({ upstream });
    expect(JSON.stringify(opened.result)).not.toContain("tasks");
    await ask("1", "tools/call", { ...READ, task: { ttl: 1 } });
    expect(sent("tools/call")[0]).not.toHaveProperty("task");
  });

  it("that a server insists on are waited for: navra asks how it stands, the agent answers, and gets the result", async () => {
    const { world, page, sent } = await older({ capabilities: { elicitation: {} } });
    let answered = false;
    world.upstream.answer = ({ frame }) => {
      const meta = frame.params?._meta as Record<string, { extensions?: object }>;
      const declared = meta[`${META}clientCapabilities`]?.extensions !== undefined;
      if (frame.method === "tools/call" && !declared) return { error: INSISTS };
      if (frame.method === "tools/call")
        return { result: { resultType: "task", taskId: "t", status: "working", pollIntervalMs: 300 } };
      if (frame.method === "tasks/update") {
        answered = true;
        return { result: { resultType: "complete" } };
      }
      const stands = answered
        ? { status: "completed", result: { content: [{ type: "text", text: "done" }] } }
        : { status: "input_required", inputRequests: { sure: ASK } };
      return { result: { resultType: "complete", taskId: "t", pollIntervalMs: 300, ...stands } };
    };
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    await inTime(world, 300, () => methods(page).includes("elicitation/create"));
    await answer(page, "elicitation/create", { result: { action: "accept", content: {} } });
    await inTime(world, 300, () => page.got.some(({ id }) => id === 1));
    expect((await page.reply(1)).result).toEqual({ content: [{ type: "text", text: "done" }] });
    expect(sent("tasks/update")).toMatchObject([{ taskId: "t", inputResponses: { sure: { action: "accept" } } }]);
    expect(sent("tools/call")).toHaveLength(2);
  });

  it.each([
    [
      { status: "failed", error: { code: -32050, message: "no luck" } },
      { code: -32050, message: "no luck" },
    ],
    [{ status: "cancelled" }, { data: { name: "upstream-broken" } }],
  ])("that end as %j end the call so", async (stands, error) => {
    const { world, page } = await older();
    world.upstream.answer = ({ frame }) => ({
      result:
        frame.method === "tools/call"
          ? { resultType: "task", taskId: "t", status: "working" }
          : { resultType: "complete", taskId: "t", ...stands },
    });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    await inTime(world, 1_000, () => page.got.some(({ id }) => id === 1));
    expect((await page.reply(1)).error).toMatchObject(error);
  });

  it("are cancelled at the server when the agent gives the call up", async () => {
    const { world, page, sent } = await older();
    world.upstream.answer = () => ({ result: { resultType: "task", taskId: "t", status: "working" } });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    await inTime(world, 1_000, () => sent("tasks/get").length > 0);
    page.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await until(() => sent("tasks/cancel").length === 1);
  });

  it("and results of a kind that navra does not know end the call", async () => {
    const { world, ask } = await older();
    world.upstream.answer = () => ({ result: { resultType: "surprise", content: [] } });
    expect((await ask("1", "tools/call", READ)).error).toMatchObject({ data: { name: "upstream-broken" } });
  });
});

describe("closing", () => {
  it("ends the calls of the channel at the server", async () => {
    const { page, world, sent } = await older();
    let closed = false;
    world.upstream.answer = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          closed = true;
          reject(signal.reason);
        });
      });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    await until(() => sent("tools/call").length === 1);
    page.close();
    await until(() => closed);
  });
});

describe("sessions of two older revisions", () => {
  it("meet where the server speaks only a newer one: the agent keeps its own", async () => {
    const upstream = createFakeServer("2025-11-25", [{ ...FILE_READ, title: "Read" }]);
    const { fetch } = upstream;
    Object.assign(upstream, {
      fetch: async (...asked: Parameters<typeof fetch>) => {
        const response = await fetch(...asked);
        const text = (await response.text()).replace(/"protocolVersion":"[^"]+"/, '"protocolVersion":"2025-11-25"');
        return new Response(text === "" ? null : text, { status: response.status, headers: response.headers });
      },
    });
    const world = await createWorld({ revision: "2025-11-25", upstream });
    const page = world.page();
    const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "o" } };
    page.send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    expect(await page.reply(1)).toMatchObject({ result: { protocolVersion: "2025-03-26" } });
    page.send({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    expect(JSON.stringify(await page.reply(2))).not.toContain("title");
    expect(upstream.received.at(-1)?.headers).toMatchObject({ "mcp-protocol-version": "2025-11-25" });
  });
});
