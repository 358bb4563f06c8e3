/** A door to a gateway, the dashboard's where no other is named, without a browser: the real handlers, asked one method after another. */
import type { ControlMethod, ControlParams, ControlResult } from "../../../src/bridge/control-api.ts";
import type { Gateway } from "../../../src/core/gateway.ts";
import type { ControlPeer } from "../../../src/platform/worker/control-sender.ts";
import { createHandlers } from "../../../src/worker/handlers/all.ts";

export type Ask = <M extends ControlMethod>(method: M, params: ControlParams<M>) => Promise<ControlResult<M>>;

export function controlOf(gateway: Gateway, peer: ControlPeer = { door: "dashboard" }): Ask {
  const handlers = createHandlers({
    gateway,
    reader: undefined as never,
    native: undefined as never,
    openApproval: async () => undefined,
    openPage: async () => undefined,
    updateFence: async () => undefined,
    changed: () => undefined,
  });
  return async (method, params) => {
    const handler = handlers[method] as (params: unknown, peer: unknown) => unknown;
    return (await handler(params, peer)) as never;
  };
}
