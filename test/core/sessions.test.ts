/** When a session ends, and what ends with it. */
import { describe, expect, it } from "vitest";
import { SESSION_REST_MS } from "../../src/core/sessions.ts";
import { createWorld, type FakeWorld, SITE } from "../fakes/gateway.ts";

const KEY = JSON.stringify([SITE.origin, SITE.topSite, SITE.cookieStore, SITE.private]);
const MINUTE = 60_000;

/** A site that has read something, and has a grant for this session. */
async function worked(): Promise<FakeWorld> {
  const world = await createWorld({ trust: "untrusted" });
  const page = world.page();
  await page.initialize("2025-11-25");
  page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "file_read", arguments: { path: "a" } } });
  for (let turn = 0; world.approvals().length === 0 && page.got.length < 2 && turn < 50; turn++) await tick();
  const [asked] = world.approvals();
  if (asked)
    await world.gateway.approvals.answer({ id: asked.id, digest: asked.digest, answer: "allow", scope: "session" });
  await page.reply(1);
  await tick();
  expect(world.gateway.labels.of(KEY).integrity).toBe("untrusted");
  page.close();
  return world;
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const labelled = (world: FakeWorld): boolean => world.gateway.labels.of(KEY).integrity === "untrusted";
const ends = (world: FakeWorld): number =>
  world.tables.records.entries.filter(({ method }) => method === "navra/session-ended").length;

describe("a session", () => {
  it("ends half an hour after its site was last seen open, with its labels and grants, and is recorded", async () => {
    const world = await worked();
    await world.gateway.sessions.check();
    world.sites.open = false;
    world.clock.advance(SESSION_REST_MS - 1);
    await world.gateway.sessions.check();
    expect(labelled(world)).toBe(true);
    world.clock.advance(1);
    await world.gateway.sessions.check();
    await world.gateway.records.flush();
    expect(labelled(world)).toBe(false);
    expect(world.tables.labels.rows.size).toBe(0);
    expect(world.gateway.grants.list().filter(({ scope }) => scope === "session")).toEqual([]);
    expect(ends(world)).toBe(1);
  });

  it("goes on while a tab shows the site, however quiet it is", async () => {
    const world = await worked();
    for (let hour = 0; hour < 12; hour++) {
      world.clock.advance(60 * MINUTE);
      await world.gateway.sessions.check();
    }
    expect(labelled(world)).toBe(true);
  });

  it("goes on where the browser does not say which tabs are open", async () => {
    const world = await worked();
    world.sites.isOpen = () => Promise.reject(new Error("no tabs"));
    world.clock.advance(2 * SESSION_REST_MS);
    await world.gateway.sessions.check();
    expect(labelled(world)).toBe(true);
  });

  it("goes on when a call begins while it is looked at", async () => {
    const world = await worked();
    world.clock.advance(2 * SESSION_REST_MS);
    world.sites.isOpen = async () => {
      world.gateway.sessions.touch(SITE);
      return false;
    };
    await world.gateway.sessions.check();
    expect(labelled(world)).toBe(true);
  });

  it("outlives the worker: the next one goes on counting, and ends it", async () => {
    const world = await (await worked()).reborn();
    expect(labelled(world)).toBe(true);
    world.sites.open = false;
    world.clock.advance(SESSION_REST_MS);
    await world.gateway.sessions.check();
    expect(labelled(world)).toBe(false);
  });

  it("outlives a worker that slept for hours while its document stayed open", async () => {
    const before = await worked();
    before.clock.advance(5 * 60 * MINUTE);
    expect(labelled(await before.reborn())).toBe(true);
  });

  it("has ended when the browser was closed for long, before any page is heard", async () => {
    const before = await worked();
    before.sites.started = true;
    before.clock.advance(SESSION_REST_MS);
    const world = await before.reborn();
    expect(labelled(world)).toBe(false);
    expect(world.tables.sessions.rows.size).toBe(0);
  });

  it("goes on when a machine slept, though no worker before had a session to look at", async () => {
    const first = await createWorld();
    let asked = 0;
    first.sites.browserStarted = async () => ++asked === 1;
    const before = await first.reborn();
    before.gateway.sessions.touch(SITE);
    before.gateway.labels.raise(KEY, { integrity: "untrusted", confidentiality: "public", sources: [] });
    await tick();
    before.clock.advance(2 * SESSION_REST_MS);
    expect(labelled(await before.reborn())).toBe(true);
  });

  it("goes on after a short restart of the browser", async () => {
    const before = await worked();
    before.sites.started = true;
    before.clock.advance(5 * MINUTE);
    expect(labelled(await before.reborn())).toBe(true);
  });

  it("is looked after only while there is one", async () => {
    const world = await worked();
    expect(world.sites.watched).toBe(true);
    world.sites.open = false;
    world.clock.advance(SESSION_REST_MS);
    await world.gateway.sessions.check();
    expect(world.sites.watched).toBe(false);
  });

  it("of a private window is never written down", async () => {
    const world = await createWorld();
    world.gateway.sessions.touch({ ...SITE, private: true });
    await world.gateway.sessions.check();
    expect(world.tables.sessions.rows.size).toBe(0);
  });
});
