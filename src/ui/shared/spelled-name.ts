/** Names of sites that are not what they would like to look like. */
import type { Principal } from "../../core/principal.ts";

/**
 * Whether a name in it has letters beyond the Latin ones, which may look like those of a name the person knows. Such a name
 * is never shown as it would like to look, but as it is spelled on the net.
 */
export function isSpelled({ origin, topSite }: Principal): boolean {
  return [origin, topSite].some((site) => /(?:^|\/|\.)xn--/i.test(site));
}
