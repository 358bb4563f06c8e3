/** Arguments repeated as headers, from the catalogue's schema to the wire, and a server that finds they disagree. */
import { describe, expect, it } from "vitest";
import { createWorld, type FakePage, MODERN_META } from "../fakes/gateway.ts";
import { createFakeServer } from "../fakes/server.ts";

const tool = (name: string, header: string) => ({
  name,
  description: "Looks something up.",
  inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": header } } },
  annotations: { readOnlyHint: true },
});

async function lookUp(page: FakePage, id: number) {
  const params = { name: "look", arguments: { region: "eu" }, _meta: MODERN_META };
  page.send({ jsonrpc: "2.0", id, method: "tools/call", params });
  return page.reply(id);
}

describe("a tool with header marks", () => {
  it("is called with its arguments mirrored", async () => {
    const upstream = createFakeServer("2026-07-28", [tool("look", "Region")]);
    const world = await createWorld({ revision: "2026-07-28", upstream });
    await lookUp(world.page(), 1);
    expect(world.upstream.received.at(-1)?.headers).toMatchObject({ "mcp-param-region": "eu" });
  });

  it("is not listed and not called where the marks break the rules, and the person can see why", async () => {
    const upstream = createFakeServer("2026-07-28", [tool("look", "Re gion"), tool("fine", "Region")]);
    const world = await createWorld({ revision: "2026-07-28", upstream });
    const page = world.page();
    expect(await lookUp(page, 1)).toMatchObject({ error: { code: -32602 } });
    page.send({ jsonrpc: "2.0", id: 2, method: "tools/list", params: { _meta: MODERN_META } });
    expect(await page.reply(2)).toMatchObject({ result: { tools: [{ name: "fine" }] } });
    expect(world.gateway.registry.catalogue(world.server.id)?.unusable).toEqual([
      { name: "look", problem: expect.any(String) },
    ]);
  });

  it("of an older session is left alone", async () => {
    const upstream = createFakeServer("2025-11-25", [tool("look", "Re gion")]);
    const world = await createWorld({ upstream });
    expect(world.gateway.registry.catalogue(world.server.id)?.tools).toHaveLength(1);
  });
});

describe("a server that finds header and body in disagreement", () => {
  const MISMATCH = { error: { code: -32020, message: "Header mismatch" } };

  it("gets the call once more after a fresh list, and no third time", async () => {
    const upstream = createFakeServer("2026-07-28", [tool("look", "Region")]);
    const world = await createWorld({ revision: "2026-07-28", upstream });
    let turn = 0;
    upstream.answer = () => (++turn === 1 ? MISMATCH : { result: { resultType: "complete", content: [] } });
    expect(await lookUp(world.page(), 1)).toMatchObject({ result: { content: [] } });
    const asked = upstream.received.map(({ frame }) => frame.method);
    expect(asked.filter((method) => method === "tools/call")).toHaveLength(2);
    expect(asked).toContain("tools/list");

    upstream.answer = () => MISMATCH;
    upstream.received.length = 0;
    // It is about what navra sent, so the agent hears that, and not the code.
    const second = await lookUp(world.page({ channel: "c2" }), 2);
    expect(second).toMatchObject({ error: { code: -31005, data: { name: "upstream-broken" } } });
    expect(upstream.received.filter(({ frame }) => frame.method === "tools/call")).toHaveLength(2);
  });

  it("is not called where the tool it lists now is another than the person approved", async () => {
    const upstream = createFakeServer("2026-07-28", [tool("look", "Region")]);
    const world = await createWorld({ revision: "2026-07-28", upstream });
    upstream.tools = [tool("look", "Zone")];
    upstream.answer = () => MISMATCH;
    expect(await lookUp(world.page(), 1)).toMatchObject({ error: { data: { name: "tool-changed" } } });
    expect(upstream.received.filter(({ frame }) => frame.method === "tools/call")).toHaveLength(1);
  });
});
