/** What servers ask of the person, answered in navra's own window: never by the page, never kept, in both eras. */
import { describe, expect, it } from "vitest";
import type { Approval, QuestionApproval } from "../../../src/core/consent/approval.ts";
import type { QuestionWay } from "../../../src/core/servers/server.ts";
import { createWorld, type FakePage, type FakeWorld, MODERN_META } from "../../fakes/gateway.ts";
import { createFakeServer, FILE_READ } from "../../fakes/server.ts";
import { createOpenBody } from "../transports/fakes.ts";

const READ = { name: "file_read", arguments: { path: "/etc/hostname" } };
const FORM = {
  message: "Which room?",
  requestedSchema: {
    type: "object",
    properties: { room: { type: "string", minLength: 2 }, pin: { type: "string" } },
    required: ["room"],
  },
};
/** The same with nothing in it that anyone would be warned of. */
const PLAIN = { message: "Which room?", requestedSchema: { type: "object", properties: { room: { type: "string" } } } };
const PAGE = { mode: "url", message: "Sign in there.", url: "https://auth.example/go", elicitationId: "e-1" };

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !holds(); turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(holds()).toBe(true);
}

interface Talk {
  readonly world: FakeWorld;
  readonly page: FakePage;
  say(frame: object): void;
  /** What the server got for its request of this id. */
  reply(id: unknown): Record<string, unknown> | undefined;
  question(): Promise<QuestionApproval>;
  answer(answer: "allow" | "deny", reply?: object): Promise<string>;
  /** The answer to the agent's open call. */
  finish(): void;
}

