/** One call from frame to record, with everything real but the ports. */
import { describe, expect, it } from "vitest";
import { createWorld, type FakePage, type FakeWorld, MODERN_META, PLACE, SITE } from "../fakes/gateway.ts";

const READ = { name: "file_read", arguments: { path: "/etc/hostname" } };

function call(page: FakePage, id: unknown, params: unknown = READ): Promise<Record<string, unknown>> {
  page.send({ jsonrpc: "2.0", id, method: "tools/call", params });
  return page.reply(id);
}

async function connected(
  options: Parameters<typeof createWorld>[0] = {},
): Promise<{ world: FakeWorld; page: FakePage }> {
  const world = await createWorld(options);
  const page = world.page();
  await page.initialize(options.revision ?? "2025-11-25");
  return { world, page };
}

async function settled(world: FakeWorld): Promise<void> {
  await tick();
  await world.gateway.records.flush();
}

/** Lets everything that is ready run. */
function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !holds(); turn++) await tick();
  expect(holds()).toBe(true);
}

describe("a call that policy allows", () => {
  it("reaches the server and comes back with its own id", async () => {
    const { page } = await connected();
    expect(await call(page, 42)).toMatchObject({ id: 42, result: { content: [{ text: "desktop" }] } });
  });

  it("keeps key order and number spelling of what the agent wrote", async () => {
    const { world, page } = await connected();
    page.send(
      '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"file_read","arguments":{"z":1e2,"path":"a","n":9007199254740993}}}',
    );
    await page.reply(5);
    expect(world.upstream.received.at(-1)?.text).toContain('"arguments":{"z":1e2,"path":"a","n":9007199254740993}');
  });

  it("leaves one record with its stages in order", async () => {
    const { world, page } = await connected();
    await call(page, 1);
    await settled(world);
    const records = world.tables.records.entries.filter(({ method }) => method === "tools/call");
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      tool: "file_read",
      outcome: { kind: "answered", error: false },
      serverName: "files",
    });
    expect(records[0]?.stages.map(({ stage }) => stage)).toEqual([
      "admit",
      "resolve",
      "pin",
      "inspect",
      "label",
      "decide",
      "redact",
      "consent",
      "forward",
      "inspect",
      "pin",
      "label",
      "decide",
      "redact",
      "consent",
      "deliver",
    ]);
    world.clock.advance(1_000);
    await tick();
    expect(world.tables.journal.rows.size).toBe(0);
  });

  it("carries 2026-07-28 with its headers and its reply byte for byte", async () => {
    const world = await createWorld({ revision: "2026-07-28" });
    const page = world.page();
    page.send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { ...READ, _meta: MODERN_META } });
    expect(await page.reply(7)).toMatchObject({ result: { resultType: "complete" } });
    expect(world.upstream.received.at(-1)?.headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "file_read",
    });
  });
});

describe("who may connect", () => {
  it("answers an unknown server, an unconnected one and a switched-off one alike, without upstream work", async () => {
    const { world } = await connected();
    world.upstream.received.length = 0;
    const stranger = { ...SITE, origin: "https://other.example", topSite: "https://other.example" };
    const answers = [];
    for (const page of [
      world.page({ server: "nowhere", channel: "a" }),
      world.page({ principal: stranger, channel: "b" }),
    ]) {
      page.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25" } });
      answers.push(await page.reply(1));
    }
    await world.gateway.registry.update(world.server.id, { enabled: false });
    const off = world.page({ channel: "c" });
    off.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25" } });
    answers.push(await off.reply(1));
    expect(answers[0]).toMatchObject({ error: { code: -31009 } });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(world.upstream.received).toEqual([]);
  });

  it("does not let a grant of the top-level site hold in another site's frame", async () => {
    const { world } = await connected();
    const page = world.page({ principal: { ...SITE, topSite: "https://around.example" }, channel: "f" });
    page.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25" } });
    expect(await page.reply(1)).toMatchObject({ error: { data: { name: "not-connected" } } });
  });

  it("shows only ticked tools, and an unticked one looks like one that does not exist", async () => {
    const upstream = (await createWorld()).upstream;
    upstream.tools = [...upstream.tools, { name: "file_delete", description: "", inputSchema: { type: "object" } }];
    const { page } = await connected({ upstream, ticked: ["file_read"] });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const { result } = (await page.reply(1)) as { result: { tools: { name: string }[] } };
    expect(result.tools.map(({ name }) => name)).toEqual(["file_read"]);
    const hidden = await call(page, 2, { name: "file_delete", arguments: {} });
    const unknown = await call(page, 3, { name: "file_explode", arguments: {} });
    expect(hidden).toMatchObject({ error: { code: -32602 } });
    expect(unknown.error).toEqual(hidden.error);
  });
});

