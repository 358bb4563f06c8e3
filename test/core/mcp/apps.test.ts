/** Apps and skills of servers: who hears of a tool, who may call it, and what is asked before a program runs in a page. */
import { describe, expect, it } from "vitest";
import { createWorld, type FakePage, type FakeWorld, MODERN_META } from "../../fakes/gateway.ts";
import { createFakeServer, FILE_READ } from "../../fakes/server.ts";

const META = "io.modelcontextprotocol/";
const UI = { resourceUri: "ui://files/view.html" };
const MIME = { mimeTypes: ["text/html;profile=mcp-app"] };
const TOOLS = [
  { ...FILE_READ, name: "both", _meta: { ui: UI } },
  { ...FILE_READ, name: "for-model", _meta: { ui: { ...UI, visibility: ["model"] } } },
  { ...FILE_READ, name: "for-app", _meta: { ui: { ...UI, visibility: ["app"] } } },
  { ...FILE_READ, name: "for-nobody", _meta: { ui: { ...UI, visibility: "all" } } },
];
const HOST = { extensions: { [`${META}ui`]: MIME } };
const ERAS = ["2025-11-25", "2026-07-28"] as const;

interface Bench {
  readonly world: FakeWorld;
  readonly page: FakePage;
  ask(id: string, method: string, params?: object, meta?: object): Promise<Record<string, unknown>>;
}

async function bench(era: (typeof ERAS)[number], capabilities: object): Promise<Bench> {
  const world = await createWorld({ revision: era, upstream: createFakeServer(era, TOOLS) });
  const page = world.page();
  const modern = era === "2026-07-28" ? { ...MODERN_META, [`${META}clientCapabilities`]: capabilities } : {};
  const ask: Bench["ask"] = (id, method, params = {}, meta = {}) => {
    page.send({ jsonrpc: "2.0", id, method, params: { ...params, _meta: { ...modern, ...meta } } });
    return page.reply(id);
  };
  if (era === "2025-11-25") {
    await ask("init", "initialize", { protocolVersion: era, capabilities, clientInfo: { name: "a" } });
  }
  return { world, page, ask };
}

async function listed({ ask }: Bench): Promise<string[]> {
  const { result } = (await ask("list", "tools/list")) as { result: { tools: { name: string }[] } };
  return result.tools.map(({ name }) => name);
}

describe.each(ERAS)("apps of a server in %s", (era) => {
  it("are declared to it by an agent that shows them, with what it can show and nothing else", async () => {
    const { world, ask } = await bench(era, { extensions: { [`${META}ui`]: { ...MIME, secret: 1 }, "a/b": {} } });
    await ask("1", "tools/call", { name: "both", arguments: {} });
    const declared = world.upstream.received.map(({ frame: { params } }) =>
      era === "2025-11-25"
        ? params?.capabilities
        : (params?._meta as Record<string, unknown> | undefined)?.[`${META}clientCapabilities`],
    );
    expect(declared).toContainEqual(HOST);
  });

  it("keep their tools' marks, byte for byte", async () => {
    const made = await bench(era, HOST);
    await listed(made);
    expect(made.page.gotText.at(-1)).toContain(`"_meta":${JSON.stringify(TOOLS[0]?._meta)}`);
  });

  it("have no tools of their own for an agent that shows none: neither in lists nor in calls", async () => {
    const made = await bench(era, {});
    expect(await listed(made)).toEqual(["both", "for-model"]);
    expect((await made.ask("1", "tools/call", { name: "for-app", arguments: {} })).error).toMatchObject({
      code: -32602,
    });
    expect((await made.ask("2", "tools/call", { name: "for-model", arguments: {} })).result).toBeDefined();
  });

  it("are the page's to tell apart where it shows them, and it is taken at its word", async () => {
    const made = await bench(era, HOST);
    expect(await listed(made)).toEqual(["both", "for-model", "for-app", "for-nobody"]);
    const may = async (name: string, caller?: string): Promise<boolean> => {
      const meta = caller === undefined ? {} : { "io.github.navra/caller": caller };
      return (await made.ask(`${name} ${caller}`, "tools/call", { name, arguments: {} }, meta)).result !== undefined;
    };
    expect(await may("for-app", "app")).toBe(true);
    expect(await may("for-model", "app")).toBe(false);
    expect(await may("for-app", "model")).toBe(false);
    expect(await may("for-model", "model")).toBe(true);
    expect(await may("both", "app")).toBe(true);
    expect(await may("for-app")).toBe(true);
  });

  it("cannot be called for by an agent that shows none", async () => {
    const { ask } = await bench(era, {});
    const meta = { "io.github.navra/caller": "app" };
    expect((await ask("1", "tools/call", { name: "both", arguments: {} }, meta)).error).toMatchObject({ code: -32602 });
  });

  it("are a question to the person before they are read", async () => {
    const { world, page } = await bench(era, HOST);
    const meta = era === "2026-07-28" ? { _meta: { ...MODERN_META, [`${META}clientCapabilities`]: HOST } } : {};
    page.send({ jsonrpc: "2.0", id: "r", method: "resources/read", params: { uri: UI.resourceUri, ...meta } });
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    const [approval] = world.approvals();
    expect(approval).toMatchObject({ method: "resources/read" });
    expect(approval && "argumentsText" in approval && approval.argumentsText).toContain(UI.resourceUri);
    expect(world.upstream.received.some(({ frame }) => frame.method === "resources/read")).toBe(false);
    if (approval) {
      const { id, digest } = approval;
      await world.gateway.approvals.answer({ id, digest, answer: "deny" } as never);
    }
    expect((await page.reply("r")).error).toMatchObject({ data: { name: "denied" } });
  });
});

describe.each(ERAS)("skills of a server in %s", (era) => {
  it("pass whole, and raise the session's labels as any text of the server's", async () => {
    const { world, ask } = await bench(era, {});
    await world.gateway.registry.update(world.server.id, { trust: "untrusted" });
    world.upstream.answer = () => ({ result: { resultType: "complete", skills: [{ uri: "skill://a/SKILL.md" }] } });
    expect((await ask("1", "skills/list")).result).toMatchObject({ skills: [{ uri: "skill://a/SKILL.md" }] });
    await ask("2", "skills/get", { uri: "skill://a/SKILL.md" });
    await ask("3", "resources/directory/read", { uri: "skill://a" });
    expect(world.upstream.received.slice(-3).map(({ frame }) => frame.method)).toEqual([
      "skills/list",
      "skills/get",
      "resources/directory/read",
    ]);
    const [labels] = [...world.tables.labels.rows.values()];
    expect(labels).toMatchObject({ labels: { integrity: "untrusted" } });
  });

  it("are looked into: a secret in one is found and recorded", async () => {
    const { world, ask } = await bench(era, {});
    const text = "Use the key AKIAIOSFODNN7REALKEY for uploads: ghp_0123456789abcdefghijklmnopqrstuvwxyzAB";
    world.upstream.answer = () => ({ result: { resultType: "complete", skill: { text } } });
    await ask("1", "skills/get", { uri: "skill://a/SKILL.md" });
    await world.gateway.records.flush();
    const [record] = await world.gateway.records.page({ limit: 1 });
    expect(record?.reply?.findings.map(({ kind }) => kind)).toContain("secret");
  });
});
