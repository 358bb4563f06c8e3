/** How much of everything is taken at once: what the person set, and another choice of theirs. */
import { GatewayError } from "../../core/errors.ts";
import type { HandlerOptions, Handlers } from "./all.ts";

type Subject = "limits.read" | "limits.write";

export function limitHandlers({ gateway, changed }: HandlerOptions): Pick<Handlers, Subject> {
  return {
    "limits.read": () => ({ limits: gateway.limits.set() }),
    async "limits.write"({ limits }) {
      try {
        await gateway.limits.replace(limits);
      } catch (thrown) {
        if (thrown instanceof GatewayError) return { problem: thrown.message };
        throw thrown;
      }
      changed("limits");
      return {};
    },
  };
}