describe("a rule", () => {
  const rule = {
    id: "no-read",
    priority: 10,
    on: ["request" as const],
    mode: "enforce" as const,
    when: { tool: ["file_read"] },
  };

  it("that denies stops the next call with a sentence the model can act on, and nothing is sent", async () => {
    const { world, page } = await connected();
    await call(page, 1);
    const before = world.upstream.received.length;
    await world.gateway.rules.save({ ...rule, verdict: "deny" });
    const refused = await call(page, 2);
    expect(refused).toMatchObject({
      result: { isError: true, _meta: { "io.github.navra/refusal": { name: "denied", retry: "no" } } },
    });
    expect(JSON.stringify(refused)).not.toContain("no-read");
    expect(world.upstream.received).toHaveLength(before);
    await settled(world);
    expect(world.tables.records.entries.at(-1)).toMatchObject({
      outcome: { kind: "refused", name: "denied", stage: "decide" },
    });
  });

  it("that redacts replaces the secret before anything leaves, everywhere in the arguments", async () => {
    const { world, page } = await connected();
    await world.gateway.rules.save({ ...rule, verdict: "allow", do: { redact: ["secret"] } });
    const token = ["ghp", "x7Kq2mZpR4vT9wLs0dYh3NbC6fJg1aUe8iOk"].join("_");
    await call(page, 1, { name: "file_read", arguments: { path: `/x/${token}` } });
    const sent = world.upstream.received.at(-1)?.text ?? "";
    expect(sent).not.toContain(token);
    expect(sent).toContain("removed by navra");
    await settled(world);
    expect(JSON.stringify(world.tables.records.entries)).not.toContain(token);
  });

  it("on replies withholds by name, after the send, as an error", async () => {
    const { world, page } = await connected();
    await world.gateway.rules.save({ ...rule, on: ["reply"], verdict: "deny" });
    expect(await call(page, 1)).toMatchObject({ error: { data: { name: "withheld" } } });
  });
});

describe("an ask", () => {
  it("waits for the person and sends once they allow", async () => {
    const { world, page } = await connected({ trust: "untrusted" });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    await until(() => world.approvals().length === 1);
    const sentBefore = world.upstream.received.some(({ frame }) => frame.method === "tools/call");
    const [approval] = world.approvals();
    expect(approval).toMatchObject({
      kind: "call",
      tool: "file_read",
      argumentsText: '{"path":"/etc/hostname"}',
      live: true,
    });
    if (!approval) return;
    await world.gateway.approvals.answer({ id: approval.id, digest: approval.digest, answer: "allow", scope: "once" });
    expect(await page.reply(1)).toMatchObject({ result: { content: [{ text: "desktop" }] } });
    expect(sentBefore).toBe(false);
  });

  it("answered with no refuses, and an answer for another digest counts for nothing", async () => {
    const { world, page } = await connected({ trust: "untrusted" });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    await until(() => world.approvals().length === 1);
    const { id = "", digest = "" } = world.approvals()[0] ?? {};
    expect(await world.gateway.approvals.answer({ id, digest: "0", answer: "allow", scope: "once" })).toBe("changed");
    expect(await world.gateway.approvals.answer({ id, digest, answer: "deny", scope: "once" })).toBe("done");
    expect(await page.reply(1)).toMatchObject({ result: { isError: true } });
    expect(await world.gateway.approvals.answer({ id, digest, answer: "allow", scope: "once" })).toBe("gone");
    expect(world.upstream.received.some(({ frame }) => frame.method === "tools/call")).toBe(false);
  });

  it("that nobody answers is refused after two minutes", async () => {
    const { world, page } = await connected({ trust: "untrusted" });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    await until(() => world.approvals().length === 1);
    world.clock.advance(120_000);
    expect(await page.reply(1)).toMatchObject({
      result: { _meta: { "io.github.navra/refusal": { name: "not-answered" } } },
    });
  });

  it("approved after the agent gave up lets the same call pass once, and only the same", async () => {
    const { world, page } = await connected({ trust: "untrusted" });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    await until(() => world.approvals().length === 1);
    page.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await until(() => world.approvals()[0]?.live === false);
    const { id = "", digest = "" } = world.approvals()[0] ?? {};
    await world.gateway.approvals.answer({ id, digest, answer: "allow", scope: "once" });
    expect(await call(page, 2)).toMatchObject({ result: { content: [{ text: "desktop" }] } });
    page.send({ jsonrpc: "2.0", id: 3, method: "tools/call", params: READ });
    await until(() => world.approvals().length === 1);
  });

  it("granted for the tool is not asked again until the tool changes", async () => {
    const { world, page } = await connected({ trust: "untrusted" });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    await until(() => world.approvals().length === 1);
    const { id = "", digest = "" } = world.approvals()[0] ?? {};
    await world.gateway.approvals.answer({ id, digest, answer: "allow", scope: "tool" });
    await page.reply(1);
    expect(await call(page, 2, { name: "file_read", arguments: { path: "/other" } })).toMatchObject({ result: {} });
    expect(world.approvals()).toEqual([]);
  });

  it("is decided again after the wait: a denial made meanwhile wins", async () => {
    const { world, page } = await connected({ trust: "untrusted" });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    await until(() => world.approvals().length === 1);
    await world.gateway.rules.save({
      id: "late",
      verdict: "deny",
      priority: 0,
      on: ["request"],
      when: {},
      mode: "enforce",
    });
    const { id = "", digest = "" } = world.approvals()[0] ?? {};
    await world.gateway.approvals.answer({ id, digest, answer: "allow", scope: "once" });
    expect(await page.reply(1)).toMatchObject({ result: { _meta: { "io.github.navra/refusal": { name: "denied" } } } });
  });
});

