/** What servers ask agents, from the server's frame to the agent and back, in both eras. */
import { describe, expect, it } from "vitest";
import { createWorld, type FakePage, type FakeWorld, MODERN_META, SITE } from "../fakes/gateway.ts";
import { GITHUB_TOKEN } from "./inspect/samples.ts";
import { createOpenBody } from "./transports/fakes.ts";

const READ = { name: "file_read", arguments: { path: "/etc/hostname" } };
const FORM = { mode: "form", message: "Which colour?", requestedSchema: { type: "object", properties: {} } };
const SAMPLING = { messages: [{ role: "user", content: { type: "text", text: "hello" } }], maxTokens: 9 };

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !holds(); turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(holds()).toBe(true);
}

/** A page whose agent declared these capabilities, and a server that holds each call's stream open. */
async function talking(capabilities: unknown): Promise<{
  world: FakeWorld;
  page: FakePage;
  stream: ReturnType<typeof createOpenBody>;
  say: (frame: unknown) => void;
}> {
  const world = await createWorld();
  const page = world.page();
  page.send({
    jsonrpc: "2.0",
    id: "init",
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "t", version: "1" } },
  });
  await page.reply("init");
  const stream = createOpenBody();
  world.upstream.answer = () => ({ stream: stream.body });
  page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
  await until(() => world.upstream.received.some(({ frame }) => frame.method === "tools/call"));
  return {
    world,
    page,
    stream,
    say: (frame) => stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...(frame as object) })}\n\n`),
  };
}

function asked(page: FakePage, method: string): Record<string, unknown> | undefined {
  return page.got.find((frame) => frame.method === method);
}

/** What the server got for its request of this id. */
function replyFor(world: FakeWorld, id: unknown): Record<string, unknown> | undefined {
  const found = world.upstream.received.find(({ frame }) => frame.method === undefined && frame.id === id);
  return found && JSON.parse(found.text);
}

describe("a request of a server's in a session", () => {
  it("reaches an agent that declared it, under an id of ours, and its reply goes back under the server's", async () => {
    const { world, page, say } = await talking({ elicitation: {} });
    say({ id: "s-9", method: "elicitation/create", params: FORM });
    await until(() => asked(page, "elicitation/create") !== undefined);
    const request = asked(page, "elicitation/create");
    expect(request?.params).toEqual(FORM);
    expect(request?.id).not.toBe("s-9");
    page.send({ jsonrpc: "2.0", id: request?.id, result: { action: "accept", content: { colour: "red" } } });
    await until(() => replyFor(world, "s-9") !== undefined);
    expect(replyFor(world, "s-9")?.result).toEqual({ action: "accept", content: { colour: "red" } });
  });

  it("leaves a record of its own with its parent", async () => {
    const { world, page, say } = await talking({ elicitation: {} });
    say({ id: 5, method: "elicitation/create", params: FORM });
    await until(() => asked(page, "elicitation/create") !== undefined);
    page.send({ jsonrpc: "2.0", id: asked(page, "elicitation/create")?.id, result: { action: "decline" } });
    await until(() => {
      world.clock.advance(1);
      return world.tables.records.entries.some(({ direction }) => direction === "back");
    });
    const record = world.tables.records.entries.find(({ direction }) => direction === "back");
    expect(record).toMatchObject({ method: "elicitation/create", outcome: { kind: "answered", error: false } });
    expect(record?.parent).toBeTypeOf("string");
  });

  it("is unknown to an agent that did not declare it", async () => {
    const { world, page, say } = await talking({ sampling: {} });
    say({ id: 5, method: "elicitation/create", params: FORM });
    await until(() => replyFor(world, 5) !== undefined);
    expect(replyFor(world, 5)).toMatchObject({ error: { code: -32601 } });
    expect(asked(page, "elicitation/create")).toBeUndefined();
  });

  it("in URL mode needs that mode declared", async () => {
    const { world, say } = await talking({ elicitation: { form: {} } });
    say({ id: 5, method: "elicitation/create", params: { mode: "url", url: "https://x.example/", message: "m" } });
    await until(() => replyFor(world, 5) !== undefined);
    expect(replyFor(world, 5)).toMatchObject({ error: { code: -32601 } });
  });

  it("is a question to the person where its form asks for a secret", async () => {
    const { world, page, say } = await talking({ elicitation: {} });
    const requestedSchema = { type: "object", properties: { password: { type: "string" } } };
    say({ id: 5, method: "elicitation/create", params: { message: "Log in", requestedSchema } });
    await until(() => world.approvals().length === 1);
    expect(world.approvals()[0]).toMatchObject({ method: "elicitation/create", rules: ["default:secret-form"] });
    expect(asked(page, "elicitation/create")).toBeUndefined();
  });

  it("may bring tools for the model only where the agent declared that", async () => {
    const { say, world, page } = await talking({ sampling: {} });
    say({ id: 5, method: "sampling/createMessage", params: { ...SAMPLING, tools: [] } });
    await until(() => replyFor(world, 5) !== undefined);
    expect(replyFor(world, 5)).toMatchObject({ error: { code: -32601 } });
    expect(asked(page, "sampling/createMessage")).toBeUndefined();
    const other = await talking({ sampling: { tools: {} } });
    other.say({ id: 5, method: "sampling/createMessage", params: { ...SAMPLING, tools: [] } });
    await until(() => other.world.approvals().length === 1);
  });

  it("is declined politely where a rule denies it, without a word about the rule", async () => {
    const { world, page, say } = await talking({ elicitation: {} });
    await world.gateway.rules.save({
      id: "no-forms",
      verdict: "deny",
      priority: 0,
      on: ["request"],
      when: { method: ["elicitation/create"] },
      mode: "enforce",
    });
    say({ id: 5, method: "elicitation/create", params: FORM });
    await until(() => replyFor(world, 5) !== undefined);
    expect(replyFor(world, 5)).toEqual({ jsonrpc: "2.0", id: 5, result: { action: "decline" } });
    expect(asked(page, "elicitation/create")).toBeUndefined();
  });

  it("for the agent's model is shown to the person first, with its whole text", async () => {
    const { world, page, say } = await talking({ sampling: {} });
    say({ id: 5, method: "sampling/createMessage", params: SAMPLING });
    await until(() => world.approvals().length === 1);
    const [approval] = world.approvals();
    expect(approval).toMatchObject({ method: "sampling/createMessage", argumentsText: JSON.stringify(SAMPLING) });
    expect(asked(page, "sampling/createMessage")).toBeUndefined();
    if (approval) {
      await world.gateway.approvals.answer({
        id: approval.id,
        digest: approval.digest,
        answer: "allow",
        scope: "once",
      });
    }
    await until(() => asked(page, "sampling/createMessage") !== undefined);
  });

  it("is withdrawn from the agent when the server cancels it, and nothing answers it", async () => {
    const { world, page, say } = await talking({ elicitation: {} });
    say({ id: 5, method: "elicitation/create", params: FORM });
    await until(() => asked(page, "elicitation/create") !== undefined);
    say({ method: "notifications/cancelled", params: { requestId: 5 } });
    await until(() => asked(page, "notifications/cancelled") !== undefined);
    expect(asked(page, "notifications/cancelled")?.params).toEqual({
      requestId: asked(page, "elicitation/create")?.id,
    });
    expect(replyFor(world, 5)).toBeUndefined();
  });

  it("ends with the call it belongs to", async () => {
    const { world, page, say } = await talking({ elicitation: {} });
    say({ id: 5, method: "elicitation/create", params: FORM });
    await until(() => asked(page, "elicitation/create") !== undefined);
    const upId = world.upstream.received.find(({ frame }) => frame.method === "tools/call")?.frame.id;
    say({ id: upId, result: { content: [] } });
    await page.reply(1);
    await until(() => asked(page, "notifications/cancelled") !== undefined);
  });

  it("raises the session's labels when it is delivered", async () => {
    const { world, page, say } = await talking({ elicitation: {} });
    await world.gateway.registry.update(world.server.id, { trust: "untrusted" });
    page.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: READ });
    say({ id: 5, method: "elicitation/create", params: FORM });
    await until(() => asked(page, "elicitation/create") !== undefined);
    const key = JSON.stringify([SITE.origin, SITE.topSite, SITE.cookieStore, SITE.private]);
    expect(world.gateway.labels.of(key).sources).toContain(world.server.id);
  });

  it("loses what a rule wants removed before the agent sees it", async () => {
    const { world, page, say } = await talking({ elicitation: {} });
    await world.gateway.rules.save({
      id: "no-keys",
      verdict: "allow",
      priority: 0,
      on: ["request"],
      when: { method: ["elicitation/create"] },
      do: { redact: ["secret"] },
      mode: "enforce",
    });
    say({ id: 5, method: "elicitation/create", params: { ...FORM, message: `Is ${GITHUB_TOKEN} yours?` } });
    await until(() => asked(page, "elicitation/create") !== undefined);
    expect(JSON.stringify(asked(page, "elicitation/create"))).not.toContain(GITHUB_TOKEN);
  });

  it("counts a reply for an id that is not open as no message at all", async () => {
    const { world, page, say } = await talking({ elicitation: {} });
    say({ id: 5, method: "elicitation/create", params: FORM });
    await until(() => asked(page, "elicitation/create") !== undefined);
    page.send({ jsonrpc: "2.0", id: 5, result: { action: "accept" } });
    page.send({ jsonrpc: "2.0", id: "x", result: { action: "accept" } });
    await new Promise((resolve) => setImmediate(resolve));
    expect(replyFor(world, 5)).toBeUndefined();
  });
});

describe("what navra declares to a server", () => {
  it("is what the agent declared and navra carries, no more", async () => {
    const { world } = await talking({
      elicitation: { form: {}, url: {}, telepathy: {} },
      sampling: {},
      roots: { listChanged: true },
      experimental: { x: {} },
      extensions: { "io.modelcontextprotocol/ui": {}, "com.example/other": {} },
    });
    const initialize = world.upstream.received.find(({ frame }) => frame.method === "initialize");
    expect(initialize?.frame.params?.capabilities).toEqual({
      elicitation: { form: {}, url: {} },
      sampling: {},
      roots: {},
      extensions: { "io.modelcontextprotocol/ui": {} },
    });
  });

  it("keeps a session for each set of capabilities, so that no agent is asked what another declared", async () => {
    const { world } = await talking({ elicitation: {} });
    const plain = world.page({ channel: "c2" });
    await plain.initialize("2025-11-25");
    const declared = world.upstream.received
      .filter(({ frame }) => frame.method === "initialize")
      .map(({ frame }) => frame.params?.capabilities);
    expect(declared).toEqual([{ elicitation: {} }, {}]);
  });

  it("follows each request of 2026-07-28", async () => {
    const world = await createWorld({ revision: "2026-07-28" });
    const page = world.page();
    const key = "io.modelcontextprotocol/clientCapabilities";
    for (const [id, declared] of [
      [1, { elicitation: { form: {} }, extensions: { a: {} } }],
      [2, {}],
    ] as const) {
      const params = { ...READ, _meta: { ...MODERN_META, [key]: declared } };
      page.send({ jsonrpc: "2.0", id, method: "tools/call", params });
      await page.reply(id);
    }
    const sent = world.upstream.received.map(
      ({ frame }) => (frame.params?._meta as Record<string, unknown> | undefined)?.[key],
    );
    expect(sent).toEqual([{ elicitation: { form: {} } }, {}]);
  });
});

describe("input that a server of 2026-07-28 requires", () => {
  const STATE = "opaque \u00e9 state";
  const KEY = "io.modelcontextprotocol/clientCapabilities";
  const META = { ...MODERN_META, [KEY]: { elicitation: { form: {} } } };

  async function modern(inputRequests: unknown, requestState: string | undefined = STATE) {
    const world = await createWorld({ revision: "2026-07-28" });
    const page = world.page();
    world.upstream.answer = ({ frame }) =>
      frame.params?.inputResponses || frame.params?.again
        ? { result: { resultType: "complete", content: [] } }
        : { result: { resultType: "input_required", inputRequests, requestState } };
    return { world, page };
  }

  async function send(page: FakePage, id: number, params: object = {}) {
    page.send({ jsonrpc: "2.0", id, method: "tools/call", params: { ...READ, ...params, _meta: META } });
    return (await page.reply(id)) as { result?: Record<string, unknown>; error?: { code: number } };
  }

  const forms = { colour: { method: "elicitation/create", params: FORM } };

  it("reaches the agent with a handle in the state's place, and the server gets its own state back byte for byte", async () => {
    const { world, page } = await modern(forms);
    const first = await send(page, 1);
    expect(first.result).toMatchObject({ resultType: "input_required", inputRequests: forms });
    expect(first.result?.requestState).not.toBe(STATE);
    const inputResponses = { colour: { action: "accept", content: {} } };
    expect(await send(page, 2, { inputResponses, requestState: first.result?.requestState })).toMatchObject({
      result: { resultType: "complete" },
    });
    expect(world.upstream.received.at(-1)?.frame.params).toMatchObject({ inputResponses, requestState: STATE });
  });

  it("is judged and recorded as a request of the server's", async () => {
    const { world, page } = await modern(forms);
    await send(page, 1);
    await until(() => {
      world.clock.advance(1);
      return world.tables.records.entries.some(({ direction }) => direction === "back");
    });
    expect(world.tables.records.entries.find(({ direction }) => direction === "back")).toMatchObject({
      method: "elicitation/create",
      outcome: { kind: "answered" },
    });
  });

  it("takes no handle twice, changed, for other arguments, from another site, or after its time", async () => {
    const { world, page } = await modern(forms);
    const inputResponses = { colour: { action: "cancel" } };
    const handle = async (id: number) => (await send(page, id)).result?.requestState as string;
    const bad = { error: { code: -32602 } };

    const once = await handle(1);
    await send(page, 2, { inputResponses, requestState: once });
    expect(await send(page, 3, { inputResponses, requestState: once })).toMatchObject(bad);

    const next = await handle(4);
    expect(await send(page, 5, { inputResponses, requestState: `${next}x` })).toMatchObject(bad);
    expect(
      await send(page, 6, { inputResponses, requestState: next, arguments: { path: "/etc/shadow" } }),
    ).toMatchObject(bad);

    const other = { ...SITE, origin: "https://other.example", topSite: "https://other.example" };
    await world.gateway.connector.connect(other, world.server.id, ["file_read"]);
    const stranger = world.page({ principal: other, channel: "s" });
    expect(await send(stranger, 7, { inputResponses, requestState: next })).toMatchObject(bad);

    world.clock.advance(31 * 60_000);
    expect(await send(page, 8, { inputResponses, requestState: next })).toMatchObject(bad);
  });

  it("outlives the worker", async () => {
    const { world, page } = await modern(forms);
    const requestState = (await send(page, 1)).result?.requestState;
    const reborn = await world.reborn();
    const answer = await send(reborn.page(), 2, { inputResponses: { colour: { action: "cancel" } }, requestState });
    expect(answer).toMatchObject({ result: { resultType: "complete" } });
  });

  it("never shows the agent what a rule denies, and declines it for the agent", async () => {
    const { world, page } = await modern({ ...forms, other: { method: "elicitation/create", params: FORM } });
    await world.gateway.rules.save({
      id: "no-forms",
      verdict: "deny",
      priority: 0,
      on: ["request"],
      when: { method: ["elicitation/create"] },
      mode: "enforce",
    });
    const first = await send(page, 1);
    expect(first.result?.inputRequests).toEqual({});
    await send(page, 2, { requestState: first.result?.requestState });
    expect(world.upstream.received.at(-1)?.frame.params).toMatchObject({
      inputResponses: { colour: { action: "decline" }, other: { action: "decline" } },
      requestState: STATE,
    });
  });

  it("ends the call where it asks for what the agent did not declare", async () => {
    const { page } = await modern({ s: { method: "sampling/createMessage", params: SAMPLING } });
    expect(await send(page, 1)).toMatchObject({ error: { data: { name: "withheld" } } });
  });

  it("brings no state where the server gave none", async () => {
    const world = await createWorld({ revision: "2026-07-28" });
    const page = world.page();
    world.upstream.answer = () => ({ result: { resultType: "input_required", inputRequests: forms } });
    expect((await send(page, 1)).result).not.toHaveProperty("requestState");
  });

  it("is a fault where the method has none", async () => {
    const { page } = await modern(forms);
    page.send({ jsonrpc: "2.0", id: 1, method: "resources/list", params: { _meta: META } });
    expect(await page.reply(1)).toMatchObject({ error: { data: { name: "upstream-broken" } } });
  });
});
