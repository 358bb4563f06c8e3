/** What the dashboard and the popup ask about rules, answered by the real handlers over a whole gateway. */
import { describe, expect, it, vi } from "vitest";
import type { ControlMethod, ControlParams, ControlResult } from "../../../src/bridge/control-api.ts";
import type { Rule } from "../../../src/core/policy/policy.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import { createPolicyDesk } from "../../../src/ui/shared/policy-desk.ts";
import { createHandlers } from "../../../src/worker/handlers/all.ts";
import { createWorld, type FakePage, type FakeWorld, SITE } from "../../fakes/gateway.ts";

const CALL = { jsonrpc: "2.0", method: "tools/call", params: { name: "file_read", arguments: { path: "x" } } };

const rule = (more: Partial<Rule> = {}): Rule => ({
  id: "no-reading",
  verdict: "deny",
  priority: 50,
  on: ["request"],
  when: { tool: ["file_read"] },
  mode: "enforce",
  ...more,
});

async function setUp() {
  const world = await createWorld();
  const changes: string[] = [];
  const handlers = createHandlers({
    gateway: world.gateway,
    reader: {
      siteOf: async () => ({ url: SITE.origin, native: undefined as never, access: true, principal: SITE }),
    } as never,
    native: undefined as never,
    openApproval: async () => undefined,
    openPage: async () => undefined,
    updateFence: async () => undefined,
    changed: (topic) => changes.push(topic),
  });
  const ask = async <M extends ControlMethod>(method: M, params: ControlParams<M>): Promise<ControlResult<M>> => {
    const handler = handlers[method] as (params: unknown, peer: unknown) => unknown;
    return (await handler(params, { door: "dashboard" })) as ControlResult<M>;
  };
  const page = world.page();
  await page.initialize("2025-11-25");
  /** What a page works out by itself, from what the worker knows at this moment. */
  const desk = () => createPolicyDesk(ask);
  return { world, page, ask, desk, changes };
}

const STRICT = PRESETS.find(({ id }) => id === "strict")?.document ?? expect.fail("There is no such preset.");

let ids = 0;
async function called(world: FakeWorld, page: FakePage, times = 1): Promise<void> {
  for (let count = 0; count < times; count++) {
    const id = ++ids;
    page.send({ ...CALL, id });
    await page.reply(id);
  }
  // A record is written after the answer went out.
  const recorded = () => world.gateway.records.recent(500).filter(({ tool, seq }) => tool !== undefined && seq > 0);
  for (let turn = 0; recorded().length < times && turn < 200; turn++) await new Promise(setImmediate);
}