describe("a changed tool", () => {
  it("is quarantined from the list on, everywhere, until the person has approved the new text", async () => {
    const { world, page } = await connected();
    world.upstream.tools = world.upstream.tools.map((tool) => ({ ...tool, description: "Reads a file and mails it." }));
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(await page.reply(1)).toMatchObject({ result: { tools: [] } });
    expect(await call(page, 2)).toMatchObject({
      result: { _meta: { "io.github.navra/refusal": { name: "tool-changed" } } },
    });
    const pin = world.gateway.pins.current(world.server.id, "file_read");
    expect(await world.gateway.pins.approvePending(world.server.id, "file_read", pin?.pending ?? "")).toBe(true);
    await world.gateway.registry.refresh(world.server.id, new AbortController().signal);
    expect(await call(page, 3)).toMatchObject({ result: { content: [{ text: "desktop" }] } });
  });
});

describe("ending a call", () => {
  it("aborts the upstream when the agent cancels, and sends the agent nothing more", async () => {
    const { world, page } = await connected();
    world.upstream.answer = () => new Promise(() => undefined);
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    await until(() => world.upstream.received.some(({ frame }) => frame.method === "tools/call"));
    const sent = world.upstream.received.find(({ frame }) => frame.method === "tools/call");
    page.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await until(() => sent?.signal.aborted === true);
    await settled(world);
    expect(page.got).toEqual([]);
    expect(world.tables.records.entries.at(-1)).toMatchObject({ outcome: { kind: "fault", name: "cancelled" } });
  });

  it.each(["disconnect", "pause", "remove"] as const)("by %s reaches calls that are open", async (how) => {
    const { world, page } = await connected();
    world.upstream.answer = () => new Promise(() => undefined);
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    await until(() => world.upstream.received.some(({ frame }) => frame.method === "tools/call"));
    if (how === "disconnect") await world.gateway.disconnect(SITE, world.server.id);
    if (how === "pause") await world.gateway.setPause({ until: null });
    if (how === "remove") await world.gateway.removeServer(world.server.id);
    expect(await page.reply(1)).toMatchObject({ error: { code: -32001, data: { name: "cancelled" } } });
  });

  it("while paused refuses at once and lets pass again afterwards", async () => {
    const { world, page } = await connected();
    await world.gateway.setPause({ until: world.clock.now() + 60_000 });
    expect(await call(page, 1)).toMatchObject({ result: { _meta: { "io.github.navra/refusal": { name: "paused" } } } });
    world.clock.advance(60_001);
    expect(await call(page, 2)).toMatchObject({ result: { content: [{ text: "desktop" }] } });
  });
});

