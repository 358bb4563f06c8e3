/**
 * The gateway's ports as the browser has them. They open connections to registered origins only, send no cookie, follow a
 * redirect only within the origin they were given, and read nothing that another origin answered. The network fence stops
 * most of this before a byte leaves; this file holds where a browser does not show a connection to the fence.
 *
 * @see Fetch Standard · 5.4 Request class (credentials, redirect)
 */
import { GatewayError } from "../../core/errors.ts";
import type { Clock, Ports, SocketEvents } from "../../core/ports.ts";
import { LocalNetworkRefused } from "../../core/servers/hint.ts";
import { isLocalNetworkRefused } from "./local-network.ts";

/** What only the composition root can give. */
export interface HostPorts
  extends Pick<Ports, "tables" | "privateTables" | "sites" | "local" | "changed" | "showApprovals" | "busy"> {
  /** Whether an address is registered. */
  readonly allows: (url: string) => boolean;
}

export function browserPorts({ allows, ...host }: HostPorts): Ports {
  const check = (url: string) => {
    if (!allows(url))
      throw new GatewayError("upstream-unreachable", "The server's address is not registered in navra.");
  };
  return {
    clock: browserClock,
    randomId,
    digest,
    fetch: async (url, request) => {
      check(url);
      return fetchWithin(url, request);
    },
    socket: (url, protocols, events) => {
      check(url);
      return openSocket(url, protocols, events);
    },
    ...host,
  };
}

export const browserClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  utcOffsetMinutes: () => -new Date().getTimezoneOffset(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

export function randomId(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

export async function digest(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

export const fetchWithin: Ports["fetch"] = async (url, request) => {
  const response = await fetch(url, {
    ...request,
    credentials: "omit",
    redirect: "follow",
    cache: "no-store",
    referrerPolicy: "no-referrer",
  }).catch(async (problem: unknown) => {
    if (!request.signal.aborted && (await isLocalNetworkRefused(url))) throw new LocalNetworkRefused();
    throw problem;
  });
  if (response.type !== "opaqueredirect" && originOf(response.url) === originOf(url)) return response;
  await response.body?.cancel();
  throw new GatewayError(
    "upstream-broken",
    "The server sent the request on to another address. Register that address if you trust it.",
  );
};

export const openSocket: Ports["socket"] = (url, protocols, events: SocketEvents) => {
  const socket = new WebSocket(url, [...protocols]);
  socket.binaryType = "arraybuffer";
  socket.onopen = events.open;
  socket.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === "string") events.text(data);
    else events.binary();
  };
  // A failed connection fires `error` and then `close`; the one that always comes is enough.
  socket.onclose = ({ code }) => events.close(`The connection ended with code ${code}.`);
  return { send: (text) => socket.send(text), close: () => socket.close() };
};

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