describe("checking rules before they are saved", () => {
  it("says how many calls on record would have ended otherwise, and which", async () => {
    const { world, page, desk } = await setUp();
    await called(world, page, 3);
    const { impact, problems } = await desk().checkRule(rule());
    expect(problems).toEqual([]);
    expect(impact).toMatchObject({
      count: 3,
      changed: [{ tool: "file_read", before: "allow", after: "deny" }, {}, {}],
    });
    expect(world.gateway.rules.rules()).toEqual([]);
  });

  it("says which line of the text never matches, and what becomes wider", async () => {
    const { desk } = await setUp();
    const text = JSON.stringify(
      [rule({ when: { tool: ["file_raed"], server: ["files"] } }), rule({ id: "b", verdict: "allow" })],
      null,
      2,
    );
    const { notes, differences } = await desk().checkText(text);
    expect(notes[0]).toMatchObject({ path: "/0/when/tool/0", line: 11 });
    expect(differences).toContainEqual(expect.objectContaining({ rule: "b", wider: true }));
  });

  it("reads a whole policy too, and its default row with it", async () => {
    const { ask, desk } = await setUp();
    const { text } = await ask("rules.read", null);
    expect(JSON.parse(text)).toEqual({ version: 1, default: { read: "allow", other: "ask" }, rules: [] });
    const next = JSON.stringify({
      version: 1,
      default: { read: "deny", other: "deny" },
      rules: [rule({ when: { tool: ["gone"] } })],
    });
    expect((await desk().checkText(next)).notes[0]).toMatchObject({ path: "/rules/0/when/tool/0" });
    expect(await ask("rules.write", { text: next })).toEqual({ problems: [] });
    expect(await ask("rules.write", { text: "[]" })).toEqual({ problems: [] });
    expect(await ask("rules.read", null)).toMatchObject({ rules: [], default: { read: "deny", other: "deny" } });
  });

  it("refuses a wildcard below a suffix that many share, in its line, though the worker knows it not", async () => {
    const { desk } = await setUp();
    const strangers = [rule({ when: { origin: ["https://*.eu.org"] } })];
    const check = await desk().checkText(JSON.stringify(strangers, null, 2));
    expect(check.problems).toMatchObject([{ path: "/0/when/origin/0", line: 11 }]);
    expect([check.impact, check.notes]).toEqual([null, []]);
    const file = { navra: 1, servers: [], policy: { version: 1, rules: strangers } };
    expect((await desk().checkFile(JSON.stringify(file))).problems).toMatchObject([
      { path: "/policy/rules/0/when/origin/0" },
    ]);
  });

  it("says every problem of a text, and then nothing else", async () => {
    const { desk } = await setUp();
    const check = await desk().checkText('[{ "id": "a", "verdct": "deny" }]');
    expect(check.problems.length).toBeGreaterThan(1);
    expect([check.impact, check.notes]).toEqual([null, []]);
  });
});

describe("trying rules on a call", () => {
  it("shows for every rule whether it matches a call on record, or which clause fails", async () => {
    const { world, page, ask, desk } = await setUp();
    await called(world, page);
    await ask("rule.save", { rule: rule() });
    await ask("rule.save", { rule: rule({ id: "elsewhere", when: { origin: ["https://other.example"] } }) });
    const [entry] = (await ask("records.page", { limit: 1 })).entries;
    const { decision, rules } = await desk().tryCall({ seq: entry?.seq ?? 0 }, undefined);
    expect(decision.verdict).toBe("deny");
    expect(rules.map((one) => [one.rule, one.matched, one.clause])).toEqual([
      ["elsewhere", false, "origin"],
      ["no-reading", true, undefined],
    ]);
  });

  it("takes a call that somebody made up, and rules that are not saved", async () => {
    const { world, desk } = await setUp();
    const call = {
      origin: "https://anyone.example",
      serverId: world.server.id,
      method: "tools/call",
      tool: "file_read",
      argumentsText: '{"path":"/secret"}',
    };
    const stored = await desk().tryCall(call, undefined);
    expect(stored.decision).toMatchObject({ verdict: "allow", reasons: [{ rule: "default:read" }] });
    const text = JSON.stringify([rule({ when: { args: { "/path": { pattern: "^/secret" } } } })]);
    const drafted = await desk().tryCall(call, text);
    expect([drafted.decision.verdict, drafted.rules[0]?.matched]).toEqual(["deny", true]);
    await expect(desk().tryCall({ ...call, argumentsText: "[" }, undefined)).rejects.toThrow("not a JSON object");
  });
});

describe("a call that somebody made up", () => {
  it("sees what the site did before, what it has read, and what the server says of the tool", async () => {
    const { world, page, desk } = await setUp();
    await called(world, page, 2);
    const about = { serverId: world.server.id, method: "tools/call", tool: "file_read", argumentsText: "{}" };
    const text = JSON.stringify([
      rule({ id: "often", when: { inARow: 2 } }),
      rule({ id: "reads", when: { annotations: { readOnlyHint: true } } }),
    ]);
    const matched = async (origin: string) =>
      (await desk().tryCall({ origin, ...about }, text)).rules.filter((one) => one.matched).map((one) => one.rule);
    expect(await matched(SITE.origin)).toEqual(["often", "reads"]);
    expect(await matched("https://other.example")).toEqual(["reads"]);
  });
});