describe("the worker's death", () => {
  it("ends a sent call as unknown and an unsent one as not-sent, tells the agent when it comes back, and records each once", async () => {
    const { world, page } = await connected({ trust: "untrusted" });
    world.upstream.answer = () => new Promise(() => undefined);
    page.send({ jsonrpc: "2.0", id: "sent", method: "tools/call", params: READ });
    await until(() => world.approvals().length === 1);
    const { id = "", digest = "" } = world.approvals()[0] ?? {};
    await world.gateway.approvals.answer({ id, digest, answer: "allow", scope: "once" });
    await until(() => [...world.tables.journal.rows.values()].some(({ phase }) => phase === "sent"));
    page.send({ jsonrpc: "2.0", id: "waiting", method: "tools/call", params: READ });
    await until(() => world.approvals().length === 1 && world.tables.journal.rows.size === 2);

    const next = await world.reborn();
    const back = next.page();
    expect(await back.reply("sent")).toMatchObject({ error: { data: { name: "unknown", retry: "check" } } });
    expect(await back.reply("waiting")).toMatchObject({ error: { data: { name: "not-sent", retry: "safe" } } });
    await settled(next);
    const outcomes = next.tables.records.entries.map(({ outcome }) =>
      "name" in outcome ? outcome.name : outcome.kind,
    );
    expect(outcomes.filter((name) => name === "unknown" || name === "not-sent").sort()).toEqual([
      "not-sent",
      "unknown",
    ]);
    expect(next.tables.journal.rows.size).toBe(0);
  });

  it("answers what never reached the old worker as not sent, and nothing twice", async () => {
    const { world, page } = await connected();
    world.upstream.answer = () => new Promise(() => undefined);
    page.send({ jsonrpc: "2.0", id: "sent", method: "tools/call", params: READ });
    await until(() => [...world.tables.journal.rows.values()].some(({ phase }) => phase === "sent"));
    const next = await world.reborn();
    const back = next.page();
    next.upstream.answer = () => new Promise(() => undefined);
    back.send({ jsonrpc: "2.0", id: "new", method: "tools/call", params: READ });
    const requestIds = ["sent", "lost on the way", "new", null, {}];
    back.send({ jsonrpc: "2.0", method: "notifications/io.github.navra/resumed", params: { requestIds } });
    expect(await back.reply("lost on the way")).toMatchObject({ error: { data: { name: "not-sent", retry: "safe" } } });
    expect(back.got.map(({ id }) => id)).toEqual(["sent", "lost on the way"]);
  });

  it("does not let a call that its page left be sent again: the next worker knows it was sent", async () => {
    const { world, page } = await connected();
    world.upstream.answer = () => new Promise(() => undefined);
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    await until(() => [...world.tables.journal.rows.values()].some(({ phase }) => phase === "sent"));
    page.close();
    await settled(world);
    world.clock.advance(1_000);
    await tick();
    const next = await world.reborn();
    const back = next.page();
    back.send({ jsonrpc: "2.0", method: "notifications/io.github.navra/resumed", params: { requestIds: [1] } });
    expect(await back.reply(1)).toMatchObject({ error: { data: { name: "unknown", retry: "check" } } });
    expect(next.tables.records.entries.filter(({ method }) => method === "tools/call")).toHaveLength(1);
  });

  it("leaves a private window's call unknown, since nothing of it was written down", async () => {
    const { world } = await connected();
    const page = world.page({ principal: { ...SITE, private: true }, channel: "p" });
    page.send({ jsonrpc: "2.0", method: "notifications/io.github.navra/resumed", params: { requestIds: [7] } });
    expect(await page.reply(7)).toMatchObject({ error: { data: { name: "unknown", retry: "check" } } });
  });

  it("keeps the session, the waiting approval, and what a late answer is good for", async () => {
    const { world, page } = await connected({ trust: "untrusted" });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    await until(() => world.tables.approvals.rows.size === 1);
    const next = await world.reborn();
    const [approval] = next.approvals();
    expect(approval).toMatchObject({ kind: "call", live: false });
    await next.gateway.approvals.answer({
      id: approval?.id ?? "",
      digest: approval?.digest ?? "",
      answer: "allow",
      scope: "once",
    });
    const back = next.page();
    expect(await call(back, 2)).toMatchObject({ result: { content: [{ text: "desktop" }] } });
  });
});

describe("a private window", () => {
  it("leaves nothing in any table", async () => {
    const world = await createWorld();
    const principal = { ...SITE, private: true };
    await world.gateway.connector.connect(principal, world.server.id, ["file_read"]);
    const before = Object.values(world.tables).map((table) => ("rows" in table ? table.rows.size : 0));
    const page = world.page({ principal, channel: "p", place: { ...PLACE, documentId: "private-doc" } });
    await page.initialize("2025-11-25");
    await call(page, 1);
    await settled(world);
    expect(Object.values(world.tables).map((table) => ("rows" in table ? table.rows.size : 0))).toEqual(before);
    expect(world.tables.records.entries.filter((entry) => entry.principal.private)).toEqual([]);
  });
});

