/**
 * The pair of endpoints of 2024-11-05: an event stream that names an address for POSTs and brings every message of the
 * server's, and POSTs that bring nothing back. There are no event ids and no session name, so a stream that ends takes its
 * session with it. The address must be of the stream's own origin, or a server could have arguments sent elsewhere.
 *
 * @see MCP 2024-11-05 · Transports · HTTP with SSE
 */
import { GatewayError } from "../errors.ts";
import type { Ports } from "../ports.ts";
import type { Limits } from "../wire/json.ts";
import { linked, untilAborted } from "./abortable.ts";
import { discard, readEvents } from "./body.ts";
import type { Channel, ChannelEvents, Exchange, OutgoingFrame } from "./channel.ts";
import { isSuccess } from "./http-status.ts";
import { answered, mediaType, refusal, refuseRedirect } from "./response.ts";

export interface SseChannelOptions {
  readonly url: string;
  readonly fetch: Ports["fetch"];
  readonly limits: Limits;
  readonly events: ChannelEvents;
}

export function createSseChannel(options: SseChannelOptions): Channel {
  const { url, limits, events } = options;
  const closing = new AbortController();
  let endpoint: string | undefined;
  let connecting: Promise<void> | undefined;

  return {
    kind: "http-sse",
    send: (frame, exchange) =>
      linked([exchange.signal, closing.signal], async (signal) => {
        if (endpoint === undefined) await untilAborted(signal, connect());
        if (endpoint === undefined) throw noEndpoint();
        await post(endpoint, frame, { ...exchange, signal });
      }),
    close() {
      closing.abort(new GatewayError("cancelled", "The connection to this server was closed."));
      endpoint = undefined;
    },
  };

  function connect(): Promise<void> {
    connecting ??= new Promise<void>((resolve, reject) => {
      const named = (event: string, data: string): void => {
        if (event !== "endpoint" || endpoint !== undefined) return;
        endpoint = sameOrigin(data, url);
        if (endpoint === undefined) reject(noEndpoint());
        else resolve();
      };
      listen(named).then(
        () => ended(reject, noEndpoint()),
        (problem: unknown) => ended(reject, problem),
      );
    }).finally(() => {
      connecting = undefined;
    });
    return connecting;
  }

  async function listen(named: (event: string, data: string) => void): Promise<void> {
    const { signal } = closing;
    const request = { method: "GET", headers: { Accept: "text/event-stream" }, signal } as const;
    const response = await untilAborted(signal, answered(options.fetch(url, request)));
    try {
      refuseRedirect(url, response);
      if (!isSuccess(response.status)) throw await refusal(response, signal);
      if (response.body === null || mediaType(response) !== "text/event-stream") throw noEndpoint();
      const message = (data: string): void => {
        if (!signal.aborted) events.unsolicited(data);
      };
      await readEvents({ body: response.body, signal, limit: limits.bytes }, { message, named });
    } catch (problem) {
      discard(response.body);
      throw problem;
    }
  }

  function ended(reject: (problem: unknown) => void, problem: unknown): void {
    reject(problem);
    if (endpoint === undefined || closing.signal.aborted) return;
    endpoint = undefined;
    const reason =
      "The server ended its event stream. A call that was open may have happened: look before you send it again.";
    if (problem instanceof GatewayError && problem.fault === "too-large") events.closed(reason, problem);
    else events.closed(reason);
  }

  async function post(to: string, frame: OutgoingFrame, { signal, sent }: Exchange): Promise<void> {
    const headers = { "Content-Type": "application/json", ...frame.headers };
    // INVARIANT: `sent` and the fetch are in one task; the journal entry is issued before the bytes.
    sent();
    const response = await untilAborted(
      signal,
      answered(options.fetch(to, { method: "POST", headers, body: frame.text, signal })),
    );
    const problem = isSuccess(response.status) ? undefined : await refusal(response, signal);
    discard(response.body);
    refuseRedirect(to, response);
    // The server knows this stream no more; a new one begins a new session.
    if (response.status === 404) ended(() => undefined, undefined);
    if (problem) throw problem;
  }
}

function sameOrigin(reference: string, base: string): string | undefined {
  if (!URL.canParse(reference, base)) return undefined;
  const to = new URL(reference, base);
  return to.origin === new URL(base).origin && to.username === "" && to.password === "" ? to.href : undefined;
}

function noEndpoint(): GatewayError {
  return new GatewayError(
    "upstream-broken",
    "The server named no address of its own to send messages to. Check that the address is an MCP endpoint.",
  );
}
