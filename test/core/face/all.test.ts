/** All servers of a site as one: what an agent sees of two real sessions through one channel, and what each server hears. */
import { describe, expect, it } from "vitest";
import { type Revision, vocabularyOf } from "../../../src/core/mcp/revision.ts";
import { createWorld, type FakePage, type FakeWorld, MODERN_META, SITE } from "../../fakes/gateway.ts";
import { createFakeServer, type FakeServer, FILE_READ } from "../../fakes/server.ts";
import { createOpenBody } from "../transports/fakes.ts";

const META = "io.modelcontextprotocol/";
const SUBSCRIPTION = `${META}subscriptionId`;
const ABSENT = "io.github.navra/absent";
const LONG = `look_up_${"x".repeat(80)}`;
const CAPABLE = { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, logging: {} };

interface Both {
  readonly world: FakeWorld;
  readonly page: FakePage;
  readonly files: FakeServer;
  readonly mail: FakeServer;
  readonly mailId: string;
  ask(id: unknown, method: string, params?: object): Promise<Record<string, unknown>>;
}

/** The person's servers `files` and `mail`; a list of a server is what stands under its method's member here. */
interface Lists {
  readonly [method: string]: readonly object[];
}

const FILES: Lists = {
  "resources/list": [
    { uri: "file:///a", name: "a" },
    { uri: "shared:x", name: "of files" },
  ],
  "resources/templates/list": [{ uriTemplate: "file:///{path}", name: "any" }],
  "prompts/list": [{ name: "summary" }],
};
const MAIL: Lists = {
  "resources/list": [
    { uri: "mail:1", name: "one" },
    { uri: "shared:x", name: "of mail" },
  ],
  "resources/templates/list": [{ uriTemplate: "mail:{id}", name: "any" }],
  "prompts/list": [{ name: "summary" }, { name: LONG }],
};

function listing(lists: Lists): FakeServer["answer"] {
  return ({ frame }) => {
    const items = lists[frame.method];
    const member = frame.method === "resources/templates/list" ? "resourceTemplates" : frame.method.split("/")[0];
    if (items) return { result: { resultType: "complete", [member ?? ""]: items } };
    return {
      result: { resultType: "complete", content: [{ type: "text", text: "done" }], messages: [], contents: [] },
    };
  };
}

interface Eras {
  readonly files?: Revision;
  readonly mail?: Revision;
  readonly agent?: Revision;
}

type Servers = Pick<Both, "files" | "mail">;

async function both(eras: Eras = {}, prepare: (servers: Servers) => void = () => undefined): Promise<Both> {
  const { files: first = "2025-11-25", mail: second = "2025-11-25", agent = "2025-11-25" } = eras;
  const files = createFakeServer(first);
  const mail = createFakeServer(second, [
    { ...FILE_READ, name: "send" },
    { ...FILE_READ, name: LONG },
  ]);
  Object.assign(files, { capabilities: CAPABLE, answer: listing(FILES) });
  Object.assign(mail, { capabilities: { ...CAPABLE, completions: {} }, answer: listing(MAIL) });
  const ofFiles = files.fetch;
  const upstream = Object.assign(files, {
    fetch: (...asked: Parameters<FakeServer["fetch"]>) => (asked[0].endsWith("/mail") ? mail.fetch : ofFiles)(...asked),
  });
  const world = await createWorld({ revision: first, upstream });
  const { id: mailId } = await world.gateway.registry.add({
    name: "mail",
    url: "http://127.0.0.1:9/mail",
    trust: "trusted",
  });
  await world.gateway.registry.refresh(mailId, new AbortController().signal);
  await world.gateway.connector.connect(SITE, mailId, ["send", LONG]);
  for (const server of [files, mail]) server.received.length = 0;
  prepare({ files, mail });
  const page = world.page({ server: "*" });
  const modern = agent === "2026-07-28";
  const ask: Both["ask"] = (asked, method, params = {}) => {
    page.send({ jsonrpc: "2.0", id: asked, method, params: { ...(modern && { _meta: MODERN_META }), ...params } });
    return page.reply(asked);
  };
  if (!modern) await page.initialize(agent);
  return { world, page, files, mail, mailId, ask };
}

