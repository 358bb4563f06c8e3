/** Standing answers as the lists show them, over a whole gateway: found, taken back, and off when their tool changed. */
import { describe, expect, it } from "vitest";
import { createWorld, SITE } from "../../fakes/gateway.ts";
import { controlOf } from "./control.ts";

async function granted() {
  const world = await createWorld({ trust: "untrusted" });
  const ask = controlOf(world.gateway);
  const page = world.page();
  await page.initialize("2025-11-25");
  let ids = 0;
  const send = (path = "/a") => {
    const id = ++ids;
    page.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "file_read", arguments: { path } } });
    return page.reply(id);
  };
  const question = async () => {
    for (let turn = 0; turn < 200 && world.approvals().length === 0; turn++) await new Promise(setImmediate);
    return world.approvals()[0];
  };
  const allow = async (more: object) => {
    const asked = await question();
    if (!asked) throw new Error("Nothing was asked.");
    await world.gateway.approvals.answer({
      id: asked.id,
      digest: asked.digest,
      answer: "allow",
      scope: "tool",
      grant: { lastsMs: 3_600_000, uses: 5 },
      ...more,
    });
  };
  const first = send();
  await allow({});
  await first;
  const change = async (description: string) => {
    world.upstream.tools = world.upstream.tools.map((tool) => ({ ...tool, description }));
    await world.gateway.registry.refresh(world.server.id, new AbortController().signal);
  };
  return { world, ask, send, question, change };
}

describe("a standing answer", () => {
  it("is listed with its reach, its end and its uses, and answers without a question", async () => {
    const { world, ask, send } = await granted();
    expect(await send("/b")).toMatchObject({ result: { content: [{ text: "desktop" }] } });
    expect(world.approvals()).toEqual([]);
    const { grants } = await ask("grants.read", null);
    expect(grants).toMatchObject([{ suspended: false, grant: { scope: "tool", usesLeft: 4, used: 1 } }]);
    expect(grants[0]?.grant.expiresAt).toBe(world.clock.now() + 3_600_000);
  });

  it("is off while its tool is changed, and also after the change was approved: it was given for another tool", async () => {
    const { world, ask, send, question, change } = await granted();
    await change("Reads a file, and sends it on.");
    expect(await send()).toMatchObject({ result: { isError: true } });
    expect((await ask("grants.read", null)).grants).toMatchObject([{ suspended: true }]);
    const [pin] = world.gateway.pins.list().filter(({ pending }) => pending !== undefined);
    if (!pin?.pending) throw new Error("Nothing is quarantined.");
    await ask("pin.approve", { serverId: pin.serverId, tool: pin.tool, pending: pin.pending });
    expect((await ask("grants.read", null)).grants).toMatchObject([{ suspended: true, grant: { used: 0 } }]);
    void send();
    expect(await question()).toMatchObject({ kind: "call", tool: "file_read" });
  });

  it("is of one site, inside the site it was given in", async () => {
    const { world, question } = await granted();
    const inside = { ...SITE, topSite: "https://news.example" };
    await world.gateway.connector.connect(inside, world.server.id, ["file_read"]);
    const page = world.page({ principal: inside, channel: "c2" });
    await page.initialize("2025-11-25");
    page.send({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "file_read", arguments: { path: "/a" } },
    });
    expect(await question()).toMatchObject({ principal: inside });
  });

  it("is gone when it is taken back", async () => {
    const { ask, send, question } = await granted();
    const [view] = (await ask("grants.read", null)).grants;
    await ask("grant.revoke", { id: view?.grant.id ?? "" });
    expect((await ask("grants.read", null)).grants).toEqual([]);
    void send();
    expect(await question()).toBeDefined();
  });
});
