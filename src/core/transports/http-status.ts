/**
 * What an HTTP status without a usable JSON-RPC body means, as a sentence the person can act on. Only a status that
 * proves that nothing ran is called unreachable; after any other the call may have happened.
 *
 * @see MCP 2025-11-25 · Transports · Streamable HTTP
 * @see RFC 9110 section 15
 */
import { GatewayError } from "../errors.ts";
import { endOfDay } from "../policy/calendar.ts";

export class StatusFault extends GatewayError {
  readonly status: number;
  /** When the server wants to be asked again, as it wrote it. */
  readonly retryAfter: string | null;
  /** It speaks of the Origin header in its refusal. */
  readonly ofOrigin: boolean;

  constructor(status: number, { retryAfter = null, ofOrigin = false }: StatusFacts = {}) {
    const detail = ofOrigin ? ORIGIN_REFUSED : sentence(status);
    super(NOT_AVAILABLE.has(status) ? "upstream-unreachable" : "upstream-broken", detail);
    this.status = status;
    this.retryAfter = retryAfter;
    this.ofOrigin = ofOrigin;
  }
}

interface StatusFacts {
  readonly retryAfter?: string | null;
  readonly ofOrigin?: boolean;
}

/**
 * How long the server asks to be left alone, in milliseconds; nothing where it does not say so in a way that can be read. A
 * server can keep itself quiet for an hour, not for ever.
 *
 * @see RFC 9110 · 10.2.3 Retry-After
 */
export function retryAfterMs(written: string | null, now: number): number | undefined {
  if (written === null) return undefined;
  const text = written.trim();
  const ms = SECONDS.test(text) ? Number(text) * 1_000 : httpDate(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS);
}

/** Epoch milliseconds of the one form of a date that is still sent; not a number for anything else. */
function httpDate(text: string): number {
  const [, day = "", month = "", year = "", hours, minutes, seconds] = IMF_DATE.exec(text) ?? [];
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, "0");
  const end = endOfDay(`${year}-${number}-${day}`) ?? Number.NaN;
  return end - 86_400_000 + (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
}

const SECONDS = /^\d{1,10}$/;
const IMF_DATE = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const LONGEST_WAIT_MS = 60 * 60_000;

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

const ORIGIN_REFUSED =
  "The server refused navra because of the Origin header that browsers send for an extension (HTTP 403). Allow that origin in the server's settings, or let navra leave the header out, on the server's page in the dashboard.";

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