function reached(server: FakeServer, method: string): unknown[] {
  return server.received.filter(({ frame }) => frame.method === method).map(({ frame }) => frame.params);
}

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !holds(); turn++) await new Promise(setImmediate);
  expect(holds()).toBe(true);
}

async function namesOf(ask: Both["ask"], method: string, member: string): Promise<string[]> {
  const { result } = (await ask(`list ${method}`, method)) as { result: Record<string, { name: string }[]> };
  return (result[member] ?? []).map(({ name }) => name);
}

const ERAS = [
  { files: "2025-11-25", mail: "2025-11-25", agent: "2025-11-25" },
  { files: "2026-07-28", mail: "2025-11-25", agent: "2025-11-25" },
  { files: "2026-07-28", mail: "2025-11-25", agent: "2026-07-28" },
  { files: "2026-07-28", mail: "2026-07-28", agent: "2026-07-28" },
] as const;

describe.each(ERAS)("All servers as one, files $files, mail $mail, agent $agent", (eras) => {
  it("opens with navra's name and what at least one of them can do", async () => {
    const { ask, page } = await both(eras);
    const opened = await (eras.agent === "2026-07-28"
      ? ask(1, "server/discover")
      : ask(1, "initialize", { protocolVersion: eras.agent, capabilities: {}, clientInfo: { name: "a" } }));
    expect(opened.result).toMatchObject({ capabilities: { ...CAPABLE, completions: {} } });
    expect(JSON.stringify(opened.result)).toContain('"name":"navra"');
    expect(JSON.stringify(opened.result)).not.toContain("instructions");
    page.close();
  });

  it("lists the tools of both, in the order of the servers' names, in names that models take", async () => {
    const { ask } = await both(eras);
    const names = await namesOf(ask, "tools/list", "tools");
    expect(names).toEqual(["files__file_read", "mail__send", expect.stringMatching(/^mail__look_up_x+-[0-9a-f]{16}$/)]);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(await namesOf(ask, "tools/list", "tools")).toEqual(names);
  });

  it("calls each at its server, under its own name, by the rules of that server", async () => {
    const { world, ask, files, mail, mailId } = await both(eras);
    const [read = "", send = "", long = ""] = await namesOf(ask, "tools/list", "tools");
    expect(await ask(2, "tools/call", { name: read, arguments: { path: "/a" } })).toHaveProperty("result.content");
    expect(reached(files, "tools/call")).toMatchObject([{ name: "file_read", arguments: { path: "/a" } }]);
    await ask(3, "tools/call", { name: long, arguments: {} });
    expect(reached(mail, "tools/call")).toMatchObject([{ name: LONG }]);
    const rule = {
      id: "no",
      verdict: "deny",
      priority: 1,
      on: ["request"],
      when: { server: [mailId], tool: ["send"] },
    };
    await world.gateway.rules.save({ ...rule, mode: "enforce" } as never);
    expect((await ask(4, "tools/call", { name: send, arguments: {} })).result).toMatchObject({ isError: true });
    expect(reached(mail, "tools/call")).toHaveLength(1);
    await world.gateway.records.flush();
    const records = await world.gateway.records.page({ limit: 10 });
    const called = records.filter(({ method }) => method === "tools/call");
    expect(called.map(({ serverName, tool }) => [serverName, tool])).toEqual([
      ["mail", "send"],
      ["mail", LONG],
      ["files", "file_read"],
    ]);
  });

  it("gets prompts by their names here, also one that was never listed to it", async () => {
    const { ask, mail } = await both(eras);
    const names = await namesOf(ask, "prompts/list", "prompts");
    expect(names.slice(0, 2)).toEqual(["files__summary", "mail__summary"]);
    const again = await both(eras);
    await again.ask(2, "prompts/get", { name: names[2] });
    expect(reached(again.mail, "prompts/get")).toMatchObject([{ name: LONG }]);
    await ask(3, "completion/complete", {
      ref: { type: "ref/prompt", name: names[1] },
      argument: { name: "a", value: "" },
    });
    expect(reached(mail, "completion/complete")).toMatchObject([{ ref: { name: "summary" } }]);
  });

  it("reads a resource at the server that has it, and asks no other", async () => {
    const { ask, files, mail } = await both(eras);
    for (const [id, uri] of ["mail:1", "mail:77", "file:///deep/er", "shared:x"].entries()) {
      await ask(id, "resources/read", { uri });
    }
    expect(reached(mail, "resources/read").map((params) => (params as { uri: string }).uri)).toEqual([
      "mail:1",
      "mail:77",
    ]);
    expect(reached(files, "resources/read").map((params) => (params as { uri: string }).uri)).toEqual([
      "file:///deep/er",
      "shared:x",
    ]);
    expect((await ask("x", "resources/read", { uri: "other:1" })).error).toMatchObject({ code: -32602 });
    expect(await namesOf(ask, "resources/list", "resources")).toEqual(["a", "of files", "one"]);
  });

  it("finds whose a resource is also for several requests at once, and after the worker's death", async () => {
    const { world, files, mail } = await both(eras);
    const page = (await world.reborn()).page({ server: "*" });
    for (const server of [files, mail]) server.received.length = 0;
    const meta = eras.agent === "2026-07-28" ? { _meta: MODERN_META } : {};
    const ids = [1, 2, 3];
    for (const id of ids) {
      page.send({ jsonrpc: "2.0", id, method: "resources/read", params: { uri: "shared:x", ...meta } });
    }
    for (const id of ids) expect(await page.reply(id)).toHaveProperty("result");
    expect(reached(files, "resources/read")).toHaveLength(3);
    expect(reached(mail, "resources/read")).toEqual([]);
  });

  it("shows the others when one is dead, and says which one is not there", async () => {
    const { world, ask, mail } = await both(eras);
    Object.assign(mail, { fetch: () => Promise.reject(new TypeError("dead")) });
    const { result } = (await ask(1, "tools/list")) as { result: Record<string, unknown> };
    expect(result).toMatchObject({ tools: [{ name: "files__file_read" }] });
    expect(result._meta).toMatchObject({ [ABSENT]: [{ server: "mail", reason: "upstream-unreachable" }] });
    expect(world.gateway.registry.health(world.server.id)).toMatchObject({ state: "ok" });
    Object.assign(mail, { fetch: () => new Promise(() => undefined) });
    const hanging = ask(2, "resources/list");
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    world.clock.advance(10_001);
    const late = (await hanging) as { result: { _meta: Record<string, unknown> } };
    expect(late.result._meta[ABSENT]).toEqual([{ server: "mail", reason: "timed-out" }]);
  });

  it("has only what the site is connected to and the person ticked", async () => {
    const { world, ask, mailId } = await both(eras);
    await world.gateway.disconnect(SITE, mailId);
    expect(await namesOf(ask, "tools/list", "tools")).toEqual(["files__file_read"]);
    expect((await ask(2, "tools/call", { name: "mail__send", arguments: {} })).error).toMatchObject({ code: -32602 });
    await world.gateway.disconnect(SITE, world.server.id);
    expect((await ask(3, "tools/list")).error).toMatchObject({ data: { name: "not-connected" } });
  });
});

