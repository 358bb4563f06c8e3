/** Servers: registering one lets traffic out to its origin, so the network fence moves before the first request does. */

import type { ControlResult } from "../../bridge/control-api.ts";
import { GatewayError } from "../../core/errors.ts";
import type { HandlerOptions, Handlers } from "./all.ts";

type Subject = "servers.read" | "server.add" | "server.update" | "server.remove" | "server.test" | "pin.approve";

export function serverHandlers({ gateway, updateFence, changed }: HandlerOptions): Pick<Handlers, Subject> {
  const { registry, connections, pins } = gateway;

  const test = async (id: string): Promise<ControlResult<"server.test">> => {
    // What went wrong stands in the health.
    await registry.refresh(id, new AbortController().signal).catch(() => undefined);
    changed("servers");
    const catalogue = registry.catalogue(id);
    return { health: registry.health(id), ...(catalogue ? { catalogue } : {}) };
  };

  return {
    "servers.read": () => ({
      servers: registry.list().map((server) => {
        const catalogue = registry.catalogue(server.id);
        return {
          server,
          health: registry.health(server.id),
          ...(catalogue ? { catalogue } : {}),
          connections: connections.list().filter(({ serverId }) => serverId === server.id),
          pins: pins.list(server.id),
        };
      }),
    }),
    async "server.add"({ draft }) {
      try {
        const server = await registry.add(draft);
        await updateFence();
        await test(server.id);
        return { server };
      } catch (thrown) {
        if (thrown instanceof GatewayError) return { problem: thrown.message };
        throw thrown;
      }
    },
    async "server.update"({ id, trust, enabled, hideOrigin, openToPages, questions }) {
      await registry.update(id, {
        ...(trust === undefined ? {} : { trust }),
        ...(enabled === undefined ? {} : { enabled }),
        ...(hideOrigin === undefined ? {} : { hideOrigin }),
        ...(questions === undefined ? {} : { questions }),
        ...(openToPages === undefined ? {} : { openToPages }),
      });
      await updateFence();
      changed("servers");
      // What a server offers may depend on whether it can ask; nobody waits for the look.
      if (questions !== undefined && registry.byId(id)?.enabled) void test(id);
      return null;
    },
    async "server.remove"({ id }) {
      await gateway.removeServer(id);
      await updateFence();
      return null;
    },
    "server.test": ({ id }) => test(id),
    async "pin.approve"({ serverId, tool, pending }) {
      const approved = await pins.approvePending(serverId, tool, pending);
      changed("pins");
      return { state: approved ? "done" : "changed" };
    },
  };
}
