/** The browsers that journeys are walked in: both, or those that `NAVRA_BROWSERS` names, separated by commas. */
import { BROWSERS, type BrowserName } from "../browsers/find.ts";

export function journeyBrowsers(): readonly BrowserName[] {
  const named = process.env.NAVRA_BROWSERS?.split(",");
  return BROWSERS.filter((browser) => named === undefined || named.includes(browser));
}
