/** Rules about what a site did before, and what rules oblige to, through a whole gateway. */
import { describe, expect, it } from "vitest";
import { parseRule } from "../../../src/core/policy/parse.ts";
import { principalKey } from "../../../src/core/principal.ts";
import { createWorld, type FakePage, type FakeWorld, SITE } from "../../fakes/gateway.ts";

const READ = { name: "file_read", arguments: { path: "/etc/hostname" } };

async function connected(rule: object): Promise<{ world: FakeWorld; page: FakePage }> {
  const world = await createWorld();
  await save(world, rule);
  const page = world.page();
  await page.initialize("2025-11-25");
  return { world, page };
}

async function save(world: FakeWorld, input: object): Promise<void> {
  const { rule, problems } = parseRule({ id: "r", when: {}, ...input });
  expect(problems).toEqual([]);
  if (rule) await world.gateway.rules.save(rule);
}

function call(page: FakePage, id: number): Promise<Record<string, unknown>> {
  page.send({ jsonrpc: "2.0", id, method: "tools/call", params: READ });
  return page.reply(id);
}

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !holds(); turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(holds()).toBe(true);
}

function refused(reply: Record<string, unknown>): boolean {
  return (reply.result as { readonly isError?: boolean } | undefined)?.isError === true;
}

describe("a rate", () => {
  it("lets so many calls pass and no more, even when they come at once", async () => {
    const { page } = await connected({ verdict: "allow", when: { tool: "file_read" }, do: { rate: "2/min" } });
    const replies = await Promise.all([1, 2, 3, 4, 5].map((id) => call(page, id)));
    expect(replies.filter(refused)).toHaveLength(3);
  });

  it("lets calls pass again when the time is over", async () => {
    const { world, page } = await connected({ verdict: "allow", when: { tool: "file_read" }, do: { rate: "1/min" } });
    expect([refused(await call(page, 1)), refused(await call(page, 2))]).toEqual([false, true]);
    world.clock.advance(60_000);
    expect(refused(await call(page, 3))).toBe(false);
  });

  it("outlives the worker", async () => {
    const { world, page } = await connected({ verdict: "allow", when: { tool: "file_read" }, do: { rate: "1/h" } });
    await call(page, 1);
    world.clock.advance(2_000);
    const next = (await world.reborn()).page({ channel: "again" });
    await next.initialize("2025-11-25");
    expect(refused(await call(next, 2))).toBe(true);
  });

  it("of a private window is written nowhere", async () => {
    const { world } = await connected({ verdict: "allow" });
    const principal = { ...SITE, private: true };
    await world.gateway.connector.connect(principal, world.server.id, ["file_read"]);
    const page = world.page({ principal, channel: "private" });
    await page.initialize("2025-11-25");
    await call(page, 1);
    world.clock.advance(2_000);
    expect([...world.tables.usage.rows.keys()]).not.toContain(principalKey(principal));
  });
});

describe("a cool-down", () => {
  it("begins after refusals and ends with its time", async () => {
    const { world, page } = await connected({
      verdict: "deny",
      id: "cool",
      when: { refusals: { atLeast: 1, within: "10min" } },
    });
    await save(world, { id: "no-first", verdict: "deny", when: { args: { "/path": { equals: "/etc/shadow" } } } });
    expect(refused(await call(page, 1))).toBe(false);
    page.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { ...READ, arguments: { path: "/etc/shadow" } } });
    await page.reply(2);
    expect(refused(await call(page, 3))).toBe(true);
    world.clock.advance(11 * 60_000);
    expect(refused(await call(page, 4))).toBe(false);
  });
});

describe("a list", () => {
  const LISTS = [
    [
      "prompts/list",
      { prompts: [{ name: "review_code" }, { name: "plan" }] },
      { prompt: "review_*" },
      { prompts: [{ name: "plan" }] },
    ],
    [
      "resources/list",
      { resources: [{ uri: "file:///secret/a" }, { uri: "file:///open" }] },
      { uri: "file:///secret/*" },
      { resources: [{ uri: "file:///open" }] },
    ],
    [
      "resources/templates/list",
      { resourceTemplates: [{ uriTemplate: "file:///secret/{name}" }, { uriTemplate: "file:///open/{name}" }] },
      { uri: "file:///secret/*" },
      { resourceTemplates: [{ uriTemplate: "file:///open/{name}" }] },
    ],
  ] as const;

  it.each(LISTS)("of %s lacks what a rule hides", async (method, result, when, left) => {
    const world = await createWorld();
    await save(world, { verdict: "deny", on: ["list"], when });
    const page = world.page();
    await page.initialize("2025-11-25");
    world.upstream.answer = () => ({ result });
    page.send({ jsonrpc: "2.0", id: 1, method });
    expect((await page.reply(1)).result).toEqual(left);
  });
});