/** An older server that holds a call of the page's open, and may ask in this way. */
async function talking(questions: QuestionWay | undefined, capabilities: object = {}): Promise<Talk> {
  const world = await createWorld();
  if (questions) await world.gateway.registry.update(world.server.id, { questions });
  const page = world.page();
  page.send({
    jsonrpc: "2.0",
    id: "init",
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "Agent Smith", version: "1" } },
  });
  await page.reply("init");
  page.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  const stream = createOpenBody();
  world.upstream.answer = () => ({ stream: stream.body });
  page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
  await until(() => world.upstream.received.some(({ frame }) => frame.method === "tools/call"));
  const say = (frame: object): void => {
    stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n\n`);
  };
  return {
    world,
    page,
    say,
    reply(id) {
      const found = world.upstream.received.find(({ frame }) => frame.method === undefined && frame.id === id);
      return found && JSON.parse(found.text);
    },
    ...asking(world),
    finish() {
      const upId = world.upstream.received.find(({ frame }) => frame.method === "tools/call")?.frame.id;
      say({ id: upId, result: { content: [] } });
    },
  };
}

function asking(world: FakeWorld): Pick<Talk, "question" | "answer"> {
  return {
    async question() {
      await until(() => world.approvals().some(isQuestion));
      const found = world.approvals().find(isQuestion);
      if (!found) throw new Error("No question waits.");
      return found;
    },
    async answer(answer, reply) {
      const asked = world.approvals().find(isQuestion);
      if (!asked) throw new Error("No question waits.");
      const { id, digest } = asked;
      return world.gateway.approvals.answer({ id, digest, answer, scope: "once", ...(reply && { reply }) });
    },
  };
}

function isQuestion(approval: Approval): approval is QuestionApproval {
  return approval.kind === "question";
}

function heard(page: FakePage, method: string): boolean {
  return page.got.some((frame) => frame.method === method);
}

describe("who answers a form", () => {
  it("is nobody where the agent declared none and the person did not let the server ask", async () => {
    const { world, say, reply } = await talking(undefined);
    say({ id: 5, method: "elicitation/create", params: FORM });
    await until(() => reply(5) !== undefined);
    expect(reply(5)).toMatchObject({ error: { code: -32601 } });
    expect(world.approvals()).toEqual([]);
    expect(declared(world)).toEqual({});
  });

  it("is the agent where it declared it, also when the server may ask the person", async () => {
    const { world, page, say } = await talking("either", { elicitation: {} });
    say({ id: 5, method: "elicitation/create", params: PLAIN });
    await until(() => heard(page, "elicitation/create"));
    expect(world.approvals()).toEqual([]);
  });

  it("is the person where the agent declared none, and the server is told that there are forms and pages", async () => {
    const { world, page, say, question } = await talking("either");
    expect(declared(world)).toEqual({ elicitation: { form: {}, url: {} } });
    say({ id: 5, method: "elicitation/create", params: FORM });
    expect(await question()).toMatchObject({
      serverName: "files",
      tool: "file_read",
      agent: "Agent Smith 1",
      message: "Which room?",
    });
    expect(heard(page, "elicitation/create")).toBe(false);
  });

  it("is the person for a page that the agent does not know of", async () => {
    const { page, say, question } = await talking("either", { elicitation: { form: {} } });
    say({ id: 5, method: "elicitation/create", params: PAGE });
    expect((await question()).ask).toMatchObject({ mode: "url", url: PAGE.url });
    expect(heard(page, "elicitation/create")).toBe(false);
  });

  it("is always the person where they chose so, and the page hears nothing of it", async () => {
    const { world, page, say, reply, question, answer } = await talking("navra", { elicitation: {}, sampling: {} });
    expect(declared(world)).toEqual({ elicitation: { form: {}, url: {} }, sampling: {} });
    say({ id: 5, method: "elicitation/create", params: FORM });
    await question();
    expect(await answer("allow", { content: { room: "Turing, 2nd floor" } })).toBe("done");
    await until(() => reply(5) !== undefined);
    expect(reply(5)?.result).toEqual({ action: "accept", content: { room: "Turing, 2nd floor" } });
    expect(page.gotText.join("")).not.toContain("Turing");
    expect(page.gotText.join("")).not.toContain("Which room");
  });

  it("is the person for a question outside any call of an agent that could answer", async () => {
    const world = await createWorld();
    await world.gateway.registry.update(world.server.id, { questions: "either" });
    const standing = createOpenBody();
    world.upstream.stand = () => standing.body;
    const page = world.page();
    await page.initialize("2025-11-25");
    page.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: READ });
    await page.reply(2);
    const frame = { jsonrpc: "2.0", id: 9, method: "elicitation/create", params: FORM };
    standing.write(`data: ${JSON.stringify(frame)}\n\n`);
    const { question } = asking(world);
    expect((await question()).tool).toBe("");
  });

  it("is nobody for what is asked of a model or of folders", async () => {
    const { say, reply } = await talking("navra");
    say({ id: 5, method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } });
    say({ id: 6, method: "roots/list" });
    await until(() => reply(5) !== undefined && reply(6) !== undefined);
    expect([reply(5), reply(6)]).toMatchObject([{ error: { code: -32601 } }, { error: { code: -32601 } }]);
  });
});

describe("an answer to a form", () => {
  it("is declined, or cancelled, as the person said", async () => {
    const { say, reply, question, answer } = await talking("either");
    say({ id: 5, method: "elicitation/create", params: FORM });
    await question();
    await answer("deny");
    await until(() => reply(5) !== undefined);
    expect(reply(5)?.result).toEqual({ action: "decline" });
    say({ id: 6, method: "elicitation/create", params: FORM });
    await question();
    await answer("deny", { cancel: true });
    await until(() => reply(6) !== undefined);
    expect(reply(6)?.result).toEqual({ action: "cancel" });
  });

  it("is a cancellation when nobody answers in time", async () => {
    const { world, say, reply, question } = await talking("either");
    say({ id: 5, method: "elicitation/create", params: FORM });
    const { expiresAt } = await question();
    world.clock.advance(expiresAt - world.clock.now());
    await until(() => reply(5) !== undefined);
    expect(reply(5)?.result).toEqual({ action: "cancel" });
  });

  it.each([
    ["does not fit", { content: { room: "x" } }],
    ["lacks what is required", { content: {} }],
    ["holds what was not asked", { content: { room: "Turing", extra: "1" } }],
    ["holds something flagged that was not confirmed", { content: { room: "Turing", pin: "1234" } }],
  ])("never leaves where it %s", async (_what, given) => {
    const { say, reply, question, answer } = await talking("either");
    say({ id: 5, method: "elicitation/create", params: FORM });
    await question();
    await answer("allow", given);
    await until(() => reply(5) !== undefined);
    expect(reply(5)?.result).toEqual({ action: "cancel" });
  });

  it("leaves with something flagged only where that was confirmed", async () => {
    const { say, reply, question, answer } = await talking("either");
    say({ id: 5, method: "elicitation/create", params: FORM });
    expect((await question()).ask).toMatchObject({ secrets: { pin: "code" } });
    await answer("allow", { content: { room: "Turing", pin: "1234" }, confirmed: ["pin"] });
    await until(() => reply(5) !== undefined);
    expect(reply(5)?.result).toEqual({ action: "accept", content: { room: "Turing", pin: "1234" } });
  });

  it("is in no table and no record", async () => {
    const { world, say, reply, question, answer } = await talking("either");
    say({ id: 5, method: "elicitation/create", params: FORM });
    await question();
    expect(world.tables.approvals.rows.size).toBe(0);
    await answer("allow", { content: { room: "Turing-room" } });
    await until(() => reply(5) !== undefined);
    await until(() => {
      world.clock.advance(1);
      return world.tables.records.entries.some(({ direction }) => direction === "back");
    });
    const record = world.tables.records.entries.find(({ direction }) => direction === "back");
    expect(record).toMatchObject({ outcome: { kind: "answered", error: false }, answered: { answer: "allowed" } });
    expect(record?.reply?.text).toContain("room");
    expect(JSON.stringify(world.tables.records.entries)).not.toContain("Turing-room");
  });

  it("is not asked for where a rule denies the question", async () => {
    const { world, say, reply } = await talking("either");
    await world.gateway.rules.save({
      id: "no-forms",
      verdict: "deny",
      priority: 0,
      on: ["request"],
      when: { method: ["elicitation/create"] },
      mode: "enforce",
    });
    say({ id: 5, method: "elicitation/create", params: FORM });
    await until(() => reply(5) !== undefined);
    expect(reply(5)?.result).toEqual({ action: "decline" });
    expect(world.approvals()).toEqual([]);
  });

  it("does not leave where a rule came to deny it while the person typed", async () => {
    const { world, say, reply, question, answer } = await talking("either");
    say({ id: 5, method: "elicitation/create", params: FORM });
    await question();
    await world.gateway.rules.save({
      id: "no-forms",
      verdict: "deny",
      priority: 0,
      on: ["request"],
      when: { method: ["elicitation/create"] },
      mode: "enforce",
    });
    await answer("allow", { content: { room: "Turing" } });
    await until(() => reply(5) !== undefined);
    expect(reply(5)?.result).toEqual({ action: "decline" });
  });

  it("is one question also where a rule says ask", async () => {
    const { world, say, reply, question, answer } = await talking("either");
    await world.gateway.rules.save({
      id: "ask-forms",
      verdict: "ask",
      priority: 0,
      on: ["request"],
      when: { method: ["elicitation/create"] },
      mode: "enforce",
    });
    say({ id: 5, method: "elicitation/create", params: FORM });
    await question();
    expect(world.approvals()).toHaveLength(1);
    await answer("allow", { content: { room: "Turing" } });
    await until(() => reply(5) !== undefined);
    expect(reply(5)?.result).toMatchObject({ action: "accept" });
  });

  it("is given up with the call, by the server, and with the connection", async () => {
    const { world, say, question, finish, page } = await talking("either");
    say({ id: 5, method: "elicitation/create", params: FORM });
    await question();
    say({ method: "notifications/cancelled", params: { requestId: 5 } });
    await until(() => world.approvals().length === 0);
    say({ id: 6, method: "elicitation/create", params: FORM });
    await question();
    finish();
    await page.reply(1);
    await until(() => world.approvals().length === 0);
  });

  it("does not outlive the worker", async () => {
    const { world, say, question } = await talking("either");
    say({ id: 5, method: "elicitation/create", params: FORM });
    await question();
    const reborn = await world.reborn();
    expect(reborn.approvals()).toEqual([]);
  });

  it("is an error to the server where its form is none that the protocol has, and nobody is bothered", async () => {
    const { world, say, reply } = await talking("either");
    const requestedSchema = { type: "object", properties: { a: { type: "object" } } };
    say({ id: 5, method: "elicitation/create", params: { message: "m", requestedSchema } });
    await until(() => reply(5) !== undefined);
    expect(reply(5)).toMatchObject({ error: { code: -32602 } });
    expect(world.approvals()).toEqual([]);
  });
});

describe("a page that a server wants opened", () => {
  it("is accepted once it was opened, and stays with the person until they are done", async () => {
    const { world, say, reply, question, answer } = await talking("either");
    say({ id: 5, method: "elicitation/create", params: PAGE });
    const first = await question();
    expect(first.ask).toEqual({ mode: "url", url: PAGE.url, step: "open" });
    await answer("allow");
    await until(() => reply(5) !== undefined);
    expect(reply(5)?.result).toEqual({ action: "accept" });
    const after = await question();
    expect(after).toMatchObject({ id: first.id, ask: { step: "after" } });
    expect(after.digest).not.toBe(first.digest);
    await answer("allow");
    await until(() => world.approvals().length === 0);
  });

  it("is over when the server says so, and the page does not hear of it", async () => {
    const { world, page, say, question, answer } = await talking("either");
    say({ id: 5, method: "elicitation/create", params: PAGE });
    await question();
    await answer("allow");
    await until(() =>
      world.approvals().some((one) => isQuestion(one) && one.ask.mode === "url" && one.ask.step === "after"),
    );
    say({ method: "notifications/elicitation/complete", params: { elicitationId: "other" } });
    say({ method: "notifications/elicitation/complete", params: { elicitationId: "e-1" } });
    await until(() => world.approvals().length === 0);
    const told = page.got.filter(({ method }) => method === "notifications/elicitation/complete");
    expect(told).toMatchObject([{ params: { elicitationId: "other" } }]);
  });

  it("ends the agent's call where the person gives it up", async () => {
    const { page, say, question, answer, world } = await talking("either");
    say({ id: 5, method: "elicitation/create", params: PAGE });
    await question();
    await answer("allow");
    await until(() =>
      world.approvals().some((one) => isQuestion(one) && one.ask.mode === "url" && one.ask.step === "after"),
    );
    await answer("deny", { cancel: true });
    expect(await page.reply(1)).toMatchObject({ error: { data: { name: "cancelled" } } });
  });

  it("is over with the call", async () => {
    const { world, page, say, question, answer, finish } = await talking("either");
    say({ id: 5, method: "elicitation/create", params: PAGE });
    await question();
    await answer("allow");
    await until(() =>
      world.approvals().some((one) => isQuestion(one) && one.ask.mode === "url" && one.ask.step === "after"),
    );
    finish();
    await page.reply(1);
    await until(() => world.approvals().length === 0);
  });

  it.each(["http://auth.example/go", "javascript:alert(1)", "file:///etc/passwd"])(
    "is never accepted at %s",
    async (url) => {
      const { say, reply, question, answer } = await talking("either");
      say({ id: 5, method: "elicitation/create", params: { ...PAGE, url } });
      await question();
      await answer("deny");
      await until(() => reply(5) !== undefined);
      expect(reply(5)?.result).toEqual({ action: "decline" });
    },
  );
});

describe("a page that a server demands by an error (-32042)", () => {
  const DEMAND = { code: -32042, message: "Sign in first.", data: { elicitations: [PAGE] } };
  const URL_ABLE = { elicitation: { form: {}, url: {} } };

  async function demanded(questions: QuestionWay, capabilities: object = {}, era = "2025-11-25") {
    const world = await createWorld();
    await world.gateway.registry.update(world.server.id, { questions });
    let through = false;
    const standing = createOpenBody();
    world.upstream.stand = () => standing.body;
    world.upstream.answer = () => (through ? { result: { content: [] } } : { error: DEMAND });
    const page = world.page();
    const params = { protocolVersion: era, capabilities, clientInfo: { name: "a", version: "1" } };
    const modern = era === "2026-07-28";
    if (!modern) {
      page.send({ jsonrpc: "2.0", id: "init", method: "initialize", params });
      await page.reply("init");
      page.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    }
    const _meta = { ...MODERN_META, "io.modelcontextprotocol/clientCapabilities": capabilities };
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...READ, ...(modern && { _meta }) } });
    const done = (): void => {
      through = true;
      const told = { jsonrpc: "2.0", method: "notifications/elicitation/complete", params: { elicitationId: "e-1" } };
      standing.write(`data: ${JSON.stringify(told)}\n\n`);
    };
    const calls = () => world.upstream.received.filter(({ frame }) => frame.method === "tools/call").length;
    return { world, page, done, calls, ...asking(world) };
  }

  it.each([
    ["an older agent that knows of none", "either", {}, "2025-11-25"],
    ["an older agent that could", "navra", URL_ABLE, "2025-11-25"],
    ["an agent of a revision without pages", "either", { elicitation: {} }, "2025-06-18"],
    ["a newer agent that knows of none", "either", {}, "2026-07-28"],
    ["a newer agent that could", "navra", URL_ABLE, "2026-07-28"],
  ] as const)("is asked of the person for %s, and the call is made again", async (_who, way, able, era) => {
    const { world, page, question, answer, done, calls } = await demanded(way, able, era);
    expect((await question()).ask).toMatchObject({ mode: "url", url: PAGE.url, step: "open" });
    expect(await answer("allow")).toBe("done");
    expect((await question()).ask).toMatchObject({ step: "after" });
    expect(calls()).toBe(1);
    done();
    expect(await page.reply(1)).toHaveProperty("result.content", []);
    expect(calls()).toBe(2);
    await until(() => !world.approvals().some(isQuestion));
    expect(page.got.filter(({ method }) => method !== undefined)).toEqual([]);
  });

  it.each(["2025-11-25", "2026-07-28"])(
    "that the person does not open ends the call, for an agent of %s",
    async (era) => {
      const { page, question, answer, calls } = await demanded("navra", URL_ABLE, era);
      await question();
      await answer("deny");
      const { error } = await page.reply(1);
      expect(error).toMatchObject({ data: { name: "denied" } });
      expect(JSON.stringify(error)).not.toContain("auth.example");
      expect(calls()).toBe(1);
    },
  );

  it("is the agent's where it knows of pages and comes first", async () => {
    const { world, page, calls } = await demanded("either", URL_ABLE);
    expect((await page.reply(1)).error).toMatchObject({ code: -32042, data: { elicitations: [PAGE] } });
    expect(world.approvals()).toEqual([]);
    expect(calls()).toBe(1);
  });
});

describe("what a server of 2026-07-28 asks in its result", () => {
  const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
  const room = { method: "elicitation/create", params: { mode: "form", ...FORM } };

  async function modern(inputRequests: object, capabilities: object = {}, questions: QuestionWay = "either") {
    const world = await createWorld({ revision: "2026-07-28" });
    await world.gateway.registry.update(world.server.id, { questions });
    const page = world.page();
    world.upstream.answer = ({ frame }) =>
      frame.params?.inputResponses
        ? { result: { resultType: "complete", content: [] } }
        : { result: { resultType: "input_required", inputRequests, requestState: "state é" } };
    const send = (id: number, params: object = {}) => {
      const _meta = { ...MODERN_META, [CAPABILITIES]: capabilities };
      page.send({ jsonrpc: "2.0", id, method: "tools/call", params: { ...READ, ...params, _meta } });
    };
    return { world, page, send, ...asking(world) };
  }

  it("is answered by the person, and the agent hears only how it ended", async () => {
    const { world, page, send, question, answer } = await modern({ room });
    send(1);
    await question();
    await answer("allow", { content: { room: "Turing" } });
    expect(await page.reply(1)).toMatchObject({ result: { resultType: "complete" } });
    expect(world.upstream.received.at(-1)?.frame.params).toMatchObject({
      inputResponses: { room: { action: "accept", content: { room: "Turing" } } },
      requestState: "state é",
      _meta: { [CAPABILITIES]: { elicitation: { form: {}, url: {} } } },
    });
    expect(page.gotText.join("")).not.toContain("Turing");
  });

  it("is shared: the agent gets what it declared, and the person's answers go along with its own", async () => {
    const list = { method: "roots/list" };
    const { world, page, send, question, answer } = await modern({ room, list }, { roots: {} });
    send(1);
    await question();
    await answer("allow", { content: { room: "Turing" } });
    const first = (await page.reply(1)) as { result: { inputRequests: object; requestState: string } };
    expect(first.result.inputRequests).toEqual({ list });
    expect(JSON.stringify([...world.tables.continuations.rows.values()])).not.toContain("Turing");
    send(2, { inputResponses: { list: { roots: [] } }, requestState: first.result.requestState });
    await page.reply(2);
    expect(world.upstream.received.at(-1)?.frame.params).toMatchObject({
      inputResponses: { list: { roots: [] }, room: { action: "accept", content: { room: "Turing" } } },
      requestState: "state é",
    });
  });

  it("for a page is answered when the person is done there", async () => {
    const page = { method: "elicitation/create", params: { mode: "url", message: "m", url: PAGE.url } };
    const { world, page: site, send, question, answer } = await modern({ page });
    send(1);
    const first = await question();
    await answer("allow");
    await until(() => world.approvals().some((one) => isQuestion(one) && one.digest !== first.digest));
    expect(world.upstream.received.at(-1)?.frame.params).not.toHaveProperty("inputResponses");
    await answer("allow");
    await site.reply(1);
    expect(world.upstream.received.at(-1)?.frame.params).toMatchObject({
      inputResponses: { page: { action: "accept" } },
    });
  });

  it("goes to the agent as before where the person did not let the server ask", async () => {
    const plain = { ...room, params: { mode: "form", ...PLAIN } };
    const { world, page, send } = await modern({ room: plain }, { elicitation: { form: {} } }, "agent");
    send(1);
    expect(await page.reply(1)).toMatchObject({ result: { inputRequests: { room: plain } } });
    expect(world.approvals()).toEqual([]);
  });
});

describe("what a task asks", () => {
  const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
  const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };
  const room = { method: "elicitation/create", params: { mode: "form", ...FORM } };
  const list = { method: "roots/list" };
  const MADE = { resultType: "task", taskId: "t-1", status: "working", ttlMs: 3_600_000 };

  /** A page whose call became a task, which asks this. */
  async function task(inputRequests: object, capabilities: object = {}, questions: QuestionWay = "either") {
    const world = await createWorld({ revision: "2026-07-28" });
    await world.gateway.registry.update(world.server.id, { questions });
    const page = world.page();
    let stands: object = { status: "input_required", inputRequests };
    let works = true;
    world.upstream.answer = ({ frame }) => {
      if (frame.method === "tools/call") return { result: MADE };
      if (frame.method === "tasks/get") return { result: { resultType: "complete", taskId: "t-1", ...stands } };
      if (!works) return { status: 400, body: "" };
      return { result: { resultType: "complete" } };
    };
    let count = 0;
    const send = (method: string, params: object) => {
      count += 1;
      const _meta = { ...MODERN_META, [CAPABILITIES]: { ...capabilities, ...TASKS } };
      page.send({ jsonrpc: "2.0", id: count, method, params: { ...params, _meta } });
      return page.reply(count) as Promise<{ result?: Record<string, unknown>; error?: { code: number } }>;
    };
    await send("tools/call", READ);
    const updates = () =>
      world.upstream.received
        .filter(({ frame }) => frame.method === "tasks/update")
        .map(({ frame }) => ({ taskId: frame.params?.taskId, inputResponses: frame.params?.inputResponses }));
    return {
      world,
      page,
      updates,
      ...asking(world),
      look: () => send("tasks/get", { taskId: "t-1" }),
      update: (inputResponses: object) => send("tasks/update", { taskId: "t-1", inputResponses }),
      cancel: () => send("tasks/cancel", { taskId: "t-1" }),
      becomes(next: object) {
        stands = next;
      },
      breaks(broken: boolean) {
        works = !broken;
      },
    };
  }

  const TURING = { action: "accept", content: { room: "Turing" } };

  it.each([
    ["an agent that knows of none", "either", {}],
    ["an agent that could", "navra", { elicitation: {} }],
  ] as const)("is put to the person for %s, which sees a task that works", async (_who, way, able) => {
    const { page, look, question, answer, updates } = await task({ room }, able, way);
    const { result } = await look();
    expect(result).toEqual({ resultType: "complete", taskId: "t-1", status: "working" });
    expect((await question()).message).toBe("Which room?");
    expect(updates()).toEqual([]);
    await answer("allow", { content: { room: "Turing" } });
    await until(() => updates().length === 1);
    expect(updates()).toEqual([{ taskId: "t-1", inputResponses: { room: TURING } }]);
    expect(page.gotText.join("")).not.toMatch(/Turing|Which room/);
  });

  it("is one question however often the agent looks, before the answer and after", async () => {
    const { world, look, question, answer, updates } = await task({ room });
    await Promise.all([look(), look()]);
    const { id } = await question();
    await look();
    expect(world.approvals().map((one) => one.id)).toEqual([id]);
    await answer("allow", { content: { room: "Turing" } });
    await until(() => updates().length === 1);
    expect((await look()).result).not.toHaveProperty("inputRequests");
    expect(world.approvals()).toEqual([]);
    expect(updates()).toHaveLength(1);
  });

  it("is shared: the agent sees and answers what it declared", async () => {
    const { look, question, answer, update, updates } = await task({ room, list }, { roots: {} });
    const { result } = await look();
    expect(result).toMatchObject({ status: "input_required" });
    expect(result?.inputRequests).toEqual({ list });
    await question();
    await update({ list: { roots: [] } });
    await answer("deny");
    await until(() => updates().length === 2);
    expect(updates().map(({ inputResponses }) => inputResponses)).toEqual([
      { list: { roots: [] } },
      { room: { action: "decline" } },
    ]);
  });

  it("is never answered by the agent, while the person is asked and after", async () => {
    const { look, question, answer, update, updates } = await task({ room }, { elicitation: {} }, "navra");
    await look();
    await question();
    expect((await update({ room: TURING })).error).toMatchObject({ code: -32602 });
    expect(updates()).toEqual([]);
    await answer("deny");
    await until(() => updates().length === 1);
    expect((await update({ room: TURING })).error).toMatchObject({ code: -32602 });
    expect(updates()).toHaveLength(1);
  });

  it.each([
    ["ends", { status: "completed", result: { content: [] } }],
    ["asks it no longer", { status: "working" }],
  ])("is withdrawn when the task %s, and the server hears nothing", async (_what, next) => {
    const { world, look, question, becomes, updates } = await task({ room });
    await look();
    await question();
    becomes(next);
    expect((await look()).result).toMatchObject(next);
    await until(() => world.approvals().length === 0);
    expect(updates()).toEqual([]);
  });

  it("is withdrawn when the agent cancels the task", async () => {
    const { world, look, question, cancel, updates } = await task({ room });
    await look();
    await question();
    await cancel();
    await until(() => world.approvals().length === 0);
    expect(updates()).toEqual([]);
  });

  it("is withdrawn by a pause, and the server hears nothing", async () => {
    const { world, look, question, updates } = await task({ room });
    await look();
    await question();
    await world.gateway.setPause({ until: null });
    await until(() => world.approvals().length === 0);
    expect(updates()).toEqual([]);
  });

  it("is a cancellation when nobody answers in time", async () => {
    const { world, look, question, updates } = await task({ room });
    await look();
    const { expiresAt } = await question();
    world.clock.advance(expiresAt - world.clock.now());
    await until(() => updates().length === 1);
    expect(updates()[0]).toMatchObject({ inputResponses: { room: { action: "cancel" } } });
  });

  it("is asked again where the answer did not reach the server", async () => {
    const { world, look, question, answer, updates, breaks } = await task({ room });
    await look();
    await question();
    breaks(true);
    await answer("allow", { content: { room: "Turing" } });
    await until(() => updates().length === 1 && world.gateway.openCalls().length === 0);
    breaks(false);
    await look();
    await question();
    await answer("allow", { content: { room: "Turing" } });
    await until(() => updates().length === 2);
  });

  it("is asked again when the worker died with it", async () => {
    const { world, look, question } = await task({ room });
    await look();
    await question();
    const reborn = await world.reborn();
    expect(reborn.approvals()).toEqual([]);
    const _meta = { ...MODERN_META, [CAPABILITIES]: TASKS };
    const page = reborn.page();
    page.send({ jsonrpc: "2.0", id: "again", method: "tasks/get", params: { taskId: "t-1", _meta } });
    expect(await page.reply("again")).toMatchObject({ result: { status: "working" } });
    await asking(reborn).question();
  });

  it("is declined where a rule denies it, and nobody is bothered", async () => {
    const { world, look, updates } = await task({ room });
    await world.gateway.rules.save({
      id: "no-forms",
      verdict: "deny",
      priority: 0,
      on: ["request"],
      when: { method: ["elicitation/create"] },
      mode: "enforce",
    });
    await look();
    await until(() => updates().length === 1);
    expect(updates()).toEqual([{ taskId: "t-1", inputResponses: { room: { action: "decline" } } }]);
    expect(world.approvals()).toEqual([]);
  });

  it("bothers nobody where the server asks as only a call may", async () => {
    const { world, look, becomes } = await task({});
    becomes({ resultType: "input_required", inputRequests: { room } });
    expect((await look()).error).toMatchObject({ data: { name: "upstream-broken" } });
    expect(world.approvals()).toEqual([]);
  });

  it("ends the agent's look where it thinks of more without end", async () => {
    const many = Object.fromEntries(Array.from({ length: 65 }, (_none, at) => [`room-${at}`, room]));
    const { look } = await task(many);
    expect((await look()).error).toMatchObject({ data: { name: "upstream-broken" } });
  });
});

describe("between the eras", () => {
  it("an older agent's call at a newer server is held while the person answers", async () => {
    const world = await createWorld({ revision: "2026-07-28" });
    await world.gateway.registry.update(world.server.id, { questions: "either" });
    const page = world.page();
    await page.initialize("2025-03-26");
    world.upstream.answer = ({ frame }) =>
      frame.params?.inputResponses
        ? { result: { resultType: "complete", content: [] } }
        : {
            result: {
              resultType: "input_required",
              inputRequests: { room: { method: "elicitation/create", params: FORM } },
            },
          };
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    const { question, answer } = asking(world);
    await question();
    await answer("allow", { content: { room: "Turing" } });
    expect(await page.reply(1)).toMatchObject({ result: { content: [] } });
    expect(world.upstream.received.at(-1)?.frame.params).toMatchObject({
      inputResponses: { room: { action: "accept", content: { room: "Turing" } } },
    });
  });

  it("a task that a newer server makes of an older agent's call asks the person, and the call is held", async () => {
    const world = await createWorld({ revision: "2026-07-28" });
    await world.gateway.registry.update(world.server.id, { questions: "either" });
    const page = world.page();
    await page.initialize("2025-11-25");
    let answered = false;
    world.upstream.answer = ({ frame }) => {
      const told = { resultType: "complete", taskId: "t-1" };
      if (frame.method === "tools/call") return { result: { ...told, resultType: "task", status: "working" } };
      if (frame.method === "tasks/update") {
        answered = true;
        return { result: { resultType: "complete" } };
      }
      const inputRequests = { room: { method: "elicitation/create", params: FORM } };
      const stands = answered
        ? { status: "completed", result: { content: [] } }
        : { status: "input_required", inputRequests };
      return { result: { ...told, ...stands } };
    };
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    const { question, answer } = asking(world);
    await until(() => {
      world.clock.advance(100);
      return world.approvals().some(isQuestion);
    });
    expect((await question()).tool).toBe("file_read");
    await answer("allow", { content: { room: "Turing" } });
    await until(() => {
      world.clock.advance(100);
      return page.got.some(({ id }) => id === 1);
    });
    expect(await page.reply(1)).toMatchObject({ result: { content: [] } });
    const update = world.upstream.received.find(({ frame }) => frame.method === "tasks/update");
    expect(update?.frame.params?.inputResponses).toEqual({ room: { action: "accept", content: { room: "Turing" } } });
    expect(page.gotText.join("")).not.toContain("Turing");
  });

  it.each([
    ["an agent of its revision", "2025-11-25"],
    ["a newer agent", "2026-07-28"],
  ] as const)(
    "a task of 2025-11-25 asks the person while navra waits for it for %s, and the answer names it",
    async (_who, era) => {
      const works = { ...FILE_READ, execution: { taskSupport: "required" } };
      const upstream = createFakeServer("2025-11-25", [works]);
      const world = await createWorld({ upstream });
      await world.gateway.registry.update(world.server.id, { questions: "either" });
      const page = world.page();
      const modern = era === "2026-07-28";
      if (!modern) await page.initialize(era);
      const stream = createOpenBody();
      upstream.answer = ({ frame }) =>
        frame.method === "tasks/result"
          ? { stream: stream.body }
          : { result: { task: { taskId: "t", status: "working" } } };
      const params = modern ? { ...READ, _meta: MODERN_META } : READ;
      page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      const sent = (holds: (frame: { method?: unknown; id?: unknown }) => boolean) =>
        upstream.received.find(({ frame }) => holds(frame))?.frame;
      await until(() => sent(({ method }) => method === "tasks/result") !== undefined);
      const say = (frame: object) => stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n\n`);
      const _meta = { "io.modelcontextprotocol/related-task": { taskId: "t" } };
      say({ id: 5, method: "elicitation/create", params: { ...FORM, _meta } });
      const { question, answer } = asking(world);
      expect((await question()).tool).toBe("file_read");
      await answer("allow", { content: { room: "Turing" } });
      const answered = ({ method, id }: { method?: unknown; id?: unknown }) => method === undefined && id === 5;
      await until(() => sent(answered) !== undefined);
      expect(sent(answered)).toHaveProperty("result", { action: "accept", content: { room: "Turing" }, _meta });
      say({ id: sent(({ method }) => method === "tasks/result")?.id, result: { content: [] } });
      expect(await page.reply(1)).toMatchObject({ result: { content: [] } });
    },
  );

  it("a newer agent's call at an older server goes on by itself when the person answered", async () => {
    const world = await createWorld();
    await world.gateway.registry.update(world.server.id, { questions: "either" });
    const page = world.page();
    const stream = createOpenBody();
    world.upstream.answer = () => ({ stream: stream.body });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...READ, _meta: MODERN_META } });
    await until(() => world.upstream.received.some(({ frame }) => frame.method === "tools/call"));
    const upId = world.upstream.received.find(({ frame }) => frame.method === "tools/call")?.frame.id;
    stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: 5, method: "elicitation/create", params: FORM })}\n\n`);
    const { question, answer } = asking(world);
    await question();
    await answer("allow", { content: { room: "Turing" } });
    await until(() => world.upstream.received.some(({ frame }) => frame.method === undefined && frame.id === 5));
    stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: upId, result: { content: [] } })}\n\n`);
    expect(await page.reply(1)).toMatchObject({ result: { content: [] } });
  });
});

/** What the server was told of its client. */
function declared(world: FakeWorld): unknown {
  return world.upstream.received.find(({ frame }) => frame.method === "initialize")?.frame.params?.capabilities;
}
