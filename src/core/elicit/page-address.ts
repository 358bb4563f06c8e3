/**
 * The address of a page that a server wants opened, as it is shown and whether it may be opened at all. Nothing is fetched
 * here or anywhere else before the person has said yes: a look ahead would tell the server that somebody is there.
 *
 * INVARIANT: only `https:`, and `http:` on this computer, can be opened; what is opened is exactly `href`.
 *
 * @see MCP 2025-11-25 · Elicitation · URL mode · Safe URL handling
 */
import { isLoopback } from "../loopback.ts";
import { readableHost } from "./punycode.ts";

export interface PageAddress {
  /** The whole address as a browser would open it; the text as it came where it is none. */
  readonly href: string;
  /** What stands before the host, the host with its port, what stands after it; together they are `href`. */
  readonly before: string;
  readonly host: string;
  readonly after: string;
  /** The host as it reads, where it is written in letters beyond ASCII. */
  readonly reads?: string;
  readonly openable: boolean;
  readonly doubts: readonly AddressDoubt[];
}

export type AddressDoubt =
  /** No address that a browser opens, such as `javascript:` or a file. */
  | "no-page"
  /** Not encrypted: whoever is on the way can read and change it. */
  | "plain-http"
  /** Letters beyond ASCII, which can be made to look like another host. */
  | "letters"
  /** A user name before the host, which can be made to look like the host. */
  | "user-name"
  /** A number in place of a name. */
  | "number";

export function pageAddress(text: string): PageAddress {
  if (!URL.canParse(text)) return { ...PLAIN, href: text, before: text, doubts: ["no-page"] };
  const url = new URL(text);
  const { href, hostname, host } = url;
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return { ...PLAIN, href, before: href, doubts: ["no-page"] };
  }
  const named = url.username !== "" || url.password !== "";
  const local = isLoopback(hostname);
  const reads = readableHost(hostname);
  const start = href.indexOf(
    host,
    href.indexOf("//") + 2 + (named ? href.slice(href.indexOf("//") + 2).indexOf("@") + 1 : 0),
  );
  const plain = url.protocol === "http:" && !local;
  const doubts: AddressDoubt[] = [
    ...(plain ? ["plain-http" as const] : []),
    ...(reads !== hostname || hostname.includes("xn--") ? ["letters" as const] : []),
    ...(named ? ["user-name" as const] : []),
    ...(NUMBER.test(hostname) && !local ? ["number" as const] : []),
  ];
  return {
    href,
    before: href.slice(0, start),
    host,
    after: href.slice(start + host.length),
    ...(reads === hostname ? {} : { reads }),
    openable: !plain,
    doubts,
  };
}

const PLAIN = { host: "", after: "", openable: false } as const;
const NUMBER = /^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/;