describe("what a list hides", () => {
  const HIDE = { verdict: "deny", on: ["list"] };

  it("is refused exactly as what was never there, and nothing reaches the server", async () => {
    const { world, page } = await connected({ ...HIDE, when: { tool: "file_*" } });
    await save(world, { id: "go", verdict: "allow", priority: 9, when: {} });
    world.upstream.received.length = 0;
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
    page.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { ...READ, name: "no_such_tool" } });
    const [hidden, unknown] = [await page.reply(1), await page.reply(2)];
    expect({ ...hidden, id: 0 }).toEqual({ ...unknown, id: 0 });
    expect(world.upstream.received).toEqual([]);
    await world.gateway.records.flush();
    const record = world.gateway.records.recent(5).find(({ tool }) => tool === "file_read");
    expect(record?.decisions).toMatchObject([
      { phase: "request", verdict: "deny", hidden: true, reasons: [{ rule: "r" }, {}] },
    ]);
  });

  it.each([
    ["prompts/get", { name: "review" }, { prompt: "rev*" }],
    ["resources/read", { uri: "file:///secret/a" }, { uri: "file:///secret/*" }],
    ["resources/subscribe", { uri: "file:///secret/a" }, { uri: "file:///secret/*" }],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "review" }, argument: { name: "a", value: "" } },
      { prompt: "review" },
    ],
    [
      "completion/complete",
      { ref: { type: "ref/resource", uri: "file:///secret/{a}" }, argument: { name: "a", value: "" } },
      { uri: "file:///secret/*" },
    ],
  ])("is not reached by %s either", async (method, params, when) => {
    const { world, page } = await connected({ ...HIDE, when });
    world.upstream.received.length = 0;
    page.send({ jsonrpc: "2.0", id: 1, method, params });
    expect(await page.reply(1)).toMatchObject({ error: { data: { name: "invalid-params" } } });
    expect(world.upstream.received).toEqual([]);
  });

  it("is refused although the person said yes, where it was hidden meanwhile", async () => {
    const { world, page } = await connected({ verdict: "ask", id: "ask", when: { tool: "file_read" } });
    const reply = call(page, 1);
    await until(() => world.approvals().length > 0);
    await save(world, { ...HIDE, when: { tool: "file_read" } });
    const [approval] = world.approvals();
    if (!approval) throw new Error("Nobody was asked.");
    const { id, digest } = approval;
    await world.gateway.approvals.answer({ id, digest, answer: "allow", scope: "once" });
    expect(await reply).toMatchObject({ error: { data: { name: "invalid-params" } } });
  });

  it("is shown and may be called again where a higher rule shows it", async () => {
    const { world, page } = await connected({ ...HIDE, when: { tool: "*" } });
    await save(world, { id: "show", verdict: "allow", priority: 1, on: ["list"], when: { tool: "file_read" } });
    await save(world, { id: "go", verdict: "allow", when: {} });
    expect(refused(await call(page, 1))).toBe(false);
  });
});

describe("a number that no double holds", () => {
  const ask = (page: FakePage, id: number, number: string) => {
    page.send(
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"file_read","arguments":{"path":"x","n":${number}}}}`,
    );
    return page.reply(id);
  };

  it.each([
    ["a range it may be in", { range: { above: 100 } }],
    ["a range it may not be in", { range: { below: -100 } }],
    ["a pattern", { pattern: "^7$" }],
    ["a schema", { schema: { type: "integer", maximum: 5 } }],
  ])("is denied by a rule about %s", async (_what, condition) => {
    const { world, page } = await connected({ verdict: "allow", id: "go" });
    await save(world, { verdict: "deny", when: { args: { "/n": condition } } });
    for (const [at, number] of ["1e400", "-1e400", "9007199254740993"].entries())
      expect(refused(await ask(page, at, number)), number).toBe(true);
    expect(refused(await ask(page, 9, "50"))).toBe(false);
  });

  it.each([[{ range: { above: 100 } }], [{ pattern: "." }], [{ schema: { type: "number" } }]])(
    "is not allowed by a rule about %j",
    async (condition) => {
      const { world, page } = await connected({ verdict: "deny", id: "no", priority: -1, when: { tool: "file_read" } });
      await save(world, { verdict: "allow", when: { args: { "/n": condition } } });
      expect(refused(await ask(page, 1, "1e400"))).toBe(true);
      expect(refused(await ask(page, 2, "500"))).toBe(false);
    },
  );
});

describe("what a rule wants said", () => {
  it("is told to the agent with an answer that is withheld, as with a call that is refused", async () => {
    const { page } = await connected({
      verdict: "deny",
      on: ["reply"],
      when: {},
      do: { say: "Ask for less at once." },
    });
    expect(await call(page, 1)).toMatchObject({
      error: { message: expect.stringContaining("Ask for less at once."), data: { name: "withheld" } },
    });
  });
});

describe("a question that may be remembered once at most", () => {
  it("is asked again although the person said always", async () => {
    const { world, page } = await connected({ verdict: "ask", when: { tool: "file_read" }, do: { grant: "once" } });
    for (const id of [1, 2]) {
      const reply = call(page, id);
      await until(() => world.approvals().length > 0);
      const [approval] = world.approvals();
      if (!approval) throw new Error("Nobody was asked.");
      await world.gateway.approvals.answer({
        id: approval.id,
        digest: approval.digest,
        answer: "allow",
        scope: "tool",
      });
      expect(refused(await reply)).toBe(false);
    }
    expect(world.gateway.grants.list()).toEqual([]);
  });

  it("says so to the person, and keeps an answer that comes late for one call", async () => {
    const { world, page } = await connected({ verdict: "ask", when: { tool: "file_read" }, do: { grant: "once" } });
    void call(page, 1);
    await until(() => world.approvals().length > 0);
    page.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await until(() => world.approvals()[0]?.live === false);
    const [approval] = world.approvals();
    expect(approval).toMatchObject({ widest: "once" });
    const { id = "", digest = "" } = approval ?? {};
    await world.gateway.approvals.answer({ id, digest, answer: "allow", scope: "tool" });
    expect(refused(await call(page, 2))).toBe(false);
    expect(world.gateway.grants.list()).toEqual([]);
  });
});

describe("a server's time", () => {
  it("is as long as the rule says", async () => {
    const { world, page } = await connected({ verdict: "allow", when: { tool: "file_read" }, do: { timeout: 3 } });
    world.upstream.answer = () => new Promise<never>(() => undefined);
    const reply = call(page, 1);
    await until(() => world.upstream.received.some(({ frame }) => frame.method === "tools/call"));
    world.clock.advance(3_001);
    expect(await reply).toMatchObject({ error: { message: expect.stringContaining("3 seconds") } });
  });
});