describe("what is judged", () => {
  it("is all that is sent: members of the frame that are no JSON-RPC stay behind", async () => {
    const { world, page } = await connected();
    page.send({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: READ,
      smuggled: "ghp_x7Kq2mZpR4vT9wLs0dYh3NbC6fJg1aUe8iOk",
    });
    await page.reply(1);
    expect(world.upstream.received.at(-1)?.text).not.toContain("smuggled");
  });

  it("is all that is shown: what travels beside a tool's arguments is in the question", async () => {
    const { world, page } = await connected({ trust: "untrusted" });
    const params = { ...READ, _meta: { progressToken: 1, "example.org/note": "carry me" } };
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    await until(() => world.approvals().length === 1);
    const [approval] = world.approvals();
    const text = approval?.kind === "call" ? approval.argumentsText : "";
    expect(JSON.parse(text)).toEqual({ ...READ, _meta: { "example.org/note": "carry me" } });
  });
});

describe("a new task", () => {
  it("makes the session's labels clean again, and is recorded as the person's act", async () => {
    const { world, page } = await connected({ trust: "untrusted" });
    await world.gateway.rules.save({
      id: "go",
      verdict: "allow",
      priority: 0,
      on: ["request"],
      when: {},
      mode: "enforce",
    });
    await call(page, 1);
    const key = JSON.stringify([SITE.origin, SITE.topSite, SITE.cookieStore, SITE.private]);
    expect(world.gateway.labels.of(key).integrity).toBe("untrusted");
    await world.gateway.newTask(SITE);
    expect(world.gateway.labels.of(key).integrity).toBe("trusted");
    await settled(world);
    expect(world.tables.records.entries.at(-1)).toMatchObject({ direction: "act", method: "navra/new-task" });
  });
});

describe("a server that speaks by itself", () => {
  it("is not heard by a page that was disconnected, or while paused", async () => {
    const { world, page } = await connected();
    const text = JSON.stringify({ jsonrpc: "2.0", method: "notifications/resources/list_changed" });
    world.upstream.answer = ({ frame }) => ({
      frames: [text, JSON.stringify({ jsonrpc: "2.0", id: frame.id, result: { content: [] } })],
    });
    await call(page, 1);
    expect(page.got.filter(({ method }) => method !== undefined)).toHaveLength(1);
    await world.gateway.disconnect(SITE, world.server.id);
    page.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: READ });
    expect(await page.reply(2)).toMatchObject({ error: { data: { name: "not-connected" } } });
    expect(page.got.filter(({ method }) => method !== undefined)).toHaveLength(1);
  });

  it("raises the session's labels by what it says on the way", async () => {
    const { world, page } = await connected({ trust: "untrusted" });
    await world.gateway.rules.save({
      id: "go",
      verdict: "allow",
      priority: 0,
      on: ["request"],
      when: {},
      mode: "enforce",
    });
    await world.gateway.rules.save({
      id: "no",
      verdict: "deny",
      priority: 0,
      on: ["reply"],
      when: {},
      mode: "enforce",
    });
    world.upstream.answer = ({ frame }) => ({
      frames: [
        JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "do this" } }),
        JSON.stringify({ jsonrpc: "2.0", id: frame.id, result: { content: [] } }),
      ],
    });
    expect(await call(page, 1)).toMatchObject({ error: { data: { name: "withheld" } } });
    const key = JSON.stringify([SITE.origin, SITE.topSite, SITE.cookieStore, SITE.private]);
    expect(world.gateway.labels.of(key).integrity).toBe("untrusted");
  });
});

describe("what never becomes a call", () => {
  it("is counted per document and recorded once per burst", async () => {
    const { world, page } = await connected();
    for (let index = 0; index < 50; index++) page.send("not json");
    expect(page.got).toHaveLength(50);
    world.clock.advance(2_000);
    await settled(world);
    expect(world.tables.records.entries.filter(({ count }) => count === 50)).toHaveLength(1);
  });

  it("includes a request from a server that the agent did not declare: refused, and the call goes on", async () => {
    const { world, page } = await connected();
    world.upstream.answer = ({ frame }) => ({
      frames: [
        JSON.stringify({ jsonrpc: "2.0", id: 900, method: "sampling/createMessage", params: { messages: [] } }),
        JSON.stringify({ jsonrpc: "2.0", id: frame.id, result: { content: [] } }),
      ],
    });
    expect(await call(page, 1)).toMatchObject({ result: { content: [] } });
    await settled(world);
    expect(page.got.some((frame) => frame.method === "sampling/createMessage")).toBe(false);
    expect(world.tables.records.entries.find(({ direction }) => direction === "back")).toMatchObject({
      method: "sampling/createMessage",
      outcome: { kind: "fault", name: "method-not-found", stage: "resolve" },
    });
  });
});
