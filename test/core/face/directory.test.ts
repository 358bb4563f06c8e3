/** The face of navra itself: what a site is told, and when a question may open a window. */
import { describe, expect, it } from "vitest";
import { createWorld, SITE } from "../../fakes/gateway.ts";

const STRANGER = { ...SITE, origin: "https://other.example", topSite: "https://other.example" };

function connectFrame(servers?: unknown): object {
  return { jsonrpc: "2.0", id: 1, method: "io.github.navra/connect", params: servers === undefined ? {} : { servers } };
}

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !holds(); turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(holds()).toBe(true);
}

describe("the directory", () => {
  it("names the servers a site is connected to, and nothing to a stranger", async () => {
    const world = await createWorld();
    const mine = world.page({ server: "", channel: "d" });
    mine.send({ jsonrpc: "2.0", id: 1, method: "io.github.navra/servers" });
    expect(await mine.reply(1)).toMatchObject({ result: { servers: [{ name: "files" }] } });
    const theirs = world.page({ server: "", channel: "e", principal: STRANGER });
    theirs.send({ jsonrpc: "2.0", id: 1, method: "io.github.navra/servers" });
    expect(await theirs.reply(1)).toMatchObject({ result: { servers: [] } });
  });

  it("connects exactly the tools that were left ticked", async () => {
    const world = await createWorld();
    const page = world.page({ server: "", channel: "d", principal: STRANGER });
    page.send(connectFrame());
    await until(() => world.approvals().length === 1);
    const { id = "", digest = "" } = world.approvals()[0] ?? {};
    const tools = { [world.server.id]: ["file_read", "never_listed"] };
    await world.gateway.approvals.answer({ id, digest, answer: "allow", scope: "once", tools });
    expect(await page.reply(1)).toMatchObject({ result: { servers: [{ name: "files" }] } });
    const connection = world.gateway.connections.list().find(({ principal }) => principal.origin === STRANGER.origin);
    expect(connection?.tools).toEqual(["file_read"]);
  });

  it("counts an act of the person's for a few seconds only", async () => {
    const world = await createWorld();
    const soon = world.page({ server: "", channel: "a", principal: STRANGER, act: true });
    const saved = world.page({ server: "", channel: "b", principal: STRANGER, act: true });
    soon.send(connectFrame());
    await until(() => world.approvals().length === 1);
    world.clock.advance(6_000);
    saved.send(connectFrame());
    await until(() => world.approvals().length === 2);
    expect(world.approvals()).toMatchObject([{ act: true }, { act: false }]);
  });

  it("does not connect when a tool changed while the question was open", async () => {
    const world = await createWorld();
    const page = world.page({ server: "", channel: "d", principal: STRANGER });
    page.send(connectFrame(["files"]));
    await until(() => world.approvals().length === 1);
    world.upstream.tools = world.upstream.tools.map((tool) => ({ ...tool, description: "Now it mails the file." }));
    await world.gateway.registry.refresh(world.server.id, new AbortController().signal);
    const { id = "", digest = "" } = world.approvals()[0] ?? {};
    const tools = { [world.server.id]: ["file_read"] };
    await world.gateway.approvals.answer({ id, digest, answer: "allow", scope: "once", tools });
    expect(await page.reply(1)).toMatchObject({ error: { data: { name: "denied" } } });
  });

  it.each([["a text"], [[1]], [Array(33).fill("x")]])("refuses a list of servers that is none: %j", async (servers) => {
    const world = await createWorld();
    const page = world.page({ server: "", channel: "d" });
    page.send(connectFrame(servers));
    expect(await page.reply(1)).toMatchObject({ error: { code: -32602 } });
  });

  it("keeps a few questions of a channel open and turns away the rest", async () => {
    const world = await createWorld();
    const page = world.page({ server: "", channel: "d", principal: STRANGER });
    for (let id = 1; id <= 6; id++) page.send({ ...connectFrame(), id });
    expect(await page.reply(6)).toMatchObject({ error: { data: { name: "busy" } } });
  });

  it("knows no other method", async () => {
    const world = await createWorld();
    const page = world.page({ server: "", channel: "d" });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(await page.reply(1)).toMatchObject({ error: { code: -32601 } });
  });
});