describe("today's numbers of a site", () => {
  it("count what was hidden from it and what was withheld among the denied", async () => {
    const { world, page, ask } = await setUp();
    await called(world, page);
    await ask("rule.save", { rule: rule({ on: ["reply"] }) });
    await called(world, page);
    await ask("rule.save", { rule: rule({ on: ["list"] }) });
    await called(world, page);
    await world.gateway.records.flush();
    vi.useFakeTimers({ toFake: ["Date"], now: world.clock.now() });
    const { counts } = await ask("site.read", { tabId: 7 });
    vi.useRealTimers();
    expect(counts).toEqual({ allowed: 1, asked: 0, denied: 2 });
  });
});

describe("what a page works out", () => {
  it("is what the worker decides, an organisation's rules included", async () => {
    const { world, page, ask, desk } = await setUp();
    world.gateway.rules.setManaged({
      text: '{"version":1,"rules":[{"id":"house","verdict":"ask","on":["request"],"when":{"tool":["file_*"]}}]}',
    });
    await ask("rule.save", { rule: rule({ on: ["list"] }) });
    await called(world, page);
    await world.gateway.records.flush();
    const [entry] = world.gateway.records.recent(500).filter(({ tool }) => tool !== undefined);
    const { decision } = await desk().tryCall({ seq: entry?.seq ?? 0 }, undefined);
    expect(decision).toEqual(entry?.decisions.find(({ phase }) => phase === "request"));
    expect(decision).toMatchObject({ verdict: "deny", hidden: true });
    world.gateway.rules.setManaged({ text: "{" });
    expect((await desk().tryCall({ seq: entry?.seq ?? 0 }, undefined)).decision.reasons[0]?.rule).toBe("managed:*");
  });

  it("rests on no answer of a server's", async () => {
    const { world, page, ask } = await setUp();
    await called(world, page);
    expect(world.gateway.records.recent(5)[0]?.reply?.text).toContain("desktop");
    expect(JSON.stringify(await ask("policy.read", null))).not.toContain("desktop");
  });
});

describe("presets and the default row", () => {
  it("show what they change before they do, and can be taken back whole", async () => {
    const { world, ask, desk } = await setUp();
    await ask("rule.save", { rule: rule() });
    const check = await desk().checkDocument(STRICT);
    expect(check.differences.length).toBeGreaterThan(2);
    expect(world.gateway.rules.rules()).toHaveLength(1);
    await ask("rules.preset", { document: STRICT });
    expect(await ask("rules.read", null)).toMatchObject({ default: { read: "ask", other: "deny" } });
    const [event] = (await ask("rules.history", null)).events;
    expect(await ask("rules.undo", { id: event?.id ?? "" })).toEqual({ state: "done" });
    expect(await ask("rules.read", null)).toMatchObject({ default: { read: "allow", other: "ask" }, rules: [rule()] });
  });

  it("outlive the worker", async () => {
    const { world, ask } = await setUp();
    await ask("rules.default", { default: { read: "deny", other: "deny" } });
    const { gateway } = await world.reborn();
    expect(gateway.rules.head().default).toEqual({ read: "deny", other: "deny" });
  });

  it("count a tool that a rule hides among those the site cannot use", async () => {
    const { ask } = await setUp();
    await ask("rule.save", { rule: rule({ on: ["list"] }) });
    expect((await ask("rules.read", null)).coverage).toMatchObject([{ tools: 1, refused: 1 }]);
  });

  it("say so where they leave a connected site no tool", async () => {
    const { ask } = await setUp();
    await ask("rules.default", { default: { read: "deny", other: "deny" } });
    const { coverage } = await ask("rules.read", null);
    expect(coverage).toEqual([
      expect.objectContaining({ origin: SITE.origin, serverName: "files", tools: 1, refused: 1 }),
    ]);
    expect(coverage[0]?.by).toContain("your default");
  });
});

