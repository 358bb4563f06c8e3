/** Which page of the dashboard is open, kept in the address so that Back, reload and links work. */
import { type ReadonlySignal, signal } from "@preact/signals";

export const PAGES = ["overview", "servers", "sites", "rules", "approvals", "records", "about"] as const;
export type Page = (typeof PAGES)[number];

export interface Route {
  readonly page: Page;
  /** What is chosen on that page: a server id, a record number. Empty for nothing. */
  readonly chosen: string;
}

export function parseRoute(hash: string): Route {
  const [name = "", ...rest] = hash.replace(/^#/, "").split("/");
  const page = PAGES.find((known) => known === name) ?? "overview";
  return { page, chosen: page === name ? rest.join("/") : "" };
}

export function hrefOf(page: Page, chosen = ""): string {
  return chosen === "" ? `#${page}` : `#${page}/${chosen}`;
}

/** Follows the address until `abort`. */
export function followRoute(abort: AbortSignal): ReadonlySignal<Route> {
  const route = signal(parseRoute(location.hash));
  addEventListener(
    "hashchange",
    () => {
      route.value = parseRoute(location.hash);
    },
    { signal: abort },
  );
  return route;
}
