/**
 * MCP over a WebSocket, which is no official transport but a common one: one JSON-RPC message per text frame. The
 * connection is made by the first send; the sub-protocol `mcp` is offered first, then none, because Chromium fails a
 * handshake in which offer and choice differ; which of the two it was is remembered for the server. A binary message ends the
 * connection (with no code of its own: browsers let no script send 1003), and a lost one is made again by the next send,
 * never by itself.
 *
 * @see RFC 6455 sections 5.6 and 7.4.1
 */
import { GatewayError } from "../errors.ts";
import type { Ports, Socket } from "../ports.ts";
import { linked, untilAborted } from "./abortable.ts";
import type { Channel, ChannelEvents } from "./channel.ts";

export interface SocketChannelOptions {
  readonly url: string;
  readonly socket: Ports["socket"];
  readonly events: ChannelEvents;
  /** What is known of the server; shared by all connections to it. */
  readonly subprotocol: Subprotocol;
}

/** Whether the server takes the sub-protocol `mcp`: supposed until a handshake fails with it and succeeds without. */
export interface Subprotocol {
  offered: boolean;
}

export function createSocketChannel({ url, socket: open, events, subprotocol }: SocketChannelOptions): Channel {
  const closing = new AbortController();
  let live: Socket | undefined;
  let connecting: Promise<void> | undefined;

  return {
    kind: "websocket",
    send: (frame, exchange) =>
      linked([exchange.signal, closing.signal], async (signal) => {
        if (!live) await untilAborted(signal, connect());
        if (!live) throw unreachable();
        exchange.sent();
        live.send(frame.text);
      }),
    close() {
      closing.abort(new GatewayError("cancelled", "The connection to this server was closed."));
      lose(live);
    },
  };

  function connect(): Promise<void> {
    connecting ??= dialled().finally(() => {
      connecting = undefined;
    });
    return connecting;
  }

  async function dialled(): Promise<void> {
    const { offered } = subprotocol;
    try {
      await dial(offersOf(offered));
    } catch (problem) {
      if (closing.signal.aborted) throw problem;
      // A server that was replaced may want what its predecessor did not.
      await dial(offersOf(!offered));
      subprotocol.offered = !offered;
    }
  }

  function dial(protocols: readonly string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      let opened = false;
      const socket = open(url, protocols, {
        open: () => {
          opened = true;
          // A turn later `socket` is bound, even for a port that opens while it is being called.
          Promise.resolve().then(() => {
            if (closing.signal.aborted) return socket.close();
            live = socket;
            resolve();
          });
        },
        text: (data) => {
          if (live === socket) events.unsolicited(data);
        },
        binary: () => lost(socket, "The server sent a binary message, which MCP does not have."),
        close: () => {
          if (opened) lost(socket, "The server closed the connection.");
          reject(unreachable());
        },
      });
    });
  }

  /** The far side ended it, or must be treated as if it had. */
  function lost(socket: Socket, reason: string): void {
    if (lose(socket)) events.closed(`${reason} A call that was open may have happened: look before you send it again.`);
  }

  function lose(socket: Socket | undefined): boolean {
    if (!socket || live !== socket) return false;
    live = undefined;
    socket.close();
    return true;
  }
}

function offersOf(offered: boolean): readonly string[] {
  return offered ? ["mcp"] : [];
}

function unreachable(): GatewayError {
  return new GatewayError(
    "upstream-unreachable",
    "No WebSocket connection to the server could be made. Check that it runs, that its address is right, and that it does not refuse the Origin of a browser extension: browsers do not say why.",
  );
}
