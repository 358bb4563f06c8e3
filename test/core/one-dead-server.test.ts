/** A server that is dead is dead alone: the others are listed, called and answered as if it were not there. */
import { describe, expect, it } from "vitest";
import { createWorld, SITE } from "../fakes/gateway.ts";
import { createFakeServer } from "../fakes/server.ts";

const CALL = { name: "file_read", arguments: { path: "notes.txt" } };

describe("a dead server", () => {
  async function withOneDead() {
    const living = createFakeServer("2025-11-25");
    let dead = false;
    const upstream = Object.assign(Object.create(living), {
      fetch: (url: string, request: Parameters<typeof living.fetch>[1]) =>
        dead && url.includes("dead.example")
          ? Promise.reject(new TypeError("Failed to fetch"))
          : living.fetch(url, request),
    }) as typeof living;
    const world = await createWorld({ upstream });
    const other = await world.gateway.registry.add({ name: "dead", url: "https://dead.example/mcp", trust: "trusted" });
    const { tools } = await world.gateway.registry.refresh(other.id, new AbortController().signal);
    await world.gateway.connector.connect(
      SITE,
      other.id,
      tools.map(({ name }) => name),
    );
    dead = true;
    return { world, other };
  }

  it("hides no other from a site, and its own catalogue stays known", async () => {
    const { world, other } = await withOneDead();
    await world.gateway.registry.refresh(other.id, new AbortController().signal).catch(() => undefined);
    const directory = world.page({ server: "", channel: "directory" });
    directory.send({ jsonrpc: "2.0", id: 1, method: "io.github.navra/servers" });
    expect(await directory.reply(1)).toMatchObject({ result: { servers: [{ name: "dead" }, { name: "files" }] } });
    expect(world.gateway.registry.health(other.id)).toMatchObject({ state: "failing" });
    expect(world.gateway.registry.health(world.server.id)).toMatchObject({ state: "ok" });
    expect(world.gateway.registry.catalogue(other.id)?.tools).toHaveLength(1);
  });

  it("opens its own circuit only", async () => {
    const { world } = await withOneDead();
    const [dead, files] = [world.page({ server: "dead", channel: "c2" }), world.page()];
    for (let id = 1; id <= 6; id += 1) {
      dead.send({ jsonrpc: "2.0", id, method: "initialize", params: INITIALIZE });
      expect(await dead.reply(id)).toMatchObject({ error: { data: { name: "upstream-unreachable" } } });
    }
    await files.initialize("2025-11-25");
    files.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: CALL });
    expect(await files.reply(1)).toHaveProperty("result");
  });
});

const INITIALIZE = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