describe("the way of a call through all servers", () => {
  it("is the way of every call: the record is the one that the server's own channel leaves", async () => {
    const { world, ask } = await both();
    const own = world.page({ channel: "c2", server: "files" });
    await own.initialize("2025-11-25");
    // What a session has read stands in each later record.
    await ask(0, "tools/call", { name: "files__file_read", arguments: { path: "/a" } });
    await ask(1, "tools/call", { name: "files__file_read", arguments: { path: "/a" } });
    own.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "file_read", arguments: { path: "/a" } } });
    await own.reply(1);
    await world.gateway.records.flush();
    const records = await world.gateway.records.page({ limit: 20 });
    const [second, first] = records.filter(({ method }) => method === "tools/call").map(comparable);
    expect(first).toEqual(second);
    expect(first).toMatchObject({ tool: "file_read", serverName: "files" });
  });

  const VOLATILE = new Set(["seq", "callId", "at", "arrivedAt", "times", "prev", "hash", "channel", "stages", "rpcId"]);

  function comparable(record: object): object {
    return Object.fromEntries(Object.entries(record).filter(([name]) => !VOLATILE.has(name)));
  }

  const PARAMS: Readonly<Record<string, object>> = {
    initialize: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a" } },
    "tools/call": { name: "files__file_read", arguments: { path: "x" } },
    "prompts/get": { name: "mail__summary" },
    "completion/complete": { ref: { type: "ref/prompt", name: "mail__summary" }, argument: { name: "a", value: "" } },
    "logging/setLevel": { level: "info" },
    "subscriptions/listen": { notifications: { toolsListChanged: true } },
  };

  it.each(["2025-11-25", "2026-07-28"] as const)("is closed where everything is denied, in %s", async (revision) => {
    const { world, files, mail, ask } = await both({ files: revision, mail: revision, agent: revision });
    await ask("before", "resources/list");
    const everything = { id: "none", verdict: "deny", priority: 9, on: ["request"], when: {}, mode: "enforce" };
    await world.gateway.rules.save(everything as never);
    files.received.length = 0;
    mail.received.length = 0;
    for (const method of vocabularyOf(revision).requests) {
      if (method.startsWith("tasks/")) continue;
      const reply = await ask(`q ${method}`, method, PARAMS[method] ?? { uri: "mail:1" });
      expect(JSON.stringify(reply), method).toContain('"name":"denied"');
    }
    expect([...files.received, ...mail.received]).toEqual([]);
  });
});

