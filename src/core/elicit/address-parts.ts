/**
 * The address of a page that a server wants opened, as it is shown: whole, its host apart, and what is doubtful about it.
 *
 * @see MCP 2025-11-25 · Elicitation · URL mode · Safe URL handling
 */
import { isLoopback } from "../loopback.ts";
import { pageAddress } from "./page-address.ts";
import { readableHost } from "./punycode.ts";

export interface AddressParts {
  /** What stands before the host, the host with its port, what stands after it; together they are the address. */
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

export function addressParts(text: string): AddressParts {
  const { href, openable } = pageAddress(text);
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return { before: href, host: "", after: "", openable: false, doubts: ["no-page"] };
  }
  const { hostname, host } = url;
  const named = url.username !== "" || url.password !== "";
  const reads = readableHost(hostname);
  const from = href.indexOf("//") + 2;
  const start = href.indexOf(host, named ? href.indexOf("@", from) + 1 : from);
  const doubts: AddressDoubt[] = [
    ...(openable ? [] : ["plain-http" as const]),
    ...(hostname.includes("xn--") ? ["letters" as const] : []),
    ...(named ? ["user-name" as const] : []),
    ...(NUMBER.test(hostname) && !isLoopback(hostname) ? ["number" as const] : []),
  ];
  return {
    before: href.slice(0, start),
    host,
    after: href.slice(start + host.length),
    ...(reads === hostname ? {} : { reads }),
    openable,
    doubts,
  };
}

const NUMBER = /^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/;
