/**
 * Two channels in memory, each the other's far side: what one sends, the other reports as unsolicited, in order and never
 * inside the sender's own call. For hosts whose server lives in the same process, and for tests.
 */
import { GatewayError } from "../errors.ts";
import { abortFault } from "./abortable.ts";
import type { Channel, ChannelEvents } from "./channel.ts";

export function createPair(
  left: ChannelEvents,
  right: ChannelEvents,
): { readonly left: Channel; readonly right: Channel } {
  const closing = new AbortController();
  return { left: half(right), right: half(left) };

  function half(far: ChannelEvents): Channel {
    return {
      kind: "pair",
      async send(frame, exchange) {
        if (exchange.signal.aborted) throw abortFault(exchange.signal);
        if (closing.signal.aborted) throw abortFault(closing.signal);
        exchange.sent();
        deliver(() => far.unsolicited(frame.text));
      },
      close() {
        if (closing.signal.aborted) return;
        deliver(() => far.closed("The other side closed the connection."));
        closing.abort(new GatewayError("cancelled", "The connection to this server was closed."));
      },
    };
  }

  function deliver(run: () => void): void {
    Promise.resolve().then(run);
  }
}
