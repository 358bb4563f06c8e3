/** How a site is named: its whole host, the scheme only where it is not https; both sites where one sits inside another. */
import type { JSX } from "preact";
import { isEmbedded, type Principal } from "../../core/principal.ts";
import { tx } from "./text.ts";

export function siteName(origin: string): string {
  return origin.replace(/^https:\/\//, "");
}

export function Site({ principal }: { readonly principal: Principal }): JSX.Element {
  const own = <bdi title={principal.origin}>{siteName(principal.origin)}</bdi>;
  if (!isEmbedded(principal)) return own;
  return <>{tx("shared_site_inside", own, <bdi title={principal.topSite}>{siteName(principal.topSite)}</bdi>)}</>;
}
