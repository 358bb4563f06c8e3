/** A local server in the whole gateway: whose run ends when. */
import { expect, it } from "vitest";
import type { Ports } from "../../src/core/ports.ts";
import { createWorld, SITE } from "../fakes/gateway.ts";
import { localOver } from "../fakes/local.ts";
import { createFakeServer } from "../fakes/server.ts";

function counted(local: Ports["local"]): { readonly local: Ports["local"]; open: number } {
  const count = {
    open: 0,
    local: ((entryName, events) => {
      const line = local(entryName, events);
      count.open += 1;
      let isOpen = true;
      return {
        send: line.send,
        close() {
          if (isOpen) count.open -= 1;
          isOpen = false;
          line.close();
        },
      };
    }) satisfies Ports["local"],
  };
  return count;
}

async function calledOnce() {
  const upstream = createFakeServer("2025-11-25");
  const runs = counted(localOver(upstream));
  const world = await createWorld({ upstream, local: runs.local });
  const afterLooking = runs.open;
  const page = world.page();
  await page.initialize("2025-11-25");
  page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "file_read", arguments: { path: "a" } } });
  await page.reply(1);
  return { world, runs, afterLooking };
}

it("keeps no program running that only navra itself looked at", async () => {
  const { runs, afterLooking } = await calledOnce();
  expect([afterLooking, runs.open]).toEqual([0, 1]);
});

it("ends a site's program when the person disconnects the site", async () => {
  const { world, runs } = await calledOnce();
  await world.gateway.disconnect(SITE, world.server.id);
  world.clock.advance(250);
  expect(runs.open).toBe(0);
});

it("ends every program of a server that is switched off or removed", async () => {
  const off = await calledOnce();
  await off.world.gateway.registry.update(off.world.server.id, { enabled: false });
  const removed = await calledOnce();
  await removed.world.gateway.removeServer(removed.world.server.id);
  expect([off.runs.open, removed.runs.open]).toEqual([0, 0]);
});