describe("a list in pages", () => {
  async function paged(): Promise<Both> {
    const made = await both();
    for (const [server, pages] of [
      [made.files, 2],
      [made.mail, 3],
    ] as const) {
      server.answer = ({ frame }) => {
        const page = Number(frame.params?.cursor ?? 0);
        const next = page + 1 < pages ? { nextCursor: String(page + 1) } : {};
        return { result: { prompts: [{ name: `p${page}` }], ...next } };
      };
    }
    return made;
  }

  it("goes on at each server where that one was, and ends with the last", async () => {
    const { ask } = await paged();
    const seen: string[][] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 5; page++) {
      const { result } = (await ask(page, "prompts/list", cursor === undefined ? {} : { cursor })) as {
        result: { prompts: { name: string }[]; nextCursor?: string };
      };
      seen.push(result.prompts.map(({ name }) => name));
      cursor = result.nextCursor;
      if (cursor === undefined) break;
    }
    expect(seen).toEqual([["files__p0", "mail__p0"], ["files__p1", "mail__p1"], ["mail__p2"]]);
  });

  it("goes on after the worker's death", async () => {
    const { world, ask, files, mail } = await paged();
    const { result } = (await ask(1, "prompts/list")) as { result: { nextCursor: string } };
    const later = (await world.reborn()).page({ server: "*" });
    for (const server of [files, mail]) server.received.length = 0;
    later.send({ jsonrpc: "2.0", id: 2, method: "prompts/list", params: { cursor: result.nextCursor } });
    expect(await later.reply(2)).toMatchObject({ result: { prompts: [{ name: "files__p1" }, { name: "mail__p1" }] } });
    expect(reached(files, "prompts/list")).toMatchObject([{ cursor: "1" }]);
  });

  it("refuses a cursor that was changed, is of another list, or of another site", async () => {
    const { world, ask, files, mail } = await paged();
    const { result } = (await ask(1, "prompts/list")) as { result: { nextCursor: string } };
    const { nextCursor } = result;
    const before = files.received.length + mail.received.length;
    for (const cursor of [nextCursor.replace('"1"', '"9"'), "", "x", nextCursor.slice(1)]) {
      expect((await ask(`c${cursor}`, "prompts/list", { cursor })).error).toMatchObject({ code: -32602 });
    }
    expect((await ask("other list", "resources/list", { cursor: nextCursor })).error).toMatchObject({ code: -32602 });
    const other = { ...SITE, origin: "https://other.example", topSite: "https://other.example" };
    await world.gateway.connector.connect(other, world.server.id, ["file_read"]);
    const page = world.page({ server: "*", principal: other, place: { tabId: 8, frameId: 0, documentId: "d2" } });
    page.send({ jsonrpc: "2.0", id: 1, method: "prompts/list", params: { _meta: MODERN_META, cursor: nextCursor } });
    expect((await page.reply(1)).error).toMatchObject({ code: -32602 });
    expect(files.received.length + mail.received.length).toBe(before);
  });
});

