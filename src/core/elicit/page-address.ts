/**
 * The address of a page that a server wants opened, and whether it may be opened at all. Nothing is fetched here or anywhere
 * else before the person has said yes: a look ahead would tell the server that somebody is there.
 *
 * INVARIANT: only `https:`, and `http:` on this computer, can be opened; what is opened is exactly `href`.
 *
 * @see MCP 2025-11-25 · Elicitation · URL mode · Safe URL handling
 */
import { isLoopback } from "../loopback.ts";

export interface PageAddress {
  /** The whole address as a browser would open it; the text as it came where it is none. */
  readonly href: string;
  readonly openable: boolean;
}

export function pageAddress(text: string): PageAddress {
  if (!URL.canParse(text)) return { href: text, openable: false };
  const { href, protocol, hostname } = new URL(text);
  return { href, openable: protocol === "https:" || (protocol === "http:" && isLoopback(hostname)) };
}
