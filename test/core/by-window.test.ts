/** What outlives an idle worker in a private window, and where it is kept meanwhile. */
import { describe, expect, it } from "vitest";
import { byWindow } from "../../src/core/by-window.ts";
import { principalKey } from "../../src/core/principal.ts";
import { SESSION_REST_MS } from "../../src/core/sessions.ts";
import { createWorld, SITE } from "../fakes/gateway.ts";
import { createFakeTable } from "../fakes/tables.ts";

const PRIVATE = { ...SITE, private: true };
const KEY = principalKey(PRIVATE);
const OPEN = principalKey(SITE);

describe("a table of two", () => {
  const both = () => {
    const [written, unwritten] = [createFakeTable<string>(), createFakeTable<string>()];
    return { written, unwritten, table: byWindow(written, unwritten) };
  };

  it("keeps rows of private windows off the disk, and gives all back as one", async () => {
    const { written, unwritten, table } = both();
    await table.put(OPEN, "open");
    await table.put(KEY, "private");
    expect([...written.rows]).toEqual([[OPEN, "open"]]);
    expect([...unwritten.rows]).toEqual([[KEY, "private"]]);
    expect(await table.all()).toEqual(["open", "private"]);
    await table.remove(OPEN, KEY);
    expect(await table.all()).toEqual([]);
  });

  it("keeps them nowhere where a host has no such memory", async () => {
    const { written } = both();
    const table = byWindow(written);
    await table.put(KEY, "private");
    await table.remove(KEY);
    expect(written.rows.size).toBe(0);
    expect(await table.all()).toEqual([]);
  });
});

describe("an idle worker", () => {
  it("does not wash off what an agent in a private window has read, nor its limits", async () => {
    const world = await createWorld({ trust: "untrusted" });
    await world.gateway.connector.connect(PRIVATE, world.server.id, ["file_read"]);
    await world.gateway.rules.save({
      id: "go",
      verdict: "allow",
      priority: 0,
      on: ["request"],
      when: {},
      mode: "enforce",
    });
    const page = world.page({ principal: PRIVATE, channel: "private" });
    await page.initialize("2025-11-25");
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "file_read", arguments: { path: "a" } } });
    await page.reply(1);
    world.clock.advance(2_000);
    await world.gateway.records.flush();
    const next = await world.reborn();
    expect(next.gateway.labels.of(KEY)).toEqual({
      integrity: "untrusted",
      confidentiality: "public",
      sources: [world.server.id],
    });
    expect(next.gateway.usage.of(KEY).filter(({ tool }) => tool === "file_read")).toHaveLength(1);
    for (const table of [world.tables.labels, world.tables.usage, world.tables.sessions])
      expect([...table.rows.keys()]).not.toContain(KEY);
  });

  it("forgets a private session half an hour after its last document closed, as any other", async () => {
    const before = await createWorld();
    before.gateway.sessions.touch(PRIVATE);
    before.gateway.labels.raise(KEY, { integrity: "untrusted", confidentiality: "secret", sources: ["s1"] });
    await new Promise((done) => setImmediate(done));
    const world = await before.reborn();
    world.sites.open = false;
    world.clock.advance(SESSION_REST_MS);
    await world.gateway.sessions.check();
    expect(world.gateway.labels.of(KEY).integrity).toBe("trusted");
    expect(world.privateTables.labels.rows.size + world.privateTables.sessions.rows.size).toBe(0);
  });
});