describe("changes at several servers", () => {
  it("reach a session once each, and of resources those of the server it subscribed at", async () => {
    const standing = { files: createOpenBody(), mail: createOpenBody() };
    const { page, ask, mail, files } = await both({}, (servers) => {
      servers.files.stand = () => standing.files.body;
      servers.mail.stand = () => standing.mail.body;
    });
    await ask(1, "resources/subscribe", { uri: "mail:1" });
    expect(reached(mail, "resources/subscribe")).toMatchObject([{ uri: "mail:1" }]);
    expect(reached(files, "resources/subscribe")).toEqual([]);
    page.got.length = 0;
    const UPDATED = "notifications/resources/updated";
    const say = (from: "files" | "mail", method: string, params: object = {}): void =>
      standing[from].write(`data: ${JSON.stringify({ jsonrpc: "2.0", method, params })}\n\n`);
    say("files", UPDATED, { uri: "mail:1" });
    say("mail", UPDATED, { uri: "mail:1" });
    say("files", "notifications/tools/list_changed");
    await until(() => page.got.length === 2);
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    expect(page.got.map(({ method }) => method).sort()).toEqual([UPDATED, "notifications/tools/list_changed"].sort());
    await ask(2, "resources/unsubscribe", { uri: "mail:1" });
    expect(reached(mail, "resources/unsubscribe")).toMatchObject([{ uri: "mail:1" }]);
  });

  it.each(["2025-11-25", "2026-07-28"] as const)(
    "are also a server that came and one that went, told once to an agent of %s",
    async (agent) => {
      const { world, page, mailId, ask, files, mail } = await both({ files: agent, mail: agent, agent });
      const CHANGED = "notifications/tools/list_changed";
      const told = () => page.got.splice(0).filter(({ method }) => method === CHANGED);
      const moment = async (): Promise<void> => {
        world.clock.advance(1_000);
        for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      };
      await ask(1, "tools/list");
      if (agent === "2026-07-28") {
        files.answer = mail.answer = ({ frame }) => {
          const stream = createOpenBody();
          const params = { notifications: { toolsListChanged: true }, _meta: { [SUBSCRIPTION]: frame.id } };
          const method = "notifications/subscriptions/acknowledged";
          stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method, params })}\n\n`);
          return { stream: stream.body };
        };
        const listen = { notifications: { toolsListChanged: true }, _meta: MODERN_META };
        page.send({ jsonrpc: "2.0", id: "s", method: "subscriptions/listen", params: listen });
      }
      await moment();
      told();
      await world.gateway.setTools(SITE, world.server.id, []);
      await moment();
      expect(told()).toHaveLength(1);
      await world.gateway.disconnect(SITE, mailId);
      await moment();
      const gone = told();
      expect(gone).toHaveLength(1);
      if (agent === "2026-07-28") expect(gone[0]).toMatchObject({ params: { _meta: { [SUBSCRIPTION]: "s" } } });
      await world.gateway.connector.connect(SITE, mailId, ["send"]);
      await moment();
      expect(told()).toHaveLength(1);
      await world.gateway.removeServer(mailId);
      await moment();
      expect(told()).toHaveLength(1);
      await world.gateway.disconnect(SITE, world.server.id);
      await moment();
      expect(told()).toHaveLength(0);
    },
  );

  it("are listened to at a server of 2026-07-28 that came while the session stood", async () => {
    const { world, mail, mailId } = await both({ mail: "2026-07-28" });
    await world.gateway.disconnect(SITE, mailId);
    world.clock.advance(1_000);
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    mail.received.length = 0;
    await world.gateway.connector.connect(SITE, mailId, ["send"]);
    await until(() => reached(mail, "subscriptions/listen").length === 1);
  });

  it("come under one subscription, agreed to once, also before anything was listed", async () => {
    const { page, files, mail } = await both({ files: "2026-07-28", mail: "2025-11-25", agent: "2026-07-28" });
    const stream = createOpenBody();
    const standing = createOpenBody();
    mail.stand = () => standing.body;
    let ours: unknown;
    const lists = files.answer;
    files.answer = (seen) => {
      if (seen.frame.method !== "subscriptions/listen") return lists(seen);
      ours = seen.frame.id;
      return { stream: stream.body };
    };
    page.got.length = 0;
    const notifications = { toolsListChanged: true, resourceSubscriptions: ["mail:1", "file:///a"] };
    page.send({
      jsonrpc: "2.0",
      id: "s",
      method: "subscriptions/listen",
      params: { notifications, _meta: MODERN_META },
    });
    await until(() => ours !== undefined);
    const say = (method: string, params: object): void =>
      stream.write(
        `data: ${JSON.stringify({ jsonrpc: "2.0", method, params: { ...params, _meta: { [SUBSCRIPTION]: ours } } })}\n\n`,
      );
    const own = { toolsListChanged: true, resourceSubscriptions: ["file:///a"] };
    expect(reached(files, "subscriptions/listen")).toMatchObject([{ notifications: own }]);
    say("notifications/subscriptions/acknowledged", { notifications: own });
    await until(() => page.got.length === 1);
    expect(page.got[0]).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: {
        notifications: {
          toolsListChanged: true,
          resourceSubscriptions: expect.arrayContaining(["mail:1", "file:///a"]),
        },
        _meta: { [SUBSCRIPTION]: "s" },
      },
    });
    say("notifications/tools/list_changed", {});
    await until(() => page.got.length === 2);
    expect(reached(mail, "resources/subscribe")).toMatchObject([{ uri: "mail:1" }]);
    page.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "s" } });
    await until(() => reached(mail, "resources/unsubscribe").length === 1);
    expect(page.got.some(({ id }) => id === "s")).toBe(false);
  });
});

describe("what belongs to one server", () => {
  it("is a task at the server that has it", async () => {
    const { page, files, mail } = await both({ files: "2026-07-28", mail: "2026-07-28", agent: "2026-07-28" });
    const able = { ...MODERN_META, [`${META}clientCapabilities`]: { extensions: { [`${META}tasks`]: {} } } };
    mail.answer = () => ({ result: { resultType: "task", taskId: "t", status: "working" } });
    page.send({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "mail__send", arguments: {}, _meta: able },
    });
    await page.reply(1);
    mail.answer = () => ({ result: { resultType: "complete", taskId: "t", status: "completed" } });
    page.send({ jsonrpc: "2.0", id: 2, method: "tasks/get", params: { taskId: "t", _meta: able } });
    expect(await page.reply(2)).toHaveProperty("result.status", "completed");
    expect(reached(files, "tasks/get")).toEqual([]);
  });

  it("is answered once when the worker dies in the midst of several", async () => {
    const { world, page, files, mail } = await both();
    for (const server of [files, mail]) server.answer = () => new Promise(() => undefined);
    page.send({ jsonrpc: "2.0", id: 9, method: "prompts/list" });
    await until(() => reached(files, "prompts/list").length + reached(mail, "prompts/list").length === 2);
    world.clock.advance(60);
    await until(() => world.tables.journal.rows.size === 2);
    const after = (await world.reborn()).page({ server: "*" });
    await until(() => after.got.length > 0);
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    expect(after.got.filter(({ id }) => id === 9)).toHaveLength(1);
  });
});
