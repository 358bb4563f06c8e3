/**
 * What an HTTP status without a usable JSON-RPC body means, as a sentence the person can act on. Only a status that
 * proves that nothing ran is called unreachable; after any other the call may have happened.
 *
 * @see MCP 2025-11-25 · Transports · Streamable HTTP
 * @see RFC 9110 section 15
 */
import { GatewayError } from "../errors.ts";

export class StatusFault extends GatewayError {
  readonly status: number;

  constructor(status: number) {
    super(NOT_AVAILABLE.has(status) ? "upstream-unreachable" : "upstream-broken", sentence(status));
    this.status = status;
  }
}

export function statusFault(status: number): GatewayError {
  return new StatusFault(status);
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** Too many requests, and a service that says it is not there now. */
const NOT_AVAILABLE: ReadonlySet<number> = new Set([429, 503]);

function sentence(status: number): string {
  const known = SENTENCES.get(status);
  if (known !== undefined) return known;
  if (status >= 500) return `The server failed with HTTP ${status}. Look into its log; the call may have happened.`;
  return `The server refused the request with HTTP ${status}. Check its address and that it speaks MCP over HTTP.`;
}

const SENTENCES: ReadonlyMap<number, string> = new Map([
  [401, "The server asks for a sign-in (HTTP 401). navra cannot sign in to servers yet."],
  [
    403,
    "The server refused navra (HTTP 403). It may ask for other rights, or refuse the Origin header that browsers send for an extension: allow that origin in the server's settings, or let navra leave it out, on the server's page in the dashboard.",
  ],
  [404, "The server has no MCP endpoint at this address (HTTP 404). Check the address of the server."],
  [405, "The server takes no POST at this address (HTTP 405). Check the address of the server."],
  [413, "The server refused the message as too long (HTTP 413). Send less."],
  [429, "The server says that it got too many requests (HTTP 429). Wait a while and try again."],
  [503, "The server says that it is not available now (HTTP 503). Try again later."],
]);