describe("files", () => {
  it("bring rules and servers, the servers switched off and untrusted", async () => {
    const giver = await setUp();
    await giver.ask("rule.save", { rule: rule({ when: { server: [giver.world.server.id], tool: ["file_read"] } }) });
    const { text } = await giver.ask("rules.export", null);
    const moved = text.replaceAll("http://127.0.0.1:9/mcp", "https://mcp.example.org/mcp");

    const { world, ask, desk } = await setUp();
    const view = await desk().checkFile(moved);
    expect(view).toMatchObject({ problems: [], rules: 1, servers: [{ name: "files", known: false }] });
    expect([world.gateway.registry.list().length, world.gateway.rules.rules().length]).toEqual([1, 0]);

    await ask("rules.import", { text: moved });
    const [, brought] = world.gateway.registry.list();
    expect(brought).toMatchObject({ name: "files-2", enabled: false, trust: "untrusted" });
    expect(world.gateway.rules.rules()).toMatchObject([{ when: { server: [brought?.id] } }]);
  });

  it("find the servers that are here already, and leave them as they are", async () => {
    const { world, ask } = await setUp();
    const { text } = await ask("rules.export", null);
    await ask("rules.import", { text });
    expect(world.gateway.registry.list()).toEqual([world.server]);
  });

  it("bring nothing when anything in them is wrong", async () => {
    const { world, ask, desk } = await setUp();
    const { text } = await ask("rules.export", null);
    const bad = text.replace("http://127.0.0.1:9/mcp", "http://far.example/mcp");
    expect((await desk().checkFile(bad)).problems).toHaveLength(1);
    expect((await ask("rules.import", { text: bad })).problems).toHaveLength(1);
    expect(world.gateway.registry.list()).toHaveLength(1);
  });

  it("name what becomes wider, rule by rule", async () => {
    const { ask, desk } = await setUp();
    await ask("rule.save", { rule: rule() });
    const { text } = await ask("rules.export", null);
    const wider = text.replace('"verdict": "deny"', '"verdict": "allow"');
    const { differences } = await desk().checkFile(wider);
    expect(differences).toMatchObject([{ rule: "no-reading", wider: true }]);
  });
});

describe("an organisation's policy", () => {
  it("is shown in the popup with its rules that apply there", async () => {
    const { world, ask } = await setUp();
    const managed = (id: string, origin: string) => ({
      id,
      verdict: "deny",
      on: ["request"],
      when: { origin: [origin] },
    });
    const rules = [managed("here", SITE.origin), managed("there", "https://other.example")];
    const text = JSON.stringify({ version: 1, rules });
    world.gateway.rules.setManaged({ text });
    const view = await ask("site.read", { tabId: 7 });
    expect(view.managed).toMatchObject({ state: "in-force", rules: [{ id: "here" }] });
    expect(view.servers[0]?.tools[0]).toMatchObject({
      verdict: "deny",
      why: expect.stringContaining("Your organisation"),
    });
  });

  it("finds a server by its address once the person adds it", async () => {
    const { world, page, ask } = await setUp();
    await ask("server.remove", { id: world.server.id });
    world.gateway.rules.setManaged({
      text: JSON.stringify({
        version: 1,
        rules: [{ id: "r", verdict: "deny", on: ["request"], when: { server: ["http://127.0.0.1:9/mcp"] } }],
      }),
    });
    await ask("server.add", { draft: { name: "again", url: "http://127.0.0.1:9/mcp", trust: "trusted" } });
    const added = world.gateway.registry.byName("again");
    expect(world.gateway.rules.managed()).toMatchObject({ rules: [{ when: { server: [added?.id] } }] });
    page.close();
  });

  it("is never in a file", async () => {
    const { world, ask } = await setUp();
    world.gateway.rules.setManaged({
      text: '{"version":1,"rules":[{"id":"house","verdict":"deny","on":["request"],"when":{"tool":["x"]}}]}',
    });
    expect((await ask("rules.export", null)).text).not.toContain("house");
  });
});
