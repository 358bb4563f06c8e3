/**
 * The agent page. It joins the runner by a WebSocket and does two things when told: act out a scenario with the official
 * client, or carry frames of the suite's own client between the runner and navra as they are.
 */
import { findNavra } from "../../../src/agent/transport.ts";
import type { ProviderChannel } from "../../../src/bridge/handshake.ts";
import { act } from "./errands.ts";
import type { FromPage, ToPage } from "./wire.ts";

const channels = new Map<string, ProviderChannel>();
const socket = new WebSocket(`ws://${location.host}/join`);
const tell = (message: FromPage): void => socket.send(JSON.stringify(message));

socket.onopen = async () => {
  const provider = await findNavra({ timeoutMs: 5000 });
  if (!provider) throw new Error("navra is not in this page.");

  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as ToPage;
    if (message.kind === "errand") {
      const { id, errand } = message;
      act(errand).then(
        () => tell({ kind: "done", id }),
        (problem: unknown) => tell({ kind: "done", id, problem: sentence(problem) }),
      );
      return;
    }
    const { channel } = message;
    if (message.kind === "open") {
      const opened = provider.open(message.server);
      opened.onframe = (frame) => tell({ kind: "frame", channel, frame });
      opened.onlost = (reason) => {
        tell({ kind: "lost", channel, reason });
        opened.resume();
      };
      channels.set(channel, opened);
    } else if (message.kind === "frame") {
      channels.get(channel)?.send(message.frame);
    } else {
      channels.get(channel)?.close();
      channels.delete(channel);
    }
  };
  tell({ kind: "ready" });
};

function sentence(problem: unknown): string {
  return problem instanceof Error ? `${problem.name}: ${problem.message}` : String(problem);
}
